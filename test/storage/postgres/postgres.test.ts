import { databaseWithoutRows } from '../../support/databases/test-database.ts'
import { describeStorage } from '../contract/contract.ts'
import { openWorkPostgres } from '../work-storage.ts'

describeStorage('PostgreSQL', async () => openWorkPostgres(await databaseWithoutRows()))

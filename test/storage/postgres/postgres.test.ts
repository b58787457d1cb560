import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { describeStorage } from '../contract/contract.ts'

describeStorage('PostgreSQL', async () => openPostgres({ url: await emptyDatabase(), connections: 4 }))

import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { emptyDatabase } from '../support/test-database.ts'
import { describeStorage } from './contract.ts'

describeStorage('PostgreSQL', async () => openPostgres({ url: await emptyDatabase(), connections: 4 }))

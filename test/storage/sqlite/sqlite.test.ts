import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { describeStorage } from '../contract/contract.ts'

describeStorage('SQLite in memory', () => openSqlite(':memory:'))

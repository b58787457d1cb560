import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { describeStorage } from './contract.ts'

describeStorage('SQLite in memory', () => openSqlite(':memory:'))

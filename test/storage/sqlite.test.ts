import { openSqlite } from '../../src/storage/sqlite.ts'
import { describeStorage } from './contract.ts'

describeStorage('SQLite in memory', () => openSqlite(':memory:'))

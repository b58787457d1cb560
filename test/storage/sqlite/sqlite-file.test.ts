import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import { describeStorage } from '../contract/contract.ts'
import { temporaryFile } from './temporary-file.ts'

describeStorage('SQLite in a file', () => openSqlite(temporaryFile()))

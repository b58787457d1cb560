/** Program of the thread that writes to a SQLite file. */
import { executeCommand } from './operations/execute.ts'
import { serveWrites } from './storage/sqlite/write-thread.ts'

serveWrites(executeCommand)

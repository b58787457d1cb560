/** Program of the thread that writes to a SQLite file. */
import type { Limits } from './limits.ts'
import { executeCommand } from './operations/execute.ts'
import { random } from './secrets/random.ts'
import { serveWrites } from './storage/sqlite/write-thread.ts'

serveWrites((limits: Limits) => executeCommand(limits, random.id))

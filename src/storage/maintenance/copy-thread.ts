/** Program of the thread that copies a database into a SQLite file and checks it; it ends when that is done or has failed. */
import { chmodSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { writeChecksum } from './file-checksum.ts'
import { copySqlite, moveToNewName, requireOwnDatabase } from './sqlite-copy.ts'
import type { ThreadedCopy } from './threaded-copy.ts'

const { from, draft, to } = workerData as ThreadedCopy
if (from.engine === 'sqlite') await copySqlite(from.file, draft, () => undefined)
else await (await import('./postgres-copy.ts')).copyPostgres(from.url, draft, () => undefined)
await requireOwnDatabase(draft)
chmodSync(draft, 0o600)
await writeChecksum(draft, to)
moveToNewName(draft, to)

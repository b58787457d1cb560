/** Program of the thread that copies a SQLite file and checks the copy; it ends when that is done, and fails if it fails. */
import { chmodSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { copySqlite, requireOwnDatabase } from './sqlite-copy.ts'

const { from, to } = workerData as { readonly from: string; readonly to: string }
await copySqlite(from, to, () => undefined)
await requireOwnDatabase(to)
chmodSync(to, 0o600)

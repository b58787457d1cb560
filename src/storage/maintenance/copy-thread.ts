/** Program of the thread that copies a database into a SQLite file and checks it; it ends when that is done, and fails if it fails. */
import { chmodSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { DatabaseSetting } from '../../settings/database.ts'
import { copySqlite, requireOwnDatabase } from './sqlite-copy.ts'

const { from, to } = workerData as { readonly from: DatabaseSetting; readonly to: string }
if (from.engine === 'sqlite') await copySqlite(from.file, to, () => undefined)
else await (await import('./postgres-copy.ts')).copyPostgres(from.url, to, () => undefined)
await requireOwnDatabase(to)
chmodSync(to, 0o600)

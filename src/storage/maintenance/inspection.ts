import type { DatabaseSetting } from '../../settings/database.ts'
import type { Inspection } from './check-result.ts'
import { inspectPostgres } from './inspect-postgres.ts'
import { inspectSqlite } from './inspect-sqlite.ts'

/** Opens a database for checks, whether a server is running on it or not; throws StorageUnavailable if it cannot be read. */
export async function openInspection(database: DatabaseSetting): Promise<Inspection> {
  return database.engine === 'sqlite' ? inspectSqlite(database.file) : inspectPostgres(database.url)
}

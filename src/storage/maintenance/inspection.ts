import type { DatabaseSetting } from '../../config.ts'
import type { Inspection } from './check-result.ts'
import { inspectPostgres } from './inspect-postgres.ts'
import { inspectSqlite } from './inspect-sqlite.ts'

/** Opens a database beside a server or without one; throws StorageUnavailable where nothing can be seen. */
export async function openInspection(database: DatabaseSetting): Promise<Inspection> {
  return database.engine === 'sqlite' ? inspectSqlite(database.file) : inspectPostgres(database.url)
}

import type { DatabaseSetting } from '../config.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Storage } from './storage.ts'

/** The engine that the setting names, up to date and ready. */
export function openStorage(database: DatabaseSetting): Promise<Storage> {
  return database.engine === 'sqlite' ? openSqlite(database.file) : openPostgres(database)
}

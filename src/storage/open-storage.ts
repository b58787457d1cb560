import type { DatabaseSetting } from '../config.ts'
import { openSqlite } from './sqlite.ts'
import type { Storage } from './storage.ts'

/** The engine that the setting names, up to date and ready. */
export function openStorage(database: DatabaseSetting): Promise<Storage> {
  return openSqlite(database.file)
}

import type { DatabaseSetting } from '../config.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { openConnection } from './sqlite-file.ts'
import type { Storage } from './storage.ts'

const writeThread = new URL('../../bin/write-thread.mjs', import.meta.url)

/** The engine that the setting names, up to date and ready. */
export function openStorage(database: DatabaseSetting): Promise<Storage> {
  return database.engine === 'sqlite' ? openSqlite(database.file, openConnection, writeThread) : openPostgres(database)
}

import type { DatabaseSetting } from '../config.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { Execute, Storage } from './storage.ts'

const writeThread = new URL('../../bin/write-thread.mjs', import.meta.url)

/** Opens the engine that the setting names and migrates it. The write thread's program has to pass the same `execute`. */
export function openStorage<Command>(database: DatabaseSetting, execute: Execute<Command>): Promise<Storage<Command>> {
  if (database.engine === 'sqlite') return openSqlite(database.file, execute, { writeThread })
  return openPostgres(database, execute)
}

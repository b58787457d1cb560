import type { DatabaseSetting } from '../config.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import type { Execute, Storage } from './storage.ts'

const program = new URL('../../bin/write-thread.mjs', import.meta.url)

/**
 * Opens the engine that the setting names and migrates it. The write thread's program gets `settings`, a plain value, to
 * make the same `execute` from.
 */
export function openStorage<Command>(
  database: DatabaseSetting,
  execute: Execute<Command>,
  settings: unknown,
): Promise<Storage<Command>> {
  if (database.engine === 'sqlite') return openSqlite(database.file, execute, { writeThread: { program, settings } })
  return openPostgres(database, execute)
}

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { findFolderInPlace } from '../start/places.ts'
import { CommandFailed } from './output/terminal.ts'

/** The file of the database; PostgreSQL has programs of its own for copies, and of memory there is nothing to keep. */
export function requireSqliteFile({ database }: Config): string {
  if (database.engine === 'postgres') {
    throw new CommandFailed(
      'The database is PostgreSQL, which has programs of its own for this: pg_dump and pg_restore for a copy of one ' +
        'moment, continuous archiving (pg_basebackup and the archived log) for everything up to the last moment. They ' +
        'know their server, its users and its disks, which this program does not. The secret (SECRET_KEY or ' +
        'SECRET_KEY_FILE) is in none of those copies: keep it too, in another place.',
      2,
    )
  }
  if (database.file === ':memory:') {
    throw new CommandFailed('The database is in memory: there is no file to copy.', 2)
  }
  return database.file
}

/** Refuses where the SQLite file is not there: opening it would make an empty database. */
export function requireDatabaseFile({ database }: Config): void {
  if (database.engine !== 'sqlite' || database.file === ':memory:') return
  const problem = findFolderInPlace(database.file)
  if (problem) throw new CommandFailed(problem)
  if (!existsSync(database.file)) {
    throw new CommandFailed(`There is no database at ${resolve(database.file)}.`)
  }
}

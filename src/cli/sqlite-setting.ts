import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { findFolderInPlace } from '../start/places.ts'
import { CommandFailed } from './output/terminal.ts'

/** The file into whose place a backup can be put. */
export function requireSqliteFile({ database }: Config): string {
  if (database.engine === 'postgres') {
    throw new CommandFailed(
      'The database is PostgreSQL: a backup goes into an empty database there with "cartulary migrate-data --from ' +
        'file:<backup>". A copy that was made with pg_dump is restored with pg_restore.',
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

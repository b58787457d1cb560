import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { reasonOf } from '../../errors.ts'
import { StorageUnavailable } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'
import { SqliteDialectWithTransactionalDdl } from './dialect.ts'

/**
 * A file that is only read, beside a server or without one.
 *
 * SQLite reads a WAL database through two files beside it. A connection that may not write makes them and leaves them
 * there; one that may takes them away with it, and writes what is in the log into the database as it goes. So whoever
 * finds no log may write and does not, and whoever finds one leaves it to its server.
 */
export function openReading(name: string): Database.Database {
  if (!existsSync(name)) throw new StorageUnavailable(`There is no database at ${resolve(name)}.`)
  const path = realpathSync(name)
  let connection: Database.Database | undefined
  try {
    connection = existsSync(`${path}-wal`)
      ? new Database(path, { readonly: true })
      : new Database(path, { fileMustExist: true })
    connection.pragma('query_only = ON')
    connection.prepare('select 1 from sqlite_schema').get()
    return connection
  } catch (error) {
    connection?.close()
    throw new StorageUnavailable(`The database ${path} cannot be read: ${reasonOf(error)}.`, { cause: error })
  }
}

/** Kysely over a connection that somebody else opens and closes. */
export function kyselyOnSqlite(connection: Database.Database): Kysely<Rows> {
  return new Kysely<Rows>({ dialect: new SqliteDialectWithTransactionalDdl(connection) })
}

/** Trouble with the disk or the file as one sentence; anything else as it is. */
export function toSqliteRefusal(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return new StorageUnavailable(`The database cannot be used: ${error.message} (${error.code}).`, { cause: error })
}

import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { StorageUnavailable } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'
import { SqliteDialectWithTransactionalDdl } from './dialect.ts'
import { reasonOfOpening } from './file.ts'

/**
 * Opens a file for reading, whether a server is running on it or not.
 *
 * A WAL database has two files beside it, `-wal` and `-shm`. A read-only connection creates them and leaves them behind; a
 * writable one checkpoints and removes them when it closes. So without a log, the connection is writable but does not
 * write; with one, it is read-only, and the log is left to the server.
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
    throw new StorageUnavailable(`The database ${path} cannot be read: ${reasonOfOpening(error, path)}.`, {
      cause: error,
    })
  }
}

/** Kysely on a connection that the caller opens and closes. */
export function kyselyOnSqlite(connection: Database.Database): Kysely<Rows> {
  return new Kysely<Rows>({ dialect: new SqliteDialectWithTransactionalDdl(connection) })
}

/** StorageUnavailable for any error of SQLite; any other error unchanged. */
export function toSqliteRefusal(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  return new StorageUnavailable(`The database cannot be used: ${error.message} (${error.code}).`, { cause: error })
}

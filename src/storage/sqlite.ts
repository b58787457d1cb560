import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from './migrate.ts'
import type { Rows } from './rows.ts'
import { type Storage, StorageUnavailable } from './storage.ts'
import { openStores } from './stores.ts'

/** What `PRAGMA synchronous` answers for FULL. */
const full = 2
const memory = ':memory:'

/**
 * Opens a database file, or `:memory:`, and brings it up to date. One process owns a file at a time.
 *
 * Two connections: one writes, one transaction after the other; the other reads beside it, as WAL allows.
 */
export async function openSqlite(file: string): Promise<Storage> {
  const path = file === memory ? memory : resolve(file)
  const lock = path === memory ? undefined : lockFile(path)
  try {
    const writer = connect(path)
    await migrate(writer)
    const reader = path === memory ? writer : connect(path)
    const readStores = openStores(reader)
    return {
      description: path === memory ? 'SQLite in memory' : `SQLite at ${file}`,
      read: (work) => telling(() => work(readStores)),
      write: (work) => telling(() => writer.transaction().execute((transaction) => work(openStores(transaction)))),
      async ping() {
        await telling(() => reader.selectFrom('portals').select('portal_id').limit(1).execute())
      },
      async close() {
        await reader.destroy()
        if (writer !== reader) await writer.destroy()
        lock?.close()
      },
    }
  } catch (error) {
    lock?.close()
    throw unavailable(error) ?? error
  }
}

/**
 * Holds a lock beside the database for as long as the process lives. The operating system lets go of it however the
 * process ends, so nothing is left to clean up after a crash.
 */
function lockFile(path: string): Database.Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const lock = new Database(`${path}.lock`, { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) {
      throw new StorageUnavailable(`The database ${path} is in use by another process; stop that one first.`)
    }
    throw unavailable(error) ?? new StorageUnavailable(`The database ${path} cannot be opened: ${reason(error)}.`)
  }
}

function connect(path: string): Kysely<Rows> {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  // Re-opening a WAL file can fall back to NORMAL in silence, which loses acknowledged writes at power loss.
  if (database.pragma('synchronous', { simple: true }) !== full) {
    throw new StorageUnavailable(`The database ${path} does not keep synchronous=FULL.`)
  }
  if (database.pragma('foreign_keys', { simple: true }) !== 1) {
    throw new StorageUnavailable(`The database ${path} does not keep foreign_keys=ON.`)
  }
  return new Kysely<Rows>({ dialect: new SqliteDialect({ database }) })
}

/** Runs the work, and tells trouble with the disk or the file apart from bugs. */
async function telling<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error) ?? error
  }
}

const outages = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|PROTOCOL)/

function unavailable(error: unknown): StorageUnavailable | undefined {
  if (!isSqliteError(error) || !outages.test(error.code)) return undefined
  return new StorageUnavailable(`The database cannot be used: ${error.message} (${error.code}).`, { cause: error })
}

function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

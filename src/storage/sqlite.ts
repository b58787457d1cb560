import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, type Transaction } from 'kysely'
import { watchFile } from './file-watch.ts'
import { lineUp } from './line-up.ts'
import { migrate } from './migrate.ts'
import type { Rows } from './rows.ts'
import { CarefulDialect } from './sqlite-dialect.ts'
import { deadline, type Storage, StorageUnavailable } from './storage.ts'
import { openStores } from './stores.ts'

const memory = ':memory:'

/**
 * Opens a database file, or `:memory:`, and brings it up to date. One process owns a file at a time.
 *
 * Two connections: one writes, one transaction after the other; the other reads beside it, as WAL allows.
 */
export async function openSqlite(file: string, connect: Connect = openConnection): Promise<Storage> {
  const path = file === memory ? memory : findFile(file)
  const lock = path === memory ? undefined : lockFile(path)
  const connections: Database.Database[] = []
  const open = (): Database.Database => {
    const connection = connect(path)
    connections.push(connection)
    requireSettings(connection, path)
    return connection
  }
  const close = (): void => {
    for (const connection of connections) connection.close()
    lock?.close()
  }
  try {
    const writer = kysely(open())
    await migrate(writer)
    const reader = path === memory ? writer : kysely(readOnly(open()))
    const readStores = openStores(reader)
    const telling = tellOutages(() => connections.every((connection) => connection.open))
    const inTurn = lineUp()
    const requireFile = path === memory ? () => undefined : watchFile(path)
    return {
      description: path === memory ? 'SQLite in memory' : `SQLite at ${file}`,
      read: (work) => telling(() => work(readStores)),
      write: (work, until = deadline()) =>
        telling(() => {
          const transact = (transaction: Transaction<Rows>) => work(openStores(transaction)).finally(requireFile)
          return inTurn(() => writer.transaction().execute(transact), until)
        }),
      async ping() {
        requireFile()
        await telling(() => reader.selectFrom('portals').select('portal_id').limit(1).execute())
      },
      figures: () => ({
        connections: {
          open: connections.length,
          idle: connections.filter(({ inTransaction }) => !inTransaction).length,
        },
        waiting: inTurn.waiting(),
        retries: 0,
        callerCache: { hits: 0, misses: 0 },
      }),
      close: async () => close(),
    }
  } catch (error) {
    close()
    throw unavailable(error) ?? error
  }
}

/** The file itself, whatever links lead to it: two names of it must not be two locks. */
export function findFile(file: string): string {
  const path = resolve(file)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
  } catch (error) {
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reason(error)}.`)
  }
}

/**
 * Holds a lock beside the database for as long as the process lives. The operating system lets go of it however the
 * process ends, so nothing is left to clean up after a crash.
 */
export function lockFile(path: string): Database.Database {
  let lock: Database.Database | undefined
  try {
    lock = new Database(`${path}.lock`, { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) {
      throw new StorageUnavailable(`The database ${path} is in use by another process; stop that one first.`)
    }
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reason(error)}.`)
  }
}

/** How a file is opened; tests put a disk in its place that is full or does not keep a setting. */
export type Connect = (path: string) => Database.Database

/** One connection with the settings that nothing works without. */
export function openConnection(path: string): Database.Database {
  let connection: Database.Database | undefined
  try {
    connection = new Database(path)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    return connection
  } catch (error) {
    connection?.close()
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reason(error)}.`, { cause: error })
  }
}

/** Re-opening a WAL file can fall back to NORMAL in silence, which loses acknowledged writes at power loss. */
function requireSettings(connection: Database.Database, path: string): void {
  const journal = path === memory ? 'memory' : 'wal'
  const settings = [
    ['journal_mode', journal, journal],
    ['synchronous', 2, 'FULL'],
    ['foreign_keys', 1, 'ON'],
  ] as const
  for (const [name, answer, word] of settings) {
    if (connection.pragma(name, { simple: true }) === answer) continue
    throw new StorageUnavailable(`The database ${path} does not keep ${name}=${word}.`)
  }
}

function readOnly(connection: Database.Database): Database.Database {
  connection.pragma('query_only = ON')
  return connection
}

function kysely(connection: Database.Database): Kysely<Rows> {
  return new Kysely<Rows>({ dialect: new CarefulDialect(connection) })
}

/** Runs work, and tells trouble with the disk or the file, and a database that was closed, apart from bugs. */
function tellOutages(isOpen: () => boolean): <Result>(work: () => Promise<Result>) => Promise<Result> {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      // The driver answers work on a closed connection with a TypeError.
      if (!isOpen() && error instanceof TypeError) throw new StorageUnavailable('The database is closed.')
      throw unavailable(error) ?? error
    }
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

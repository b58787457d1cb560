import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { reasonOf } from '../../errors.ts'
import { StorageUnavailable } from '../storage.ts'

export const memory = ':memory:'

/** The file itself, whatever links lead to it: two names of it must not be two locks. */
export function findFile(file: string): string {
  const path = resolve(file)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path))
  } catch (error) {
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reasonOf(error)}.`)
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
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reasonOf(error)}.`)
  }
}

/**
 * The log is copied into the database when it has so many pages, 16 MB: measured, large writes take a fifth less than with
 * SQLite's 1,000.
 */
const logPages = 4_000

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
    connection.pragma(`wal_autocheckpoint = ${logPages}`)
    return connection
  } catch (error) {
    connection?.close()
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reasonOf(error)}.`, { cause: error })
  }
}

/** Re-opening a WAL file can fall back to NORMAL in silence, which loses acknowledged writes at power loss. */
export function requireSettings(connection: Database.Database, path: string): void {
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

const outages = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PERM|PROTOCOL)/

/** What was thrown, or what it means: trouble with the disk or the file, and a connection that was closed, are no bugs. */
export function toStorageError(error: unknown, connection?: Database.Database): unknown {
  // The driver answers work on a closed connection with a TypeError.
  if (error instanceof TypeError && connection?.open === false) return databaseClosed()
  if (!isSqliteError(error) || !outages.test(error.code)) return error
  return new StorageUnavailable(`The database cannot be used: ${error.message} (${error.code}).`, { cause: error })
}

export function databaseClosed(): StorageUnavailable {
  return new StorageUnavailable('The database is closed.')
}

export function writeQueueFull(): StorageUnavailable {
  return new StorageUnavailable('The write queue is full.')
}

function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError
}

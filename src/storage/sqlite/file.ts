import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import { reasonOf } from '../../errors.ts'
import { type StorageSpace, StorageUnavailable } from '../storage.ts'
import { logPages } from '../stores/disk-store.ts'

export const memory = ':memory:'

/** Real path of the file, as two paths of one file must have one lock; creates its folders. */
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
 * Locks the database for this process, by an exclusive lock on a second database beside it. The operating system releases
 * it however the process ends, so nothing is left to clean up after a crash.
 */
export function lockFile(path: string): Database.Database {
  const lock = lockIfFree(path)
  if (lock) return lock
  throw new StorageUnavailable(`The database ${path} is in use by another process; stop that one first.`)
}

/** Takes the lock of `lockFile`; undefined where another process has it. */
export function lockIfFree(path: string): Database.Database | undefined {
  let lock: Database.Database | undefined
  try {
    lock = new Database(`${path}.lock`, { timeout: 0 })
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reasonOfOpening(error, path)}.`)
  }
}

/** First bytes of every SQLite file that has a page. */
const fileHeader = 'SQLite format 3\0'

/** Refuses an existing file that is no database, before a lock is made beside it. */
export function requireNothingElse(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || (found.isFile() && found.size === 0)) return
  if (found.isFile() && isUnreadableOrDatabase(path)) return
  const what = found.isDirectory() ? 'a folder' : 'no SQLite database'
  throw new StorageUnavailable(`The database ${path} cannot be opened: it is ${what}.`)
}

/** Whether the file is a database, or cannot be read: SQLite itself refuses an unreadable file, in its words. */
function isUnreadableOrDatabase(path: string): boolean {
  const bytes = Buffer.alloc(fileHeader.length)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, bytes)
    } finally {
      closeSync(file)
    }
  } catch {
    return true
  }
  return bytes.toString('latin1') === fileHeader
}

/**
 * Pages that a connection keeps in memory, in KiB: those above the leaves of a million groups. Measured with so many, a look-up
 * of a group and its schema takes a fifth less time than with SQLite's default of 2,000; with more, it takes as long.
 */
const cacheKibibytes = 8_000

/** Opens a connection; tests pass one to a full disk, or one that ignores a setting. */
export type Connect = (path: string) => Database.Database

/** A connection with the settings that durability and references depend on. */
export function openConnection(path: string): Database.Database {
  let connection: Database.Database | undefined
  try {
    connection = new Database(path)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.pragma(`wal_autocheckpoint = ${logPages}`)
    // A large write makes the log longer than the checkpoint size; without a limit, SQLite would keep the file that long.
    connection.pragma(`journal_size_limit = ${logPages * Number(connection.pragma('page_size', { simple: true }))}`)
    connection.pragma(`cache_size = -${cacheKibibytes}`)
    return connection
  } catch (error) {
    connection?.close()
    throw new StorageUnavailable(`The database ${path} cannot be opened: ${reasonOfOpening(error, path)}.`, {
      cause: error,
    })
  }
}

/** Reason why SQLite opens no file, with owner and mode of the file or folder in which this user may not read and write. */
export function reasonOfOpening(error: unknown, path: string): string {
  const places = [dirname(path), ...['', '-wal', '-shm', '.lock'].map((ending) => `${path}${ending}`)]
  for (const place of places) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK)
    } catch (denial) {
      const found = statSync(place, { throwIfNoEntry: false })
      if (!found) continue
      const user = process.getuid?.()
      const mode = (found.mode & 0o777).toString(8)
      return `${reasonOf(error)}: user ${user} may not read and write ${place}, which belongs to user ${found.uid} and has mode ${mode} (${reasonOf(denial)})`
    }
  }
  return reasonOf(error)
}

/** Checks settings: re-opening a WAL file can silently fall back to NORMAL, which loses acknowledged writes at power loss. */
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

/** StorageUnavailable for errors of the disk or the file and for a closed connection; any other error unchanged. */
export function toStorageError(error: unknown, connection?: Database.Database): unknown {
  // The driver throws a TypeError for work on a closed connection.
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

export function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError
}

/** Bytes of a database file and its log, and free bytes of their disk. */
export function measureFile(path: string): StorageSpace {
  const sizes = ['', '-wal', '-shm'].map((end) => statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0)
  const { bavail, bsize } = statfsSync(dirname(path))
  return { used: sizes.reduce((sum, size) => sum + size), free: bavail * bsize }
}

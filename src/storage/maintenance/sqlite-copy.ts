import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { kyselyOnSqlite, openReading, toSqliteRefusal } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import { findBreaking, findMigrationState, otherVersion } from '../tables/catalog.ts'
import { findUnfinishedMove } from '../tables/unfinished-move.ts'
import { listDamaged } from './damaged-documents.ts'

/** Called after each step, with numbers of pages; may throw to stop the copy. */
export type OnCopied = (pages: number, total: number) => void

const pagesOfStep = 500

/**
 * Copies a snapshot of a database to a new file, even while a server writes to it. The copy is one file without a log, its
 * integrity and its documents are checked, and it is synced to the disk. A copy that fails is removed.
 */
export async function copySqlite(from: string, to: string, onCopied: OnCopied): Promise<void> {
  try {
    await copyPages(from, to, onCopied)
    await finishCopy(to, `The file ${from}`, () => onCopied(1, 1))
  } catch (error) {
    await removeCopy(to)
    throw toCopyRefusal(error, to)
  }
}

/** StorageUnavailable that names the folder of the copy, where it is full or not writable: the source is only read. */
export function toCopyRefusal(error: unknown, to: string): unknown {
  if (!(error instanceof Database.SqliteError && isOfWriting.test(error.code))) return toSqliteRefusal(error)
  const reason = `${error.message} (${error.code})`
  return new StorageUnavailable(`The copy in ${dirname(to)} cannot be written: ${reason}.`, { cause: error })
}

const isOfWriting = /^SQLITE_(FULL|CANTOPEN|READONLY|IOERR_WRITE)/

/**
 * Turns the copy into one file, checks its integrity and its documents, and syncs it to the disk. `source` begins the sentence
 * about damage, which was there before the copy. `onBatch` may throw to stop.
 */
export async function finishCopy(path: string, source: string, onBatch: () => void): Promise<void> {
  await checkCopy(path, source, onBatch)
  syncFile(path)
}

/** Removes a copy, and the files that SQLite keeps beside it. */
export async function removeCopy(path: string): Promise<void> {
  for (const ending of ['', '-journal', '-wal', '-shm']) await rm(`${path}${ending}`, { force: true })
}

/** Copies pages in a transaction: SQLite restarts a backup whenever another connection commits. */
async function copyPages(from: string, to: string, onCopied: OnCopied): Promise<void> {
  const source = openReading(from)
  try {
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get()
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onCopied(totalPages - remainingPages, totalPages)
        return pagesOfStep
      },
    })
  } finally {
    source.close()
  }
}

async function checkCopy(path: string, source: string, onBatch: () => void): Promise<void> {
  const copy = new Database(path, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = DELETE')
    const damage = findDamage(copy)[0]
    if (damage) throw new StorageUnavailable(`${source} is damaged: ${damage}.`)
    for await (const place of listDamaged(kyselyOnSqlite(copy), onBatch)) {
      throw new StorageUnavailable(
        `${source} is damaged: the row of ${place} is not what was written. "cartulary doctor" lists all rows like it.`,
      )
    }
  } finally {
    copy.close()
  }
}

/** Damage of the file, or if there is none, broken references between rows. */
export function findDamage(connection: Database.Database): readonly string[] {
  const damage = checkIntegrity(connection)
  if (damage.length > 0) return damage
  const loose = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  const pairs = new Set(loose.map(({ table, parent }) => `rows of ${table} refer to rows of ${parent} that are gone`))
  return [...pairs]
}

/** Runs the integrity check; some damage makes the check itself fail. */
function checkIntegrity(connection: Database.Database): readonly string[] {
  try {
    const lines = connection.pragma('integrity_check(20)') as { integrity_check: string }[]
    return lines.map((line) => line.integrity_check.replaceAll('\n', ' ')).filter((line) => line !== 'ok')
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return [error.message]
    throw error
  }
}

/** Refuses a file on which this version's server could not start. */
export async function requireOwnDatabase(path: string): Promise<void> {
  const connection = openReading(path)
  try {
    const db = kyselyOnSqlite(connection)
    const state = await findMigrationState(db)
    if (!state) throw new StorageUnavailable(`${path} is not a Cartulary database.`)
    const other = findBreaking(state.unknown)
    if (other) throw new StorageUnavailable(otherVersion(path, other))
    if (await findUnfinishedMove(db)) throw new StorageUnavailable(`${path} holds an unfinished move.`)
  } catch (error) {
    throw toSqliteRefusal(error)
  } finally {
    connection.close()
  }
}

/** Renames a file atomically, and never replaces another one. */
export function moveToNewName(from: string, to: string): void {
  try {
    // Unlike a rename, a link fails if the name is taken.
    linkSync(from, to)
    unlinkSync(from)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    if (existsSync(to)) throw new StorageUnavailable(`${to} is there already.`)
    renameSync(from, to)
  }
  syncFile(dirname(to))
}

/**
 * Replaces a database by a file and keeps the old one, with its log, under the name `aside`. At every moment the path is that of
 * a complete database, the old one or the new one. No other process may have it open.
 */
export function replaceDatabase(from: string, path: string, aside: string): void {
  foldLog(path)
  keepAs(path, aside)
  for (const ending of ['-wal', '-shm']) {
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`)
  }
  renameSync(from, path)
  syncFile(dirname(path))
}

/** Checkpoints the log into the database; if the database is too damaged, the log is kept. */
function foldLog(path: string): void {
  let connection: Database.Database | undefined
  try {
    connection = new Database(path, { fileMustExist: true })
    connection.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // The log is moved with the database.
  } finally {
    connection?.close()
  }
}

function keepAs(path: string, aside: string): void {
  try {
    linkSync(path, aside)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    renameSync(path, aside)
  }
}

/** Whether the file system has no hard links. */
function isWithoutLinks(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS'
}

function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { kyselyOnSqlite, openReading, toSqliteRefusal } from '../sqlite/reading.ts'
import { StorageUnavailable } from '../storage.ts'
import { findMigrationState } from '../tables/catalog.ts'
import { findUnfinishedMove } from './unfinished-move.ts'

/** Told after each step, in pages; may throw to stop there. */
export type OnCopied = (pages: number, total: number) => void

const pagesOfStep = 500

/**
 * Copies a database, as it is at this moment, to a file that is not there yet: while a server writes to it too. The copy
 * is one file without a log beside it, checked and on the disk. A copy that is cut off leaves nothing.
 */
export async function copySqlite(from: string, to: string, onCopied: OnCopied): Promise<void> {
  try {
    await copyPages(from, to, onCopied)
    checkCopy(to)
    syncFile(to)
  } catch (error) {
    rmSync(to, { force: true })
    throw toSqliteRefusal(error)
  }
}

/** In a transaction: otherwise the copy would begin again whenever the server has written. */
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

function checkCopy(path: string): void {
  const copy = new Database(path, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = DELETE')
    const damage = findDamage(copy)[0]
    if (damage) throw new StorageUnavailable(`The copy is damaged, as the database is: ${damage}.`)
  } finally {
    copy.close()
  }
}

/** What SQLite finds wrong with the file or, where that is sound, with the references between rows. */
export function findDamage(connection: Database.Database): readonly string[] {
  const damage = checkIntegrity(connection)
  if (damage.length > 0) return damage
  const loose = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  const pairs = new Set(loose.map(({ table, parent }) => `rows of ${table} refer to rows of ${parent} that are gone`))
  return [...pairs]
}

/** Sometimes the check itself stumbles over what it looks for. */
function checkIntegrity(connection: Database.Database): readonly string[] {
  try {
    const lines = connection.pragma('integrity_check(20)') as { integrity_check: string }[]
    return lines.map((line) => line.integrity_check.replaceAll('\n', ' ')).filter((line) => line !== 'ok')
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT')) return [error.message]
    throw error
  }
}

/** Refuses a file that a server of this program could not be started on. */
export async function requireOwnDatabase(path: string): Promise<void> {
  const connection = openReading(path)
  try {
    const db = kyselyOnSqlite(connection)
    const state = await findMigrationState(db)
    if (!state) throw new StorageUnavailable(`${path} is no database of this program.`)
    if (state.unknown.length > 0) {
      throw new StorageUnavailable(
        `${path} was made by a newer version of this program: it has the migration ${state.unknown[0]}.`,
      )
    }
    if (await findUnfinishedMove(db)) throw new StorageUnavailable(`${path} holds an unfinished move.`)
  } catch (error) {
    throw toSqliteRefusal(error)
  } finally {
    connection.close()
  }
}

/** Gives a file its name: at once, whole, and never in place of another one. */
export function moveToNewName(from: string, to: string): void {
  try {
    // Unlike a renaming, this refuses a name that is taken.
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
 * Puts a file in the place of a database, which gets another name with all that belongs to it. At every moment there is
 * a whole database of that name: the old one or the new one. Nobody else may have it open.
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

/** Writes what is in the log into the database. One that is too damaged for that keeps its log. */
function foldLog(path: string): void {
  let connection: Database.Database | undefined
  try {
    connection = new Database(path, { fileMustExist: true })
    connection.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // It is kept as it is.
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

/** File systems without a second name for a file. */
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

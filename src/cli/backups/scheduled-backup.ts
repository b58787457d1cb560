import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Config } from '../../config.ts'
import type { BackupRecord } from '../../operations/backup-record.ts'
import type { DatabaseSetting } from '../../settings/database.ts'
import { copyInThread } from '../../storage/maintenance/threaded-copy.ts'

type BackupSetting = NonNullable<Config['backup']>

/** What backups need of the program. */
export interface BackupNeeds {
  readonly database: DatabaseSetting
  readonly setting: BackupSetting
  readonly record: BackupRecord
  /** Epoch milliseconds. */
  now(): number
  onMade(backup: MadeBackup): void
  onFailure(error: unknown): void
}

/** A backup by its name, which has its time. */
export interface Backup {
  readonly path: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface MadeBackup extends Backup {
  readonly bytes: number
  /** Paths of the older ones that were removed after it. */
  readonly removed: readonly string[]
}

/** The backups of a database in a folder, the latest first. Throws where the folder cannot be read. */
export function listBackups(folder: string, database: DatabaseSetting): readonly Backup[] {
  const stem = stemOf(database)
  const found = readdirSync(folder).flatMap((name) => {
    const at = name.startsWith(`${stem}-`) ? parseTime(name.slice(stem.length + 1)) : undefined
    return at === undefined ? [] : [{ path: join(folder, name), at }]
  })
  return found.toSorted((one, other) => other.at - one.at)
}

/** `cartulary.db` becomes `cartulary-2026-11-20T03-00-00.000Z.db`: some file systems take no colon. */
function nameOf(database: DatabaseSetting, at: number): string {
  return `${stemOf(database)}-${new Date(at).toISOString().replaceAll(':', '-')}.db`
}

function stemOf(database: DatabaseSetting): string {
  if (database.engine === 'sqlite') return basename(database.file).replace(/\.db$/, '')
  return new URL(database.url).pathname.slice(1).replace(/[^\w.-]/g, '_') || 'cartulary'
}

function parseTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/.exec(text)
  const at = match ? Date.parse(`${match[1]}:${match[2]}:${match[3]}`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** After a failure, the next attempt is made as soon as this (chosen). */
const longestBetweenAttempts = 600_000

/** Makes a backup when one is due, and looks once in ten seconds whether one is. */
export interface BackupSchedule {
  /** Makes a backup if one is due; resolves when that is done, has failed, or nothing was due. */
  run(): Promise<void>
  /** Stops a backup that is being made, of which nothing stays; resolves when it has ended. */
  end(): Promise<void>
}

const betweenLooks = 10_000

/**
 * Backups of a database into a folder, while servers run. One is due when the latest in the folder is as old as the
 * setting says, so restarts of a server do not matter, and of several servers one makes it. A backup counts once it is
 * complete, was opened and checked, and is on the disk; only then are older ones beyond the setting removed. A failed one
 * leaves nothing, and removes nothing.
 */
export function openBackupSchedule(needs: BackupNeeds): BackupSchedule {
  const { database, setting, record, now } = needs
  const ending = new AbortController()
  let lastAttempt: number | undefined
  let running: Promise<void> | undefined
  let latest = findLatest(setting, database, now())
  if (latest) record.succeeded(latest.at)

  /** Whether the latest in the folder is old, whoever made it. */
  function isLatestOld(at: number): boolean {
    const former = latest
    latest = findLatest(setting, database, at)
    if (latest && latest.at !== former?.at) record.succeeded(latest.at)
    return latest === undefined || at - latest.at >= setting.everyMilliseconds
  }

  function isDue(): boolean {
    const at = now()
    if (!isLatestOld(at)) return false
    const between = Math.min(setting.everyMilliseconds, longestBetweenAttempts)
    // A clock that was turned back puts off no attempt.
    return lastAttempt === undefined || at < lastAttempt || at - lastAttempt >= between
  }

  async function make(): Promise<void> {
    try {
      await using turn = await takeTurn(database)
      const at = now()
      // Another server makes one, or has just made it.
      if (!turn || !isLatestOld(at)) return
      lastAttempt = at
      removeDrafts(setting, database)
      mkdirIfParentExists(setting.folder)
      const path = join(setting.folder, nameOf(database, at))
      await copyInThread(database, path, ending.signal)
      const bytes = statSync(path).size
      record.succeeded(at)
      needs.onMade({ path, at, bytes, removed: removeOlder(setting, database, path) })
    } catch (error) {
      if (ending.signal.aborted) return
      lastAttempt = now()
      record.failed()
      needs.onFailure(error)
    }
  }

  async function run(): Promise<void> {
    if (ending.signal.aborted || (!running && !isDue())) return
    running ??= make().finally(() => {
      running = undefined
    })
    await running
  }

  const looks = setInterval(() => void run(), betweenLooks).unref()
  return {
    run,
    async end() {
      clearInterval(looks)
      ending.abort()
      await running
    },
  }
}

/** The only server of a SQLite file always has the turn. */
async function takeTurn(database: DatabaseSetting): Promise<AsyncDisposable | undefined> {
  if (database.engine === 'sqlite') return { [Symbol.asyncDispose]: async () => undefined }
  const { takeBackupTurn } = await import('../../storage/maintenance/postgres-copy.ts')
  return takeBackupTurn(database.url)
}

/** By so much the clocks of servers may differ (chosen). */
const mostSkew = 60_000

/** One that is dated in the future, as a clock was wrong, does not count. */
function findLatest({ folder }: BackupSetting, database: DatabaseSetting, now: number): Backup | undefined {
  try {
    return listBackups(folder, database).find(({ at }) => at <= now + mostSkew)
  } catch {
    // The attempt says what is wrong with the folder.
    return undefined
  }
}

/** Made where its parent is there: a disk that is not mounted is no place for backups. */
function mkdirIfParentExists(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Answers the paths of those that were removed. */
function removeOlder({ folder, keep }: BackupSetting, database: DatabaseSetting, made: string): readonly string[] {
  const older = listBackups(folder, database).filter(({ path }) => path !== made)
  const removed = older.slice(keep - 1).map(({ path }) => path)
  for (const path of removed) rmSync(path, { force: true })
  return removed
}

/** What a killed process left: no other one makes a backup in this turn. */
function removeDrafts({ folder }: BackupSetting, database: DatabaseSetting): void {
  try {
    const stem = stemOf(database)
    const isDraft = (name: string) => name.startsWith(`${stem}-`) && /\.db\.part(-journal|-wal|-shm)?$/.test(name)
    for (const name of readdirSync(folder)) if (isDraft(name)) rmSync(join(folder, name), { force: true })
  } catch {
    // The next attempt says what is wrong with the folder.
  }
}

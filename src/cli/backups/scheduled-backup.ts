import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { startLooks } from '../../background/loop.ts'
import type { Config } from '../../config.ts'
import { reasonOf } from '../../errors.ts'
import type { BackupRecord } from '../../operations/backup-record.ts'
import { random } from '../../secrets/random.ts'
import type { DatabaseSetting } from '../../settings/database.ts'
import type { BackupTurn } from '../../storage/maintenance/postgres-copy.ts'
import { copyInThread } from '../../storage/maintenance/threaded-copy.ts'
import { StorageUnavailable } from '../../storage/storage.ts'
import {
  type Backup,
  findLatest,
  listBackups,
  pathOf,
  removeDrafts,
  removeOlder,
  requireSameFolder,
} from './backup-folder.ts'

/** Parts of the program that backups need. */
export interface BackupNeeds {
  readonly database: DatabaseSetting
  readonly setting: NonNullable<Config['backup']>
  readonly record: BackupRecord
  /** File that notes the folder of the first backup; undefined where there is no place for it. */
  readonly folderRecord?: string | undefined
  /** Epoch milliseconds. */
  now(): number
  onMade(backup: MadeBackup): void
  onFailure(error: unknown): void
}

export interface MadeBackup extends Backup {
  readonly bytes: number
  /** Paths of the older ones that were removed after it. */
  readonly removed: readonly string[]
}

/** Makes a backup when one is due, and looks once in ten seconds whether one is. */
export interface BackupSchedule {
  /** Makes a backup if one is due; resolves when that is done, has failed, or nothing was due. */
  run(): Promise<void>
  /** Stops a backup that is being made, of which nothing stays; resolves when it has ended. */
  end(): Promise<void>
}

const lookInterval = 10_000

/** After an attempt, no other one is made for as long as this, nor for longer than between two backups (chosen). */
const maxRetryInterval = 600_000

/** While another server has the turn, this one asks for it as often as this (chosen). */
const turnInterval = 60_000

/**
 * Backups of a database into a folder, while servers run. One is due when the latest in the folder is as old as the
 * setting says, so restarts of a server do not matter, and of several servers one makes it. A backup counts once it is
 * complete, was opened and checked, and is on the disk; only then are older ones above the setting removed. A failed one
 * leaves nothing, and removes nothing.
 */
export function openBackupSchedule(needs: BackupNeeds): BackupSchedule {
  const { database, setting, record, now } = needs
  const ending = new AbortController()
  let pause: Pause | undefined
  let latest: Backup | undefined
  /** Backup for which the command has not succeeded. */
  let waiting: string | undefined

  /** Whether the latest in the folder is old, also where another server made it. */
  async function isLatestOld(at: number): Promise<boolean> {
    const former = latest
    // The attempt says what is wrong with the folder.
    latest = findLatest(await listBackups(setting.folder, database).catch(() => []), at)
    if (latest && latest.at !== former?.at) record.succeeded(latest.at)
    return latest === undefined || at - latest.at >= setting.everyMilliseconds
  }

  /** First what costs nothing: the folder may be on a disk that does not answer. */
  async function look(): Promise<void> {
    const at = now()
    if (ending.signal.aborted || isPaused(pause, at)) return
    if (await isLatestOld(at)) await make()
    else if (waiting !== undefined) await reporting(runCommand)
  }

  async function runCommand(): Promise<void> {
    const { command, everyMilliseconds: timeout } = setting
    if (command === undefined || waiting === undefined) return
    pauseAfterAttempt(now())
    await promisify(execFile)(command, [waiting], { signal: ending.signal, timeout }).catch((error: unknown) => {
      throw new StorageUnavailable(`BACKUP_COMMAND failed for ${waiting}: ${reasonOf(error)}.`, { cause: error })
    })
    waiting = undefined
    record.succeeded(latest!.at, now())
  }

  async function reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (ending.signal.aborted) return
      pauseAfterAttempt(now())
      record.failed(now())
      needs.onFailure(error)
    }
  }

  function make(): Promise<void> {
    return reporting(async () => {
      ending.signal.throwIfAborted()
      await using turn = await takeTurn(database)
      const at = now()
      if (!turn) {
        pause = { since: at, milliseconds: turnInterval }
        return
      }
      // Another server has just made one.
      if (!(await isLatestOld(at))) return
      ending.signal.throwIfAborted()
      pauseAfterAttempt(at)
      await requireSameFolder(setting.folder, needs.folderRecord, random.id())
      await removeDrafts(setting.folder, database, at)
      const path = pathOf(setting.folder, database, at)
      await copyInThread(database, path, AbortSignal.any([ending.signal, turn.lost]))
      const { size: bytes } = await stat(path)
      record.succeeded(at)
      latest = { path, at }
      waiting = path
      needs.onMade({ path, at, bytes, removed: await removeOlder(setting, database, path) })
      await runCommand()
    })
  }

  function pauseAfterAttempt(since: number): void {
    pause = { since, milliseconds: Math.min(setting.everyMilliseconds, maxRetryInterval) }
  }

  const looks = startLooks(look, lookInterval)
  return {
    run: looks.run,
    end() {
      ending.abort()
      return looks.end()
    },
  }
}

/** Epoch milliseconds, and milliseconds. */
interface Pause {
  readonly since: number
  readonly milliseconds: number
}

/** A clock that was turned back ends a pause. */
function isPaused(pause: Pause | undefined, at: number): boolean {
  return pause !== undefined && at >= pause.since && at - pause.since < pause.milliseconds
}

/** The only server of a SQLite file always has the turn. */
async function takeTurn(database: DatabaseSetting): Promise<BackupTurn | undefined> {
  if (database.engine === 'sqlite') {
    return { lost: new AbortController().signal, [Symbol.asyncDispose]: async () => undefined }
  }
  const { takeBackupTurn } = await import('../../storage/maintenance/postgres-copy.ts')
  return takeBackupTurn(database.url)
}

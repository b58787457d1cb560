import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { endOfRetention } from '../../audit/operations.ts'
import { findExcess } from '../../background/housekeeping.ts'
import { floorOf, isBelowFloor } from '../../call/disk.ts'
import type { Config } from '../../config.ts'
import { reasonOf } from '../../errors.ts'
import { limitTable } from '../../limits.ts'
import { type CheckResult, type Inspection, ok, problem, warning } from '../../storage/maintenance/check-result.ts'
import { requireOwnDatabase } from '../../storage/maintenance/sqlite-copy.ts'
import { StorageUnavailable } from '../../storage/storage.ts'
import { findFolderExposure, findLatest, listBackups } from '../backups/backup-folder.ts'
import { reserveOf } from '../backups/disk-reserve.ts'

/** The folder of the search replica, where a setting names one: a server makes it, and searches by PostgreSQL where it cannot. */
export function inspectReplicaFolder({ database }: Config): readonly CheckResult[] {
  if (database.engine !== 'postgres' || ['auto', 'off', undefined].includes(database.searchReplica)) return []
  const folder = resolve(database.searchReplica!)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found)
    return [warning(`The folder ${folder} of SEARCH_REPLICA is not there: is its disk mounted? A server makes it.`)]
  try {
    if (!found.isDirectory()) throw new Error('it is no folder')
    accessSync(folder, constants.W_OK | constants.X_OK)
    return [ok(`The search replica can be written to ${folder}.`)]
  } catch (error) {
    return [problem(`The search replica cannot be written to ${folder}, SEARCH_REPLICA: ${reasonOf(error)}.`)]
  }
}

/** The backups that the server makes: how old the latest is, and whether it can be opened. */
export async function inspectBackups(config: Config, now: number): Promise<readonly CheckResult[]> {
  const { backup, database } = config
  if (!backup) return [ok('The server makes no backups by itself (BACKUP_DIR is not set).')]
  const folder = resolve(backup.folder)
  return [
    await inspectLatest(folder, config, now),
    ...(isSameDisk(folder, database) ? [warning(onSameDisk(folder))] : []),
  ]
}

/** Whether folder and SQLite file are in one file system, whose end is that of both. */
function isSameDisk(folder: string, database: Config['database']): boolean {
  if (database.engine !== 'sqlite') return false
  const [one, other] = [folder, database.file].map((path) => statSync(path, { throwIfNoEntry: false })?.dev)
  return one !== undefined && one === other
}

function onSameDisk(folder: string): string {
  return `The backups in ${folder} are on the disk of the database: what destroys one destroys both. Name a folder of another disk, or copy them away (BACKUP_COMMAND).`
}

async function inspectLatest(folder: string, { backup, database }: Config, now: number): Promise<CheckResult> {
  try {
    const isBegun = existsSync(folder) || !existsSync(dirname(folder))
    const exposure = isBegun ? await findFolderExposure(folder) : undefined
    if (exposure) return problem(exposure)
    const backups = isBegun ? await listBackups(folder, database) : []
    const latest = findLatest(backups, now)
    if (!latest)
      return warning(`There is no backup in ${folder} yet: a server makes one when it starts, or logs why not.`)
    await requireOwnDatabase(latest.path)
    const { size } = statSync(latest.path)
    const what =
      `The latest backup, ${latest.path}, is ${formatAge(now - latest.at)} old, has ${formatBytes(size)}, and can be ` +
      `opened; there are ${backups.length}`
    // A backup that is due is made while the server runs.
    return now - latest.at < 2 * backup!.everyMilliseconds
      ? ok(`${what}.`)
      : problem(`${what}. One is made every ${backup!.every}: see the log of the server for why none was.`)
  } catch (error) {
    if (error instanceof StorageUnavailable) return problem(`The latest backup cannot be used: ${error.message}`)
    return problem(`The backups in ${folder} cannot be read: ${reasonOf(error)}.`)
  }
}

/** Number of versions and audit entries above the limits; servers remove them. */
export async function inspectRetention({ limits }: Config, { readers }: Inspection, now: number): Promise<CheckResult> {
  const outdated = await findExcess(readers, limits, now)
  const versions = `${format(outdated.versions)} versions of category schemas are above the limits`
  const end = endOfRetention({ limits, now })
  const entries =
    end === undefined
      ? `audit entries are kept for good (${limitTable.auditDays.setting}=0)`
      : `${format(await readers.audit.countEntries(end))} audit entries are older than ${limits.auditDays} days`
  return ok(`${versions}, and ${entries}. Servers remove what is above them, and so does "cartulary prune --yes".`)
}

/** Check of the room that is left on the disk of a SQLite file. */
export async function inspectFloor({ limits }: Config, { readers }: Inspection): Promise<readonly CheckResult[]> {
  const space = await readers.disk.findSpace()
  if (!space) return []
  const { freeBytes, freePercent } = limitTable
  const what = `${formatBytes(Math.max(0, space.free))} are free on the disk and in the file of the database`
  const floor = `below ${formatBytes(floorOf(space, limits))} (${freeBytes.setting}, ${freePercent.setting})`
  return [
    isBelowFloor(space, limits)
      ? problem(`${what}: ${floor} nothing is added. Make room, or have items deleted.`)
      : ok(`${what}; ${floor} nothing is added.`),
  ]
}

/** The file that is deleted when the disk is full. */
export function inspectReserve({ database, diskReserveMegabytes }: Config): readonly CheckResult[] {
  if (database.engine !== 'sqlite' || diskReserveMegabytes === 0) return []
  const path = resolve(reserveOf(database.file))
  const size = statSync(path, { throwIfNoEntry: false })?.size
  return [
    size === undefined
      ? ok(
          `There is no reserve for a full disk at ${path}: a server makes it where the disk has ` +
            `${3 * diskReserveMegabytes} MB free.`,
        )
      : ok(`When the disk is full, delete the reserve, ${path}: it frees ${formatBytes(size)}, enough to sign in.`),
  ]
}

function formatAge(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000)
  // Below 0 where the clock of the server that made it is ahead.
  if (hours < 1) return `${Math.max(0, Math.floor(milliseconds / 60_000))} minutes`
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

function format(number: number): string {
  return number.toLocaleString('en')
}

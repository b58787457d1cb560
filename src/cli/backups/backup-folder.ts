import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DatabaseSetting } from '../../settings/database.ts'
import { placeOf } from '../../settings/postgres-url.ts'
import { checksumFileOf } from '../../storage/maintenance/file-checksum.ts'
import { StorageUnavailable } from '../../storage/storage.ts'

/** A backup by its name, which has its time. */
export interface Backup {
  readonly path: string
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Problem of a folder in which every user of the machine may write: any of them may remove backups, or plant one that is
 * restored. With the sticky bit, files belong to who made them.
 */
export async function findFolderExposure(folder: string): Promise<string | undefined> {
  const { mode } = await stat(folder)
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
  return isOpen
    ? `Every user may write in the folder of backups (mode ${(mode & 0o7777).toString(8)}), and so remove or plant one: chmod o-w ${folder}.`
    : undefined
}

async function requireNoExposure(folder: string): Promise<void> {
  const exposure = await findFolderExposure(folder)
  if (exposure) throw new StorageUnavailable(exposure)
}

/** The backups of a database in a folder, the latest first. Rejects where the folder cannot be read, or others may plant one. */
export async function listBackups(folder: string, database: DatabaseSetting): Promise<readonly Backup[]> {
  await requireNoExposure(folder)
  const names = await readdir(folder)
  const found = names.flatMap((name) => {
    const at = parseName(name, database)
    return at === undefined ? [] : [{ path: join(folder, name), at }]
  })
  return found.toSorted((one, other) => other.at - one.at)
}

/** Milliseconds by which the clocks of servers may differ (chosen). */
const maximumSkew = 60_000

/** The latest, of backups in that order; one that is dated in the future, as a clock was wrong, does not count. */
export function findLatest(backups: readonly Backup[], now: number): Backup | undefined {
  return backups.find(({ at }) => at <= now + maximumSkew)
}

/** Path of the backup of a moment, such as `cartulary-2026-11-20T03-00-00.000Z.db`: some file systems take no colon. */
export function pathOf(folder: string, database: DatabaseSetting, at: number): string {
  return join(folder, `${stemOf(database)}-${new Date(at).toISOString().replaceAll(':', '-')}.db`)
}

/** File in the folder of backups by which it is known again: a disk that is not mounted does not have it. */
const markName = '.cartulary-backups'

/**
 * Makes the folder of the first backup, and notes it in the file `record`; refuses another one in its place later, as that of a
 * disk that is not mounted. Without `record`, there is nowhere to note it.
 */
export async function requireSameFolder(folder: string, record: string | undefined, mark: string): Promise<void> {
  if (record === undefined) return makeFolder(folder)
  const place = join(folder, markName)
  const read = (path: string) => readFile(path, 'utf8').catch(() => undefined)
  const [known, found] = await Promise.all([read(record), read(place)])
  const noteOf = (present: string) => `${folder}\n${present}\n`
  if (known !== undefined && found !== undefined && known === noteOf(found)) return requireNoExposure(folder)
  if (known?.startsWith(`${folder}\n`)) {
    throw new StorageUnavailable(
      `${folder} is not the folder of the first backup: its disk may not be mounted. If you have changed it on purpose, delete ${record}.`,
    )
  }
  await makeFolder(folder)
  if (found === undefined) await writeFile(place, mark, { mode: 0o600 })
  // Beside a secret, there may be no place to write.
  await writeFile(record, noteOf(found ?? mark), { mode: 0o600 }).catch(() => undefined)
}

/** Made where its parent is there: a disk that is not mounted is no place for backups. Rejects where every user may write in it. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  await requireNoExposure(folder)
}

/** Removes all but the latest `keep`, of which `made` is one. Resolves with the paths of those that were removed. */
export async function removeOlder(
  { folder, keep }: { readonly folder: string; readonly keep: number },
  database: DatabaseSetting,
  made: string,
): Promise<readonly string[]> {
  const older = (await listBackups(folder, database)).filter(({ path }) => path !== made)
  const removed = older.slice(keep - 1).map(({ path }) => path)
  for (const path of removed) for (const file of [path, checksumFileOf(path)]) await rm(file, { force: true })
  return removed
}

/** A server on PostgreSQL may lose its turn without noticing: a younger draft may be another server's (chosen). */
const draftAgeOnPostgres = 12 * 3_600_000

/** Removes what killed servers left. A SQLite file has one server, so that every draft of it is such a one. */
export async function removeDrafts(folder: string, database: DatabaseSetting, now: number): Promise<void> {
  const before = database.engine === 'sqlite' ? Number.POSITIVE_INFINITY : now - draftAgeOnPostgres
  try {
    for (const name of await readdir(folder)) {
      const complete = name.replace(/\.part(-journal|-wal|-shm)?$/, '')
      const at = complete === name ? undefined : parseName(complete, database)
      if (at !== undefined && at < before) await rm(join(folder, name), { force: true })
    }
  } catch {
    // The attempt says what is wrong with the folder.
  }
}

/** Names the engine: a database that was moved may have the name of the file from before, whose backups are of another one. */
function stemOf(database: DatabaseSetting): string {
  if (database.engine === 'sqlite') return basename(database.file).replace(/\.db$/, '')
  const name = placeOf(database.url)
    .replace(/^[^/]*\/?/, '')
    .replace(/[^\w.-]/g, '_')
  return `${name || 'cartulary'}.postgres`
}

/** The time in the name of a backup of this database. */
function parseName(name: string, database: DatabaseSetting): number | undefined {
  const stem = stemOf(database)
  if (!name.startsWith(`${stem}-`)) return undefined
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db$/.exec(name.slice(stem.length + 1))
  const at = match ? Date.parse(`${match[1]}:${match[2]}:${match[3]}`) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

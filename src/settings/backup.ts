/** The settings of the backups that a server makes by itself. */
import type { DatabaseSetting } from './database.ts'
import { type GivenSettings, readInteger, shown } from './given.ts'

export interface BackupSetting {
  readonly folder: string
  /** Text of the setting, such as `24h`. */
  readonly every: string
  readonly everyMilliseconds: number
  /** How many of the latest are kept. */
  readonly keep: number
  /** Program that runs with the path of each backup. */
  readonly command?: string | undefined
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const maxInterval = 366 * units.d

/** Undefined where no backups are made. */
export function readBackup(given: GivenSettings, database: DatabaseSetting): BackupSetting | undefined {
  const { text, value, refuse } = given
  const folder = text('BACKUP_DIR')
  const every = value('BACKUP_EVERY')
  const everyMilliseconds = parseDuration(every)
  if (everyMilliseconds === undefined) {
    refuse(
      `BACKUP_EVERY is ${shown(every)}; it has to be a number of minutes, hours or days up to 366 days, such as 30m, 24h or 7d.`,
    )
  }
  const keep = readInteger(given, 'BACKUP_KEEP', 1, 10_000)
  if (folder === undefined) {
    for (const name of ['BACKUP_EVERY', 'BACKUP_KEEP', 'BACKUP_COMMAND']) {
      if (text(name) !== undefined)
        refuse(`${name} is set, but BACKUP_DIR is not: no backups are made without a folder.`)
    }
    return undefined
  }
  const command = text('BACKUP_COMMAND')
  if (command !== undefined && !/^(\/|[A-Za-z]:[\\/])/.test(command)) {
    refuse(`BACKUP_COMMAND is ${shown(command)}; it has to be the whole path of a program, without arguments.`)
  }
  if (database.engine === 'sqlite' && database.file === ':memory:') {
    return refuse('BACKUP_DIR is set, but the database is in memory: there is no file to copy.')
  }
  return {
    folder,
    every,
    everyMilliseconds: everyMilliseconds ?? units.d,
    keep,
    ...(command !== undefined && { command }),
  }
}

function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  if (!number) return undefined
  const milliseconds = Number(number) * units[unit as keyof typeof units]
  return milliseconds <= maxInterval ? milliseconds : undefined
}

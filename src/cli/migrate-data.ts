import { ConfigError, readDatabaseUrl } from '../config.ts'
import type { DatabaseSetting } from '../settings/database.ts'
import { openSource, openTarget } from '../storage/maintenance/move-end.ts'
import { moveTables } from '../storage/maintenance/move-tables.ts'
import { parseArguments, requireNoArguments } from './args.ts'
import { openProgress } from './output/progress.ts'
import { CommandFailed, type Terminal, UsageError } from './output/terminal.ts'

/** Moves a whole database into an empty one, of the same engine or of the other. */
export async function migrateDataCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { from: { type: 'string' }, to: { type: 'string' } })
  requireNoArguments(positionals)
  const from = readEnd('--from', values.from)
  const to = readEnd('--to', values.to ?? terminal.environment['DATABASE_URL'])
  const progress = openProgress(terminal)
  const source = await openSource(from)
  try {
    const target = await openTarget(to)
    try {
      const rows = await moveTables(source, target, (stage, done, total) => {
        requireTime(terminal.signal)
        progress.at(stage, done, total)
      })
      progress.end()
      terminal.print(
        `Moved ${rows.toLocaleString('en')} rows from ${source.label} to ${target.label}; ` +
          'every table has the same rows there, by count and by SHA-256.',
      )
      terminal.print(adviceOnSecret(from, to))
    } finally {
      await target.close()
    }
  } finally {
    progress.end()
    await source.close()
  }
}

function readEnd(name: string, url: string | undefined): DatabaseSetting {
  if (!url) throw new UsageError(`migrate-data needs ${name}.`)
  const database = readDatabaseUrl(url, name)
  if (database.engine === 'sqlite' && database.file === ':memory:') {
    throw new ConfigError(`${name} is a database in memory, which is gone with its process.`)
  }
  return database
}

/** Between two batches nothing is half done. */
function requireTime(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandFailed('Stopped; the same command goes on from here.')
}

function adviceOnSecret(from: DatabaseSetting, to: DatabaseSetting): string {
  const old =
    from.engine === 'sqlite'
      ? `${from.file}.key, unless it was set otherwise`
      : 'what SECRET_KEY or SECRET_KEY_FILE says'
  const place =
    to.engine === 'sqlite'
      ? `Copy it to ${to.file}.key, or name it in SECRET_KEY_FILE`
      : 'Name it in SECRET_KEY_FILE or SECRET_KEY'
  return `The private keys are sealed with the secret of the source (${old}): the new server needs the same one. ${place}.`
}

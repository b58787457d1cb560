import { readConfig } from '../config.ts'
import { openTarget } from '../storage/maintenance/move-end.ts'
import { rebuildIndexOf } from '../storage/maintenance/move-tables.ts'
import { parseArguments } from './args.ts'
import { openProgress } from './output/progress.ts'
import { CommandFailed, type Terminal, UsageError } from './output/terminal.ts'
import { requireDatabaseFile } from './sqlite-setting.ts'

/** Makes the index of the search again from what is stored, in one transaction: interrupted, it stays as it was. */
export async function indexCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  if (positionals.join(' ') !== 'rebuild') throw new UsageError('index needs rebuild.')
  const config = readConfig(terminal.environment)
  requireDatabaseFile(config)
  const progress = openProgress(terminal)
  const end = await openTarget(config.database)
  try {
    const records = await rebuildIndexOf(end, (stage, done, total) => {
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; the index is as it was.')
      progress.at(stage, done, total)
    })
    progress.end()
    terminal.print(`Indexed ${records.toLocaleString('en')} items, groups and users.`)
  } finally {
    progress.end()
    await end.close()
  }
}

import { endOfRetention } from '../audit/operations.ts'
import { findExcess, runHousekeeping } from '../background/housekeeping.ts'
import { readConfig } from '../config.ts'
import { openDependencies } from '../dependencies.ts'
import { limitTable } from '../limits.ts'
import { openInspection } from '../storage/maintenance/inspection.ts'
import { parseArguments, requireNoArguments } from './args.ts'
import { CommandFailed, type Terminal } from './output/terminal.ts'
import { requireDatabaseFile } from './sqlite-setting.ts'

/** Removes what is above the limits of versions and audit; without --yes, only says how much that is. */
export async function pruneCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' } })
  requireNoArguments(positionals)
  const config = readConfig(terminal.environment)
  requireDatabaseFile(config)
  if (values.yes) await prune(terminal, config)
  else await preview(terminal, config)
}

/** May run beside a server. */
async function preview({ print }: Terminal, { database, limits }: ReturnType<typeof readConfig>): Promise<void> {
  const inspection = await openInspection(database)
  try {
    await inspection.requireTables()
    const outdated = await findExcess(inspection.readers, limits, Date.now())
    print(
      `Versions of category schemas above the limits: ${format(outdated.versions)} or more, ` +
        `of ${format(outdated.owners)} groups and organizations.`,
    )
    const end = endOfRetention({ limits, now: Date.now() })
    print(
      end === undefined
        ? `Audit entries are kept for good (${limitTable.auditDays.setting}=0).`
        : `Audit entries older than ${limits.auditDays} days: ${format(await inspection.readers.audit.countEntries(end))}.`,
    )
    print('Nothing was removed. "cartulary prune --yes" removes them, expired tokens and old failed sign-ins.')
  } finally {
    await inspection.close()
  }
}

/** Removes in bounded transactions, so that servers on PostgreSQL go on meanwhile. */
async function prune({ print, signal }: Terminal, config: ReturnType<typeof readConfig>): Promise<void> {
  const dependencies = await openDependencies(config)
  const needs = { ...dependencies, settings: config }
  let [versions, entries] = [0, 0]
  try {
    while (true) {
      const removed = await runHousekeeping(needs)
      versions += removed.versions
      entries += removed.entries
      if (removed.versions + removed.entries === 0) break
      if (signal.aborted) throw new CommandFailed(`Stopped after ${format(versions)} versions; the rest is as it was.`)
    }
    print(`Removed ${format(versions)} versions and ${format(entries)} audit entries.`)
  } finally {
    await dependencies.storage.close()
  }
}

function format(number: number): string {
  return number.toLocaleString('en')
}

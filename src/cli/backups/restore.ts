import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../../config.ts'
import { random } from '../../secrets/random.ts'
import { requireChecksum } from '../../storage/maintenance/file-checksum.ts'
import {
  copySqlite,
  moveToNewName,
  replaceDatabase,
  requireOwnDatabase,
} from '../../storage/maintenance/sqlite-copy.ts'
import { findFile, lockFile } from '../../storage/sqlite/file.ts'
import { parseArguments, requireOneArgument } from '../args.ts'
import { openProgress } from '../output/progress.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { requireSqliteFile } from '../sqlite-setting.ts'

/** Puts a backup in the place of the SQLite database. No server may run on it meanwhile. */
export async function restoreCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { replace: { type: 'boolean' } })
  const backup = resolve(requireOneArgument(positionals, 'restore needs the name of a file.'))
  const config = readConfig(terminal.environment)
  const setting = requireSqliteFile(config)
  await requireOwnDatabase(backup)
  await requireChecksum(backup)
  const database = findFile(setting)
  const lock = lockFile(database)
  const progress = openProgress(terminal)
  try {
    const isThere = existsSync(database)
    if (isThere && !values.replace) {
      throw new CommandFailed(`There is a database at ${database} already; --replace keeps it under another name.`)
    }
    const draft = `${database}.${random.shortId()}.part`
    await copySqlite(backup, draft, (pages, total) => {
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; nothing was restored.')
      progress.at('Copying pages', pages, total)
    })
    const aside = `${database}.${formatTime(new Date())}`
    if (isThere) replaceDatabase(draft, database, aside)
    else moveToNewName(draft, database)
    progress.end()
    terminal.print(`Restored ${backup} to ${database}.`)
    if (isThere) terminal.print(`The database that was there is kept as ${aside}.`)
    terminal.print(
      'Its private keys open with the secret that they were sealed under when it was made: cartulary doctor checks whether they do.',
    )
  } finally {
    progress.end()
    lock.close()
  }
}

/** For the name of a file: without characters that some file systems do not take. */
function formatTime(time: Date): string {
  return time.toISOString().replaceAll(':', '-')
}

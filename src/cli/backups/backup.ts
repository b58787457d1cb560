import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { random } from '../../secrets/random.ts'
import { copySqlite, moveToNewName, requireOwnDatabase } from '../../storage/maintenance/sqlite-copy.ts'
import { parseArguments, requireOneArgument } from '../args.ts'
import { openProgress } from '../output/progress.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { requireSqliteFile } from '../sqlite-setting.ts'

/** Copies the SQLite database into one file, while a server runs or not. */
export async function backupCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const target = resolve(requireOneArgument(positionals, 'backup needs the name of a new file.'))
  const config = readConfig(terminal.environment)
  const database = requireSqliteFile(config)
  if (!existsSync(dirname(target))) throw new CommandFailed(`There is no folder ${dirname(target)}.`)
  if (existsSync(target)) throw new CommandFailed(`${target} is there already; a backup overwrites nothing.`)
  await requireOwnDatabase(database)
  const draft = `${target}.${random.shortId()}.part`
  const progress = openProgress(terminal)
  try {
    await copySqlite(database, draft, (pages, total) => {
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; there is no backup.')
      progress.at('Copying pages', pages, total)
    })
    moveToNewName(draft, target)
  } finally {
    progress.end()
  }
  terminal.print(`Backed up ${resolve(database)} to ${target}.`)
  terminal.print(adviceOnSecrets(config))
}

function adviceOnSecrets({ secretKey, previousSecretKey }: Config): string {
  const place = secretKey.kind === 'file' ? resolve(secretKey.path) : 'SECRET_KEY'
  const before = previousSecretKey?.kind === 'file' ? resolve(previousSecretKey.path) : 'PREVIOUS_SECRET_KEY'
  return previousSecretKey
    ? `The secrets in ${place} and ${before} are not in it, and without them its private keys do not open: keep them too, in another place.`
    : `The secret in ${place} is not in it, and without that one its private keys do not open: keep it too, in another place.`
}

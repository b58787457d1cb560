import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Config, readConfig } from '../../config.ts'
import { random } from '../../secrets/random.ts'
import type { DatabaseSetting } from '../../settings/database.ts'
import { placeOf } from '../../settings/postgres-url.ts'
import { writeChecksum } from '../../storage/maintenance/file-checksum.ts'
import { copySqlite, moveToNewName, requireOwnDatabase } from '../../storage/maintenance/sqlite-copy.ts'
import { parseArguments, requireOneArgument } from '../args.ts'
import { openProgress } from '../output/progress.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { verifyBackup } from './verify-backup.ts'

/** Copies the database into one SQLite file, while servers run or not. */
export async function backupCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const [first, ...others] = positionals
  if (first === 'verify' && others.length > 0) {
    return verifyBackup(requireOneArgument(others, 'backup verify needs the name of a backup.'), terminal)
  }
  const target = resolve(requireOneArgument(positionals, 'backup needs the name of a new file.'))
  const config = readConfig(terminal.environment)
  const { database } = config
  if (database.engine === 'sqlite' && database.file === ':memory:') {
    throw new CommandFailed('The database is in memory: there is no file to copy.', 2)
  }
  if (!existsSync(dirname(target))) throw new CommandFailed(`There is no folder ${dirname(target)}.`)
  if (existsSync(target)) throw new CommandFailed(`${target} is there already; a backup overwrites nothing.`)
  if (database.engine === 'sqlite') await requireOwnDatabase(database.file)
  const draft = `${target}.${random.shortId()}.part`
  const progress = openProgress(terminal)
  try {
    await copy(database, draft, (stage, done, total) => {
      if (terminal.signal.aborted) throw new CommandFailed('Stopped; there is no backup.')
      progress.at(stage, done, total)
    })
    await writeChecksum(draft, target)
    moveToNewName(draft, target)
  } finally {
    progress.end()
  }
  terminal.print(`Backed up ${labelOf(database)} to ${target}.`)
  terminal.print(adviceOnSecrets(config))
}

type OnCopied = (stage: string, done: number, total: number) => void

async function copy(database: DatabaseSetting, to: string, onCopied: OnCopied): Promise<void> {
  if (database.engine === 'sqlite') {
    return copySqlite(database.file, to, (pages, total) => onCopied('Copying pages', pages, total))
  }
  const { copyPostgres } = await import('../../storage/maintenance/postgres-copy.ts')
  await copyPostgres(database.url, to, onCopied)
}

/** URL without user and password. */
function labelOf(database: DatabaseSetting): string {
  if (database.engine === 'sqlite') return resolve(database.file)
  return `postgres://${placeOf(database.url)}`
}

function adviceOnSecrets({ secretKey, previousSecretKey }: Config): string {
  const place = secretKey.kind === 'file' ? resolve(secretKey.path) : 'SECRET_KEY'
  const before = previousSecretKey?.kind === 'file' ? resolve(previousSecretKey.path) : 'PREVIOUS_SECRET_KEY'
  return previousSecretKey
    ? `The secrets in ${place} and ${before} are not in it, and without them its private keys do not open: keep them too, in another place.`
    : `The secret in ${place} is not in it, and without that one its private keys do not open: keep it too, in another place.`
}

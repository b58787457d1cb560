import { addEnvFile, ConfigError } from '../config.ts'
import { reasonOf } from '../errors.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { ephemeralCommand } from './ephemeral/ephemeral.ts'
import { CommandFailed, type Terminal, UsageError } from './output/terminal.ts'
import { serveCommand } from './serve.ts'

type Command = (args: readonly string[], terminal: Terminal) => Promise<void>

/** Modules that a server does not need are loaded on use: a start is shorter without them. */
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', serveCommand],
  ['--ephemeral', ephemeralCommand],
  ['first-run', async (...given) => (await import('./accounts/first-run.ts')).firstRunCommand(...given)],
  ['app', async (...given) => (await import('./accounts/app.ts')).appCommand(...given)],
  ['user', async (...given) => (await import('./accounts/user.ts')).userCommand(...given)],
  ['organization', async (...given) => (await import('./accounts/organization.ts')).organizationCommand(...given)],
  // Name of organizations in addresses, and the first name of this command.
  ['portal', async (...given) => (await import('./accounts/organization.ts')).organizationCommand(...given)],
  ['secret', async (...given) => (await import('./accounts/secret.ts')).secretCommand(...given)],
  ['backup', async (...given) => (await import('./backups/backup.ts')).backupCommand(...given)],
  ['restore', async (...given) => (await import('./backups/restore.ts')).restoreCommand(...given)],
  ['migrate-data', async (...given) => (await import('./migrate-data.ts')).migrateDataCommand(...given)],
  ['prune', async (...given) => (await import('./prune.ts')).pruneCommand(...given)],
  ['index', async (...given) => (await import('./index-rebuild.ts')).indexCommand(...given)],
  ['config', async (...given) => (await import('./config.ts')).configCommand(...given)],
  ['mail', async (...given) => (await import('./mail.ts')).mailCommand(...given)],
  ['health', async (...given) => (await import('./health.ts')).healthCommand(...given)],
  ['doctor', async (...given) => (await import('./doctor/doctor.ts')).doctorCommand(...given)],
])

/** Runs a command of this server; answers the exit code: 0 done, 1 refused with one sentence, 2 could not be tried. */
export async function runServerCommand(name: string, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    // The file may belong to the program that is tested.
    await commands.get(name)!(args, name === '--ephemeral' ? terminal : withEnvFile(terminal))
    return 0
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof CommandFailed) {
      terminal.printError(error.message)
      return error.code
    }
    const sentence = sentenceFor(error)
    if (sentence === undefined) throw error
    terminal.printError(sentence)
    return 1
  }
}

/** The terminal with the settings of the file `.env` in its environment. */
function withEnvFile(terminal: Terminal): Terminal {
  const file = readEnvFile(terminal)
  return file ? { ...terminal, environment: addEnvFile(terminal.environment, file) } : terminal
}

function readEnvFile(terminal: Terminal): Uint8Array | undefined {
  try {
    return terminal.readEnvFile?.()
  } catch (error) {
    throw new ConfigError(`The file .env cannot be read: ${reasonOf(error)}.`)
  }
}

/** One sentence for the operator; undefined for a bug, whose stack is of more use. */
function sentenceFor(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof StorageUnavailable) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code, message } = error as Error & { code: unknown }
  return surroundingFailures.has(String(code)) ? message : undefined
}

const surroundingFailures: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EISDIR',
  'EMFILE',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'ENOTFOUND',
  'EPERM',
  'EROFS',
])

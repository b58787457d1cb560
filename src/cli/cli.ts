import { ConfigError } from '../config.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { backupCommand } from './backup.ts'
import { configCommand } from './config.ts'
import { doctorCommand } from './doctor.ts'
import { indexCommand } from './index-rebuild.ts'
import { migrateDataCommand } from './migrate-data.ts'
import { organizationCommand } from './organization.ts'
import { pruneCommand } from './prune.ts'
import { restoreCommand } from './restore.ts'
import { secretCommand } from './secret.ts'
import { serveCommand } from './serve.ts'
import { CommandFailed, type Terminal, UsageError } from './terminal.ts'
import { userCommand } from './user.ts'

const usage = `Usage: cartulary [command]

  serve                      Serves until it is asked to end. This is the default.
  user list                  Lists users with role, state and last sign-in: --organization <id> for those of one.
  user reset <username>      Gives a user a new password and prints it once; --password-stdin reads it from standard
                             input instead. Ends the user's sessions, and failed sign-ins no longer count.
  user enable <username>     Lets a disabled user sign in again.
  user role <username> <role>
                             Gives a user a role, such as org_admin: an organization gets an administrator again.
  organization list          Lists the organizations.
  organization create --name "…"
                             Makes one more organization with an administrator of its own:
                             --admin <username>, and --password <password> or a generated one.
  secret rotate              Seals every private key under the present secret; the previous one, which
                             PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE names, can go afterwards.
                             On SQLite no server may run.
  secret renew               Goes on without a secret that is lost: says what that costs, asks, and makes new keys for the
                             organizations; --yes does not ask, --all renews keys that open too. No server may run.
  backup <file>              Copies the SQLite database into a new file, also while a server runs.
  restore <file>             Makes such a file the SQLite database; --replace keeps the one that is there
                             under another name. No server may run.
  migrate-data               Moves everything from one database into an empty one, also of the other engine:
                             --from file:… --to postgres://…, or the other way round. No server may run on
                             either. If it is interrupted, the same command resumes. Without --to,
                             DATABASE_URL is the target: other users of a machine see the arguments of a
                             command, and passwords in them.
  prune                      Says how many versions and audit entries are beyond the limits; --yes removes them, as
                             servers do by themselves. With --yes on SQLite no server may run.
  index rebuild              Makes the index of the search anew, where doctor says that it disagrees with what it
                             follows from. No server may run.
  config                     Prints the settings that are in effect, secrets masked.
  doctor                     Inspects settings, files and database, changes nothing, and says what to do.
  help                       Prints this.

Exit codes: 0 if the command is done, 1 if it was refused or failed, 2 if it could not be tried at all. For doctor 0 if
there are no problems (warnings are not problems), 1 if there are.

Settings come from the environment and from a file .env; .env.example describes them.`

type Command = (args: readonly string[], terminal: Terminal) => Promise<void>

const commands: ReadonlyMap<string, Command> = new Map([
  ['serve', serveCommand],
  ['user', userCommand],
  ['organization', organizationCommand],
  // What organizations are called in addresses, and what this command was called first.
  ['portal', organizationCommand],
  ['secret', secretCommand],
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['migrate-data', migrateDataCommand],
  ['prune', pruneCommand],
  ['index', indexCommand],
  ['config', configCommand],
  ['doctor', doctorCommand],
  ['help', async (_args, { print }) => print(usage)],
])

/** Runs a command; answers the exit code: 0 done, 1 refused with one sentence, 2 could not be tried. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'serve', ...rest] = args
  try {
    const command = commands.get(name === '--help' || name === '-h' ? 'help' : name)
    if (!command) throw new UsageError(`Unknown command ${name}.`)
    await command(rest, terminal)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.printError(`${error.message}\nRun "cartulary help" for the commands and their arguments.`)
      return 1
    }
    if (error instanceof CommandFailed) {
      terminal.printError(error.message)
      return error.code
    }
    const sentence = sentenceFor(error)
    if (sentence !== undefined) {
      terminal.printError(sentence)
      return 1
    }
    throw error
  }
}

/** One sentence for the operator; undefined for a bug, whose stack is of more use. */
function sentenceFor(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof StorageUnavailable) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const { code, message, address, port } = error as Error & { code: unknown; address?: string; port?: number }
  if (code === 'EADDRINUSE') return `The address ${address}:${port} is in use; set PORT or HOST to another one.`
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

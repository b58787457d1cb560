import { addEnvFile, ConfigError } from '../config.ts'
import { reasonOf } from '../errors.ts'
import { findNearest, withHint } from '../spelling.ts'
import { StorageUnavailable } from '../storage/storage.ts'
import { version } from '../version.ts'
import { findUsage, requireNoArguments } from './args.ts'
import { configCommand } from './config.ts'
import { ephemeralCommand } from './ephemeral/ephemeral.ts'
import { CommandFailed, type Terminal, UsageError } from './output/terminal.ts'
import { serveCommand } from './serve.ts'

const usage = `Usage: cartulary [command]

  serve                      Runs the server until it is asked to end, by SIGTERM or Ctrl-C. The default.
  --ephemeral                Runs a server in memory, for tests of other programs: nothing is written to disk, DATABASE_URL,
                             secrets and .env are ignored, and the port is any free one unless PORT names it.
                             --seed <file> creates users, groups and items; --json prints one line of JSON when ready.
  first-run                  Prints another link by which the first organization gets its name and its administrator in a
                             browser, in place of the one that the first start printed, until the first sign-in.
  app list                   Lists the built-in and the registered apps: --organization <id> for those of one.
  app register               Registers an app that users sign in to, and prints its client id and, once, its secret:
                             --organization <id>, --title <text>, --type server|browser|native|multiple,
                             --redirect-uri <address> and --privilege <name>, each as often as needed;
                             --expiration <days> says when the secret ends, by default after a year.
  app renew-secret <id>      Gives an app another secret and prints it once; --end-former ends the former one now,
                             and --expiration <days> says when the other one ends.
  app disable <id>           Switches an app off, which ends every sign-in to it; a built-in one in all organizations, or
                             in the one of --organization <id>.
  app enable <id>            Switches an app on again, in the same way.
  app unregister <id>        Removes an app, and ends every sign-in to it.
  user list                  Lists users with role, state and last sign-in: --organization <id> for those of one.
  user create <username>     Creates a user, with --role and --organization, and prints a password once that has to be
                             changed; --password-stdin reads a lasting one from standard input instead.
  user reset <username>      Gives a user a password that has to be changed, and prints it once; --password-stdin reads a
                             lasting one from standard input instead. Ends the user's sessions, and failed sign-ins no
                             longer count. --link prints a link instead, by which the user chooses a password.
  user sessions <username>   Lists the sign-ins of a user; --end ends all of them.
  user disable <username>    Ends the user's sessions, and lets the user no longer sign in.
  user enable <username>     Lets a disabled user sign in again.
  user role <username> <role>
                             Gives a user a role, such as org_admin: an organization gets an administrator again.
  user export <username>     Prints what is kept of a person as JSON, for the person; -o <file> writes it into a new file. Servers
                             may run.
  user erase <username>      Says where a deleted user is still named; --yes replaces the name by former-member-<number> in
                             the log, versions, drafts and the like. --also <text> names the full name or the mail
                             address, as often as needed. Texts that people wrote are listed, and not changed. If it is
                             interrupted, the same command goes on. Servers may run.
  organization list          Lists the organizations.
  organization create --name "…"
                             Creates another organization with an administrator of its own:
                             --admin <username>, and --password <password> or a generated one.
  secret rotate              Seals every private key under the present secret; the previous one, which
                             PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE names, can go afterwards.
                             On SQLite no server may run.
  secret renew               For a secret that is lost: says what that costs, asks, and creates new keys for the
                             organizations; --yes does not ask, --all renews keys that open too. No server may run.
  backup <file>              Copies the database into a new SQLite file. Servers may run.
  backup verify <file>       Restores such a file beside it, compares every row, prints the report of doctor and how
                             long it took, and removes it again.
  restore <file>             Makes such a file the SQLite database; --replace keeps the one that is there
                             under another name. No server may run.
  migrate-data               Moves everything from one database into an empty one, also of the other engine:
                             --from file:… --to postgres://…, or the other way round. No server may run on
                             either. If it is interrupted, the same command resumes. Without --to,
                             DATABASE_URL is the target: other users of a machine see the arguments of a
                             command, and passwords in them.
  prune                      Says how many versions and audit entries are above the limits; --yes removes them, as
                             servers do by themselves. With --yes on SQLite no server may run.
  index rebuild              Rebuilds the index of the search, where doctor reports that it disagrees with the items, groups
                             and users. No server may run.
  config                     Prints the settings that are in effect, secrets masked.
  mail <address>             Sends one mail by MAIL_SERVER, to see whether it arrives.
  health                     Asks the server of these settings, on this machine, whether it is ready: for containers.
  doctor                     Inspects settings, files and database, changes nothing, and says what to do. --quick leaves out
                             what reads every row.
  help [command]             Prints this text, or the lines about one command; so does --help after a command.
  --version                  Prints the versions of Cartulary and of Node.

Exit codes: 0 if the command is done, 1 if it was refused or failed, 2 if it could not be tried, as with an unknown command
or option. For doctor 0 if there are no problems (warnings are not problems), 1 if there are.

Settings come from the environment and from a file .env; docs/settings.md describes them.`

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
  ['config', configCommand],
  ['mail', async (...given) => (await import('./mail.ts')).mailCommand(...given)],
  ['health', async (...given) => (await import('./health.ts')).healthCommand(...given)],
  ['doctor', async (...given) => (await import('./doctor/doctor.ts')).doctorCommand(...given)],
])

/** Runs a command; answers the exit code: 0 done, 1 refused with one sentence, 2 could not be tried. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = 'serve', ...rest] = args
  try {
    if (name === '--version' || name === '-v') {
      terminal.print(`Cartulary ${version}, Node ${process.versions.node}`)
      return 0
    }
    const topic = findTopic(name, rest)
    if (topic !== undefined) {
      if (topic !== '' && topic !== 'help') requireCommand(topic)
      terminal.print(findUsage(usage, topic) ?? usage)
      return 0
    }
    // The file may belong to the program that is tested.
    await requireCommand(name)(rest, name === '--ephemeral' ? terminal : withEnvFile(terminal))
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.printError(`${error.message}\nRun "cartulary help" for the commands and their arguments.`)
      return 2
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

/** Finds the topic of help: a command, or the empty text for all of them; undefined where none is asked for. */
function findTopic(name: string, rest: readonly string[]): string | undefined {
  if (name === 'help' || name === '--help' || name === '-h') {
    requireNoArguments(rest.slice(1))
    return rest[0] ?? ''
  }
  // After a double hyphen, or as the value of an option, it would be no question; no command takes such values.
  return rest.includes('--help') || rest.includes('-h') ? name : undefined
}

function requireCommand(name: string): Command {
  const command = commands.get(name)
  if (command) return command
  throw new UsageError(withHint(`Unknown command ${name}`, findNearest(name, [...commands.keys(), 'help'])))
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

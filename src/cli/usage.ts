import type { HelpRow } from '../client/command-line/help.ts'

/** Commands of this server, as help lists them. */
export const serverCommands: readonly HelpRow[] = [
  {
    usage: 'serve',
    text: 'Runs the server until it is asked to end, by SIGTERM or Ctrl-C. The default.',
  },
  {
    usage: '--ephemeral',
    text: 'Runs a server in memory, for tests of other programs: nothing is written to disk, DATABASE_URL, secrets and .env are ignored, and the port is any free one unless PORT names it. --seed <file> creates users, groups and items; --json prints one line of JSON when ready.',
  },
  {
    usage: 'first-run',
    text: 'Prints another link by which the first organization gets its name and its administrator in a browser, in place of the one that the first start printed, until the first sign-in.',
  },
  {
    usage: 'app list',
    text: 'Lists the built-in and the registered apps: --organization <id> for those of one.',
  },
  {
    usage: 'app register',
    text: 'Registers an app that users sign in to, and prints its client id and, once, its secret: --organization <id>, --title <text>, --type server|browser|native|multiple, --redirect-uri <address> and --privilege <name>, each as often as needed; --expiration <days> says when the secret ends, by default after a year.',
  },
  {
    usage: 'app renew-secret <id>',
    text: 'Gives an app another secret and prints it once; --end-former ends the former one now, and --expiration <days> says when the other one ends.',
  },
  {
    usage: 'app disable <id>',
    text: 'Switches an app off, which ends every sign-in to it; a built-in one in all organizations, or in the one of --organization <id>.',
  },
  {
    usage: 'app enable <id>',
    text: 'Switches an app on again, in the same way.',
  },
  {
    usage: 'app unregister <id>',
    text: 'Removes an app, and ends every sign-in to it.',
  },
  {
    usage: 'user list',
    text: 'Lists users with role, state and last sign-in: --organization <id> for those of one.',
  },
  {
    usage: 'user create <username>',
    text: 'Creates a user, with --role and --organization, and prints a password once that has to be changed; --password-stdin reads a lasting one from standard input instead.',
  },
  {
    usage: 'user reset <username>',
    text: "Gives a user a password that has to be changed, and prints it once; --password-stdin reads a lasting one from standard input instead. Ends the user's sessions, and failed sign-ins no longer count. --link prints a link instead, by which the user chooses a password.",
  },
  {
    usage: 'user sessions <username>',
    text: 'Lists the sign-ins of a user; --end ends all of them.',
  },
  {
    usage: 'user disable <username>',
    text: "Ends the user's sessions, and lets the user no longer sign in.",
  },
  {
    usage: 'user enable <username>',
    text: 'Lets a disabled user sign in again.',
  },
  {
    usage: 'user role <username> <role>',
    text: 'Gives a user a role, such as org_admin: an organization gets an administrator again.',
  },
  {
    usage: 'user export <username>',
    text: 'Prints what is kept of a person as JSON, for the person; -o <file> writes it into a new file. Servers may run.',
  },
  {
    usage: 'user erase <username>',
    text: 'Says where a deleted user is still named; --yes replaces the name by former-member-<number> in the log, versions, drafts and the like. --also <text> names the full name or the mail address, as often as needed. Texts that people wrote are listed, and not changed. If it is interrupted, the same command goes on. Servers may run.',
  },
  {
    usage: 'organization list',
    text: 'Lists the organizations.',
  },
  {
    usage: 'organization create --name',
    text: 'Creates another organization with an administrator of its own, --admin <username>, and prints a password once; --password-stdin reads one from standard input instead.',
  },
  {
    usage: 'secret rotate',
    text: 'Seals every private key under the present secret; the previous one, which PREVIOUS_SECRET_KEY or PREVIOUS_SECRET_KEY_FILE names, can go afterwards. On SQLite no server may run.',
  },
  {
    usage: 'secret renew',
    text: 'For a secret that is lost: says what that costs, asks, and creates new keys for the organizations; --yes does not ask, --all renews keys that open too. No server may run.',
  },
  {
    usage: 'backup <file>',
    text: 'Copies the database into a new SQLite file. Servers may run.',
  },
  {
    usage: 'backup verify <file>',
    text: 'Restores such a file beside it, compares every row, prints the report of doctor and how long it took, and removes it again.',
  },
  {
    usage: 'restore <file>',
    text: 'Makes such a file the SQLite database; --replace keeps the one that is there under another name. No server may run.',
  },
  {
    usage: 'migrate-data',
    text: 'Moves everything from one database into an empty one, also of the other engine: --from file:… --to postgres://…, or the other way round. No server may run on either. If it is interrupted, the same command resumes. Without --to, DATABASE_URL is the target: other users of a machine see the arguments of a command, and passwords in them.',
  },
  {
    usage: 'prune',
    text: 'Says how many versions and audit entries are above the limits; --yes removes them, as servers do by themselves. With --yes on SQLite no server may run.',
  },
  {
    usage: 'index rebuild',
    text: 'Rebuilds the index of the search, where doctor reports that it disagrees with the items, groups and users. No server may run.',
  },
  {
    usage: 'config',
    text: 'Prints the settings that are in effect, secrets masked.',
  },
  {
    usage: 'mail <address>',
    text: 'Sends one mail by MAIL_SERVER, to see whether it arrives.',
  },
  {
    usage: 'health',
    text: 'Asks the server of these settings, on this machine, whether it is ready: for containers.',
  },
  {
    usage: 'doctor',
    text: 'Inspects settings, files and database, changes nothing, and says what to do. --quick leaves out what reads every row.',
  },
]

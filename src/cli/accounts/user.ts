import type { User } from '../../directory/user.ts'
import { timesOfSessions } from '../../oauth/lifetimes.ts'
import type { Session } from '../../oauth/sessions/session.ts'
import { parseArguments, requireNoArguments, requireOneArgument, runSubcommand } from '../args.ts'
import { CommandFailed, printable, type Terminal, UsageError } from '../output/terminal.ts'
import { listByOrganization } from './by-organization.ts'
import { withDatabase, writeAsOperator } from './operator.ts'
import { eraseUser, exportUser } from './user-data.ts'
import { createUser, resetPassword } from './user-password.ts'

/** Users as the operator of the server manages them, for those who are locked out; whether a server runs or not. */
export async function userCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    {
      list: (rest) => listUsers(rest, terminal),
      create: (rest) => createUser(rest, terminal),
      reset: (rest) => resetPassword(rest, terminal),
      sessions: (rest) => listOrEndSessions(rest, terminal),
      disable: (rest) => disableUser(rest, terminal),
      enable: (rest) => enableUser(rest, terminal),
      role: (rest) => giveRole(rest, terminal),
      export: (rest) => exportUser(rest, terminal),
      erase: (rest) => eraseUser(rest, terminal),
    },
    args,
  )
}

function listUsers(args: readonly string[], terminal: Terminal): Promise<void> {
  return listByOrganization(
    args,
    terminal,
    ({ directory }, portalId, page) => directory.listUsers(portalId, page),
    formatUser,
  )
}

function formatUser({ portalId, username, role, disabled, lastSignInAt }: User): string {
  const lastSignIn = lastSignInAt === undefined ? 'never' : new Date(lastSignInAt).toISOString().slice(0, 10)
  const state = disabled ? 'disabled' : 'enabled'
  return `${portalId}  ${role.padEnd(16)}  ${state.padEnd(8)}  ${lastSignIn.padEnd(10)}  ${username}`
}

const sessionsOfPage = 1_000

/** The sign-ins of a user, which --end ends. */
async function listOrEndSessions(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { end: { type: 'boolean' } })
  const username = requireOneArgument(positionals, 'user sessions needs a username.')
  await withDatabase(terminal, 'beside', async (dependencies) => {
    if (values.end) {
      const { user } = await writeAsOperator(dependencies, 'recoverSessions', { username }, '/community/users')
      terminal.print(`Every session of ${user.username} has ended.`)
      return
    }
    const { storage, now } = dependencies
    const sessions = await storage.read(async ({ directory, oauth }) => {
      const user = await directory.findUser(username)
      const page = { start: 1, num: sessionsOfPage }
      return user && oauth.listSessions(user.userId, timesOfSessions(now()), page)
    })
    if (!sessions) throw new CommandFailed(`There is no user ${username}; "cartulary user list" lists all of them.`)
    for (const session of sessions.entries) terminal.print(formatSession(session))
    if (sessions.total === 0) terminal.print(`${username} has no session.`)
    if (sessions.total > sessionsOfPage) terminal.print(`… and ${sessions.total - sessionsOfPage} earlier ones.`)
  })
}

function formatSession({ createdAt, expiresAt, kind, clientId, address = '', agent = '' }: Session): string {
  const [from, until] = [createdAt, expiresAt].map((time) => new Date(time).toISOString().slice(0, 16))
  // The agent is what a client wrote.
  const who = printable(agent)
  return `${from}  until ${until}  ${kind.padEnd(7)}  ${(clientId ?? '').padEnd(16)}  ${printable(address).padEnd(15)}  ${who}`
}

async function disableUser(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const username = requireOneArgument(positionals, 'user disable needs a username.')
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { user } = await writeAsOperator(dependencies, 'recoverDisabled', { username }, '/community/users')
    terminal.print(`${user.username} is disabled, and every session of the user has ended.`)
  })
}

async function enableUser(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const username = requireOneArgument(positionals, 'user enable needs a username.')
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { user } = await writeAsOperator(dependencies, 'recoverEnabled', { username }, '/community/users')
    terminal.print(`${user.username} is enabled.`)
  })
}

async function giveRole(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals } = parseArguments(args, {})
  const [username, role, ...others] = positionals
  if (!username || !role) throw new UsageError('user role needs a username and a role, such as org_admin.')
  requireNoArguments(others)
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { user } = await writeAsOperator(dependencies, 'recoverRole', { username, role }, '/community/users')
    terminal.print(`${user.username} has the role ${user.role}.`)
    if (user.disabled) terminal.print(`${user.username} is disabled: run "cartulary user enable ${user.username}".`)
  })
}

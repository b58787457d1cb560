import { readConfig } from '../../config.ts'
import type { User } from '../../directory/user.ts'
import { timesOfSessions } from '../../oauth/lifetimes.ts'
import type { Session } from '../../oauth/session.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import { parseArguments, requireNoArguments, requireOneArgument, runSubcommand } from '../args.ts'
import { printable } from '../output/printable.ts'
import { CommandFailed, type Terminal, UsageError } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'
import { withDatabase, writeAsOperator } from './operator.ts'
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
    },
    args,
  )
}

const usersOfPage = 1_000

async function listUsers(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { organization: { type: 'string' } })
  requireNoArguments(positionals)
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const inspection = await openInspection(config.database)
  try {
    await inspection.requireTables()
    const { directory } = inspection.readers
    const portals = await directory.listPortals()
    const wanted = portals.filter(
      ({ portalId }) => values.organization === undefined || values.organization === portalId,
    )
    if (values.organization !== undefined && wanted.length === 0) {
      throw new CommandFailed(
        `There is no organization ${values.organization}; "cartulary organization list" lists all of them.`,
      )
    }
    for (const { portalId } of wanted) {
      for (let start = 1, total = 1; start <= total; start += usersOfPage) {
        const page = await directory.listUsers(portalId, { start, num: usersOfPage })
        for (const user of page.entries) print(formatUser(user))
        total = page.total
      }
    }
  } finally {
    await inspection.close()
  }
}

function formatUser({ portalId, username, role, disabled, lastSignInAt }: User): string {
  const lastSignIn = lastSignInAt === undefined ? 'never' : new Date(lastSignInAt).toISOString().slice(0, 10)
  const state = disabled ? 'disabled' : 'enabled'
  return `${portalId}  ${role.padEnd(16)}  ${state.padEnd(8)}  ${lastSignIn.padEnd(10)}  ${username}`
}

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
      const page = { start: 1, num: usersOfPage }
      return user && oauth.listSessions(user.userId, timesOfSessions(now()), page)
    })
    if (!sessions) throw new CommandFailed(`There is no user ${username}; "cartulary user list" lists all of them.`)
    for (const session of sessions.entries) terminal.print(formatSession(session))
    if (sessions.total === 0) terminal.print(`${username} has no session.`)
    if (sessions.total > usersOfPage) terminal.print(`… and ${sessions.total - usersOfPage} earlier ones.`)
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

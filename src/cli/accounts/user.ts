import { readConfig } from '../../config.ts'
import { findPasswordProblem } from '../../directory/passwords/password.ts'
import { type User, usernameKey } from '../../directory/user.ts'
import { generatePassword } from '../../first-run.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import { parseArguments, requireNoArguments, requireOneArgument, runSubcommand } from '../args.ts'
import { CommandFailed, type Terminal, UsageError } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'
import { withDatabase, writeAsOperator } from './operator.ts'

/** Users as the operator of the server manages them, for those who are locked out; whether a server runs or not. */
export async function userCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    {
      list: (rest) => listUsers(rest, terminal),
      reset: (rest) => resetPassword(rest, terminal),
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

/** Prints a new password once, or takes it from standard input: arguments are seen by other users of the machine. */
async function resetPassword(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { 'password-stdin': { type: 'boolean' } })
  const username = requireOneArgument(positionals, 'user reset needs a username.')
  const given = values['password-stdin'] ? await readPassword(terminal) : undefined
  await withDatabase(terminal, 'beside', async (dependencies) => {
    const { passwords, digest, random } = dependencies
    const generated = given === undefined ? generatePassword(random) : undefined
    const password = {
      passwordHash: await passwords.hash(given ?? generated!, 'localhost'),
      accountKey: digest(usernameKey(username)),
    }
    const { user } = await writeAsOperator(dependencies, 'recoverPassword', { username, password }, '/community/users')
    terminal.print(
      `${user.username} has a new password. Every session of the user has ended, and failed sign-ins no longer count.`,
    )
    if (generated !== undefined) {
      terminal.print(`Password  ${generated}`)
      terminal.print('This password is shown only now. Change it after signing in.')
    }
    if (user.disabled) {
      terminal.print(`${user.username} is disabled: run "cartulary user enable ${user.username}".`)
    }
  })
}

async function readPassword({ input }: Terminal): Promise<string> {
  if (input?.isTerminal) {
    throw new UsageError(
      'Standard input is a terminal, which shows what is typed: pipe the password in, or leave out --password-stdin.',
    )
  }
  const password = (await input?.readLine()) ?? ''
  const problem = findPasswordProblem(password)
  if (problem) throw new CommandFailed(problem)
  return password
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

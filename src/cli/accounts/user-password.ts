import type { Config } from '../../config.ts'
import type { OpenDependencies } from '../../dependencies.ts'
import { findLengthProblem, findPasswordProblem } from '../../directory/passwords/password.ts'
import type { Portal } from '../../directory/portal.ts'
import { type User, usernameKey } from '../../directory/user.ts'
import { generatePassword } from '../../first-organization.ts'
import { newPasswordAddress } from '../../http/endpoints/sign-in.ts'
import { parseArguments, requireOneArgument } from '../args.ts'
import { CommandFailed, type Terminal, UsageError } from '../output/terminal.ts'
import { printableAddress } from '../server-address.ts'
import { withDatabase, writeAsOperator } from './operator.ts'

/** Makes a user with a password that has to be changed, or with one from standard input. */
export async function createUser(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, {
    organization: { type: 'string' },
    role: { type: 'string' },
    'password-stdin': { type: 'boolean' },
  })
  const username = requireOneArgument(positionals, 'user create needs a username.')
  const given = values['password-stdin'] ? await readPassword(terminal) : undefined
  await withDatabase(terminal, 'beside', async (dependencies, config) => {
    const { passwords, random, storage } = dependencies
    const portals = await storage.read(({ directory }) => directory.listPortals())
    const portal = chooseOrganization(portals, values.organization)
    refuseWeak(dependencies, given, { username, organization: portal.name })
    const generated = given === undefined ? generatePassword(random) : undefined
    const passwordHash = await passwords.hash(given ?? generated!, 'localhost')
    const { portalId } = portal
    const wanted = { userId: random.id(), username, portalId, role: values.role ?? 'org_user' }
    const input = { ...wanted, passwordHash, isTemporary: generated !== undefined }
    await writeAsOperator(dependencies, 'createUserByOperator', input, '/community/users')
    terminal.print(`${username} is a user of ${portal.name} with the role ${wanted.role}.`)
    if (generated !== undefined) printTemporary(terminal, config, generated)
  })
}

/**
 * Prints a password that has to be changed, or a link to choose one, once; or takes a password from standard input: arguments
 * are seen by other users of the machine.
 */
export async function resetPassword(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, {
    'password-stdin': { type: 'boolean' },
    link: { type: 'boolean' },
  })
  const username = requireOneArgument(positionals, 'user reset needs a username.')
  if (values.link && values['password-stdin']) throw new UsageError('Give --link or --password-stdin, not both.')
  const given = values['password-stdin'] ? await readPassword(terminal) : undefined
  await withDatabase(terminal, 'beside', async (dependencies, config) => {
    const user = values.link
      ? await resetByLink(dependencies, config, username, terminal)
      : await resetByPassword(dependencies, config, { username, given }, terminal)
    if (user.disabled) {
      terminal.print(`${user.username} is disabled: run "cartulary user enable ${user.username}".`)
    }
  })
}

async function resetByPassword(
  dependencies: OpenDependencies,
  config: Config,
  { username, given }: { readonly username: string; readonly given: string | undefined },
  terminal: Terminal,
): Promise<User> {
  const { passwords, digest, random, storage } = dependencies
  const organization = await storage.read(async ({ directory }) => {
    const user = await directory.findUser(username)
    return user && (await directory.findPortal(user.portalId))?.name
  })
  refuseWeak(dependencies, given, { username, organization })
  const generated = given === undefined ? generatePassword(random) : undefined
  const password = {
    passwordHash: await passwords.hash(given ?? generated!, 'localhost'),
    accountKey: digest(usernameKey(username)),
  }
  const input = { username, password, isTemporary: generated !== undefined }
  const { user } = await writeAsOperator(dependencies, 'recoverPassword', input, '/community/users')
  terminal.print(
    `${user.username} has a new password. Every session of the user has ended, and failed sign-ins no longer count.`,
  )
  if (generated !== undefined) printTemporary(terminal, config, generated)
  return user
}

async function resetByLink(
  dependencies: OpenDependencies,
  config: Config,
  username: string,
  terminal: Terminal,
): Promise<User> {
  const { random } = dependencies
  const link = random.token()
  const input = { username, linkHash: random.hashToken(link) }
  const { user } = await writeAsOperator(dependencies, 'recoverByLink', input, '/community/users')
  terminal.print(`By this link ${user.username} chooses a new password, once and within an hour:`)
  terminal.print(newPasswordAddress(printableAddress(config, terminal), link))
  terminal.print('The present password and the sessions stay until then. The link is shown only now.')
  return user
}

function printTemporary(terminal: Terminal, config: Config, password: string): void {
  terminal.print(`Password  ${password}`)
  terminal.print('This password is shown only now, and has to be changed before anything else, at')
  terminal.print(newPasswordAddress(printableAddress(config, terminal)))
}

function chooseOrganization(portals: readonly Portal[], wanted: string | undefined): Portal {
  const portal = wanted === undefined ? portals[0] : portals.find(({ portalId }) => portalId === wanted)
  if (portal && (wanted !== undefined || portals.length === 1)) return portal
  const list = '"cartulary organization list" lists all of them.'
  if (wanted !== undefined) throw new CommandFailed(`There is no organization ${wanted}; ${list}`)
  throw new CommandFailed(`There are ${portals.length} organizations: choose one by --organization; ${list}`)
}

function refuseWeak(
  { isCommonPassword }: OpenDependencies,
  text: string | undefined,
  context: Parameters<typeof findPasswordProblem>[1],
): void {
  const problem =
    text === undefined ? undefined : findPasswordProblem({ text, isCommon: isCommonPassword(text) }, context)
  if (problem) throw new CommandFailed(problem)
}

/** A password of standard input. */
export async function readPassword({ input }: Terminal): Promise<string> {
  if (input?.isTerminal) {
    throw new UsageError(
      'Standard input is a terminal, which shows what is typed: pipe the password in, or leave out --password-stdin.',
    )
  }
  const password = (await input?.readLine()) ?? ''
  const problem = findLengthProblem(password)
  if (problem) throw new CommandFailed(problem)
  return password
}

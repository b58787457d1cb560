import { type Config, ConfigError } from './config.ts'
import type { OpenDependencies } from './dependencies.ts'
import { findPasswordProblem } from './directory/passwords/password.ts'
import { findPortalNameProblem, type Portal } from './directory/portal.ts'
import { findUsernameProblem } from './directory/user.ts'
import { isOperationRefused } from './errors.ts'
import { firstRunMilliseconds, hashOfFirstRun } from './first-run/operations.ts'
import { write } from './operations/execute.ts'
import type { Readers } from './storage/storage.ts'

/** The organization and administrator that the first start created. */
export interface FirstRun {
  readonly portal: Portal
  readonly username: string
  /** The generated password, stored nowhere else; undefined if one was configured. */
  readonly generatedPassword: string | undefined
  /** The secret of the link to the first run, stored as a hash alone; undefined if a password was configured. */
  readonly secret: string | undefined
}

/** Creates the first organization and its administrator in an empty database (contract §6). */
export async function prepareFirstRun(dependencies: OpenDependencies, config: Config): Promise<FirstRun | undefined> {
  if (!(await dependencies.storage.read(isEmpty))) return undefined
  const { organizationName: name, admin } = config
  const firstRun = await makeOrganization(dependencies, { name, ...admin }, true)
  // Another server created the organization first; check that this one has the same secret.
  if (!firstRun) await dependencies.requireSecret()
  return firstRun
}

async function isEmpty({ directory }: Readers): Promise<boolean> {
  return !(await directory.findDefaultPortal())
}

interface WantedOrganization {
  readonly name: string
  readonly username: string
  /** Undefined to generate one. */
  readonly password: string | undefined
  /** Who makes it, for the audit; by default its administrator. */
  readonly operator?: string
}

/** Creates another organization. */
export async function addOrganization(
  dependencies: OpenDependencies,
  organization: WantedOrganization,
): Promise<FirstRun> {
  return (await makeOrganization(dependencies, organization, false))!
}

/** 24 characters of base64url, 144 random bits. */
export function generatePassword(random: OpenDependencies['random']): string {
  return random.token().slice(0, 24)
}

/** Creates an organization with key pair and administrator; undefined if `isFirst` and there is one already. */
async function makeOrganization(
  { storage, passwords, isCommonPassword, random, createKey, now }: OpenDependencies,
  { name, username, password, operator = username }: WantedOrganization,
  isFirst: boolean,
): Promise<FirstRun | undefined> {
  const nameProblem = findPortalNameProblem(name)
  if (nameProblem) throw new ConfigError(`ORGANIZATION_NAME ${nameProblem}`)
  const context = { username, organization: name }
  const problem =
    findUsernameProblem(username) ??
    (password === undefined
      ? undefined
      : findPasswordProblem({ text: password, isCommon: isCommonPassword(password) }, context))
  if (problem) throw new ConfigError(isFirst ? problem.replace(/^The password/, 'ADMIN_PASSWORD') : problem)
  const generatedPassword = password === undefined ? generatePassword(random) : undefined
  const passwordHash = await passwords.hash(password ?? generatedPassword!, 'localhost')
  const secret = isFirst && generatedPassword !== undefined ? random.token() : undefined
  const { portal } = await write(storage, {
    operation: 'createPortal',
    input: {
      isFirst,
      portal: { portalId: random.shortId(), name, key: await createKey() },
      administrator: { userId: random.id(), username, passwordHash },
      firstRun:
        secret === undefined
          ? undefined
          : { linkHash: hashOfFirstRun(random, secret), expiresAt: now() + firstRunMilliseconds },
    },
    tokenHash: undefined,
    now: now(),
    problems: [],
    origin: { address: 'localhost', target: '/portals', requestId: random.id(), username: operator },
  }).catch((error: unknown) => {
    throw isOperationRefused(error) ? new ConfigError(error.message) : error
  })
  return portal && { portal, username, generatedPassword, secret }
}

/** Address of the first run in the application. The secret is behind the number sign, so that no server and no log has it. */
export function firstRunAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/first-run#${secret}`
}

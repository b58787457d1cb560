import { type Config, SettingRefused } from './config.ts'
import { type Portal, type PortalKey, portalNameLength } from './directory/portal.ts'
import { createPortal } from './directory/portal-operations.ts'
import { findPasswordProblem, findUsernameProblem } from './directory/user.ts'
import { newUser } from './directory/user-operations.ts'
import type { OpenPorts } from './open-ports.ts'
import type { Stores } from './storage/storage.ts'

/** What the first start on an empty database made. */
export interface FirstRun {
  readonly portal: Portal
  readonly username: string
  /** The password that was generated; undefined where one was given. It is not kept anywhere else. */
  readonly generatedPassword: string | undefined
}

/** Gives an empty database its first organization and administrator (contract §6). */
export async function prepareFirstRun(ports: OpenPorts, config: Config): Promise<FirstRun | undefined> {
  if (!(await ports.storage.read(isEmpty))) return undefined
  const { organizationName: name, admin } = config
  const firstRun = await makeOrganization(ports, { name, ...admin }, 'only the first')
  // Another server that shares the database was faster: is it of one secret with this one?
  if (!firstRun) await ports.requireSecret()
  return firstRun
}

async function isEmpty({ directory }: Stores): Promise<boolean> {
  return !(await directory.findDefaultPortal())
}

interface NewOrganization {
  readonly name: string
  readonly username: string
  /** Undefined for a generated one. */
  readonly password: string | undefined
}

/** A new organization beside those that there are. */
export async function addOrganization(ports: OpenPorts, organization: NewOrganization): Promise<FirstRun> {
  return (await makeOrganization(ports, organization, 'beside others'))!
}

type Place = 'only the first' | 'beside others'

/** An organization with its key pair and its administrator; undefined where another one was first. */
async function makeOrganization(
  { storage, passwords, random, createKey, now }: OpenPorts,
  { name, username, password }: NewOrganization,
  place: Place,
): Promise<FirstRun | undefined> {
  if (name.length > portalNameLength) {
    throw new SettingRefused(
      `ORGANIZATION_NAME has ${name.length} characters; at most ${portalNameLength} are allowed.`,
    )
  }
  const problem = findUsernameProblem(username) ?? (password === undefined ? undefined : findPasswordProblem(password))
  if (problem) throw new SettingRefused(problem)
  const generatedPassword = password === undefined ? random.token().slice(0, 24) : undefined
  const passwordHash = await passwords.hash(password ?? generatedPassword!)
  const made = await storage.write(addOrganizationWith, {
    place,
    portal: { portalId: random.shortId(), name, key: await createKey() },
    user: { userId: random.id(), username, passwordHash },
    requestId: random.id(),
    now: now(),
  })
  if (made === 'username taken') throw new SettingRefused(`The username ${username} is taken.`)
  return made && { portal: made, username, generatedPassword }
}

interface OrganizationWithAdministrator {
  readonly place: Place
  readonly portal: { readonly portalId: string; readonly name: string; readonly key: PortalKey }
  readonly user: { readonly userId: string; readonly username: string; readonly passwordHash: string }
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The part of it that is one transaction. Undefined where there is an organization, and this was to be the first. */
export async function addOrganizationWith(
  stores: Stores,
  { place, portal: { portalId, name, key }, user, requestId, now }: OrganizationWithAdministrator,
): Promise<Portal | 'username taken' | undefined> {
  if (place === 'only the first' && !(await isEmpty(stores))) return undefined
  if (await stores.directory.findUser(user.username)) return 'username taken'
  const portal = await createPortal(stores, { caller: undefined, now }, { portalId, name, key })
  const person = { ...user, fullName: '', firstName: '', lastName: '', email: '', role: 'org_admin' }
  await stores.directory.addUser(newUser(person, portalId, now), user.passwordHash)
  await stores.audit.add({
    at: now,
    username: user.username,
    portalId,
    address: 'localhost',
    operation: 'createPortal',
    target: `/portals/${portalId}`,
    outcome: 200,
    requestId,
  })
  return portal
}

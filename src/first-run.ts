import { type Config, SettingRefused } from './config.ts'
import { type Portal, portalNameLength } from './directory/portal.ts'
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
  const isEmpty = async ({ directory }: Stores) => !(await directory.findDefaultPortal())
  if (!(await ports.storage.read(isEmpty))) return undefined
  const { organizationName: name, admin } = config
  const firstRun = await makeOrganization(ports, { name, ...admin }, isEmpty)
  // Another server that shares the database was faster: is it of one secret with this one?
  if (!firstRun) await ports.requireSecret()
  return firstRun
}

interface NewOrganization {
  readonly name: string
  readonly username: string
  /** Undefined for a generated one. */
  readonly password: string | undefined
}

/** A new organization beside those that there are. */
export async function addOrganization(ports: OpenPorts, organization: NewOrganization): Promise<FirstRun> {
  return (await makeOrganization(ports, organization, async () => true))!
}

/** An organization with its key pair and its administrator, in one transaction, if it is wanted then. */
async function makeOrganization(
  { storage, passwords, random, createKey, now }: OpenPorts,
  { name, username, password }: NewOrganization,
  isWanted: (stores: Stores) => Promise<boolean>,
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
  const key = await createKey()
  const portal = await storage.write(async (stores) => {
    if (!(await isWanted(stores))) return undefined
    if (await stores.directory.findUser(username)) throw new SettingRefused(`The username ${username} is taken.`)
    const call = { caller: undefined, now: now() }
    const portal = await createPortal(stores, call, { portalId: random.shortId(), name, key })
    const person = {
      userId: random.id(),
      username,
      fullName: '',
      firstName: '',
      lastName: '',
      email: '',
      role: 'org_admin',
    }
    await stores.directory.addUser(newUser(person, portal.portalId, call.now), passwordHash)
    await stores.audit.add({
      at: call.now,
      username,
      portalId: portal.portalId,
      address: 'localhost',
      operation: 'createPortal',
      target: `/portals/${portal.portalId}`,
      outcome: 200,
      requestId: random.id(),
    })
    return portal
  })
  return portal && { portal, username, generatedPassword }
}

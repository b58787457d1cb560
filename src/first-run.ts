import { type Config, SettingRefused } from './config.ts'
import { type Portal, portalNameLength } from './directory/portal.ts'
import { createPortal } from './directory/portal-operations.ts'
import { findPasswordProblem, findUsernameProblem } from './directory/user.ts'
import { newUser } from './directory/user-operations.ts'
import type { OpenPorts } from './open-ports.ts'

/** What the first start on an empty database made. */
export interface FirstRun {
  readonly portal: Portal
  readonly username: string
  /** The password that was generated; undefined where one was given. It is not kept anywhere else. */
  readonly generatedPassword: string | undefined
}

/** Gives an empty database its first organization and administrator (contract §6). */
export async function prepareFirstRun(ports: OpenPorts, config: Config): Promise<FirstRun | undefined> {
  if (await ports.storage.read(({ directory }) => directory.findDefaultPortal())) return undefined
  return createOrganization(ports, {
    name: config.organizationName,
    username: config.admin.username,
    password: config.admin.password,
  })
}

interface NewOrganization {
  readonly name: string
  readonly username: string
  /** Undefined for a generated one. */
  readonly password: string | undefined
}

/** A new organization with its key pair and its administrator, in one transaction. */
export async function createOrganization(
  { storage, passwords, random, createKey, now }: OpenPorts,
  { name, username, password }: NewOrganization,
): Promise<FirstRun> {
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
  return { portal, username, generatedPassword }
}

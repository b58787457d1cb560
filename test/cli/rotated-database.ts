import { invitationFile } from '../../src/collaborations/signed-file.ts'
import { noSessions } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { hostCollaboration } from '../support/portal/collaboration-host.ts'
import { adminPassword, type TestPortal } from '../support/portal/portal.ts'
import { query } from './beside.ts'
import { copyOf, type Engine, originalFile, ownEngine } from './copied-database.ts'
import { command, openHere } from './run-command.ts'

export type Secrets = Readonly<Partial<Record<'SECRET_KEY' | 'PREVIOUS_SECRET_KEY', string>>>

export const firstSecret = 'the first secret, long enough for a key'
export const secondSecret = 'the second secret, long enough for a key'

/** The settings of an operator at each step of a rotation. */
export const before: Secrets = { SECRET_KEY: firstSecret }
export const during: Secrets = { SECRET_KEY: secondSecret, PREVIOUS_SECRET_KEY: firstSecret }
export const after: Secrets = { SECRET_KEY: secondSecret }

/** Settings of a server or a command. */
export function settingsFor(url: string, secrets: Secrets): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, ...secrets, ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'silent' }
}

/** A server in this process. */
export function openWith(url: string, secrets: Secrets): Promise<TestPortal> {
  return openHere(settingsFor(url, secrets))
}

const originals = new Map<Engine, Promise<string>>()

/** A database of two organizations, whose private keys are sealed under the first secret: made once; answers the URL of a copy. */
export async function openRotatable(engine: Engine = ownEngine): Promise<string> {
  const original = originals.get(engine) ?? makeRotatable(engine)
  originals.set(engine, original)
  return copyOf(await original)
}

async function makeRotatable(engine: Engine): Promise<string> {
  const url = engine === 'SQLite' ? `file:${originalFile()}` : await createDatabase()
  {
    await using portal = await openWith(url, before)
    await portal.otherOrganization()
  }
  if (engine === 'PostgreSQL') await noSessions(url)
  return url
}

/** Output of a rotation that re-sealed this many of two keys. */
export const resealed = (count: number) =>
  `Re-sealed ${count} of 2 private keys; every one is sealed under the present secret.`
export const backupsNeedIt = 'The previous secret is needed only by backups that were made before: keep it with them.'

export const rotate = (url: string, secrets: Secrets) => command(['secret', 'rotate'], settingsFor(url, secrets))

/** Invites a guest over HTTP, and signs for every organization; resolves with the number of valid signatures. */
export async function sign(portal: TestPortal): Promise<number> {
  await (await hostCollaboration(portal)).invite()
  const { storage, signer } = portal.server.dependencies
  const portals = await storage.read(({ directory }) => directory.listPortals())
  for (const { portalId } of portals) {
    const key = (await storage.read(({ directory }) => directory.findPortalKey(portalId)))!
    const { publicKey } = await signer.sign({ portalId }, invitationFile, key)
    if (JSON.stringify(publicKey) !== key.publicKey) throw new Error(`${portalId} signs with the key of another one.`)
  }
  return portals.length
}

/** Number of valid signatures of a server that is opened for it. */
export async function signOn(url: string, secrets: Secrets): Promise<number> {
  await using portal = await openWith(url, secrets)
  return await sign(portal)
}

/** The private keys as they are stored, by organization. */
export async function readSealedKeys(url: string): Promise<ReadonlyMap<string, string>> {
  const rows = await query(url, 'select portal_id, sealed_private_key from portals')
  return new Map(rows.map((row) => [String(row['portal_id']), String(row['sealed_private_key'])]))
}

import { createHash } from 'node:crypto'
import { RewindableDatabase } from '../databases/rewindable-database.ts'
import {
  anInvitationRequest,
  invitationNames,
  type Signatory,
  signatory,
  writeFile,
  writeResponse,
} from '../inputs/signed-files.ts'
import { hostCollaboration } from './collaboration-host.ts'
import { refused } from './envelopes.ts'
import { Guest } from './handshake.ts'
import { type Parameters, startOfTests } from './portal.ts'

/** A portal that is sent files of another one, written by another program. */

/** The public root of the portal. */
export const root = 'https://maps.example.com/portal'
/** The other portal, whether it is host or guest. */
export const hostPortalId = 'InstituteOfSeas1'
/** The key of the other portal, and another key. */
export const [honest, stranger] = [signatory(1), signatory(2)]

/** The JWK thumbprint, with members in the order of RFC 7638. */
export function fingerprintOf({ jwk: { crv, kty, x } }: Signatory): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}

/** The fingerprint in groups of hexadecimal digits. */
export function hexOf(signatory: Signatory): string {
  return Buffer.from(fingerprintOf(signatory), 'base64url').toString('hex').match(/.{4}/g)!.join(' ')
}

/** The refusal of a file for its key, which the caller may accept. */
export function refusedForKey(task: string, why: string) {
  return { error: { ...refused(task, why).error, acceptedWith: 'acceptNewKey' } }
}

/** A portal on a database whose changes are seen. */
export async function openPortal() {
  const database = await RewindableDatabase.open()
  const { portal } = database
  const admin = await portal.admin()
  const { id: portalId } = await admin.get('/portals/self')
  return {
    database,
    portal,
    admin,
    portalId,
    /** Tables whose rows the work changes, but for the audit. */
    async changedTables(work: () => Promise<void>): Promise<readonly string[]> {
      await database.keep()
      await work()
      return database.changedTables()
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** A guest, and files of other programs that invite it. */
export async function openGuest() {
  const opened = await openPortal()
  const { admin } = opened
  const post =
    (operation: string) =>
    (invitationJSON: string, parameters: Parameters = {}) =>
      admin.post(`/portals/self/${operation}CollaborationInvitation`, { invitationJSON, ...parameters })
  return {
    ...opened,
    guest: new Guest(admin),
    validate: post('validate'),
    accept: post('accept'),
    write: (changes: Parameters = {}, by = honest) =>
      writeFile(invitationNames, anInvitationRequest(root, startOfTests, changes), by),
  }
}

/** A host of two collaborations; the guest takes part in the first one. */
export async function openHost() {
  const opened = await openPortal()
  const first = await hostCollaboration(opened.portal, opened.admin)
  await first.importResponse(writeResponse(await first.invite()))
  const second = await hostCollaboration(opened.portal, opened.admin)
  const invitation = await second.invite()
  const post =
    (operation: string) =>
    (response: string, parameters: Parameters = {}) =>
      opened.admin.post(`${second.path}/${operation}InvitationResponse`, {
        invitationResponseJSON: response,
        ...parameters,
      })
  return { ...opened, first, second, invitation, validate: post('validate'), import: post('import') }
}

import { expect, test } from 'vitest'
import { anInvitationRequest, invitationNames, writeFile, writeResponse } from '../../../support/inputs/signed-files.ts'
import { hostCollaboration, inviteNeighbour } from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { startOfTests } from '../../../support/portal/portal.ts'
import {
  fingerprintOf,
  hexOf,
  honest,
  hostPortalId,
  openGuest,
  openHost,
  refusedForKey,
  root,
  stranger,
} from '../../../support/portal/signed-by-other.ts'

/** URLs at which an organization knows other portals. */

const seas = 'https://seas.example.org'
const impostorId = 'ImpostorPortal09'
/** An invitation to another collaboration, from a portal that the guest does not know. */
const impostor = { id: '4'.repeat(32), collaborationId: '5'.repeat(32), hostPortalId: impostorId }

function takenUrl(signer: 'host' | 'guest', url: string): string {
  return (
    `At ${url}, the portal ${hostPortalId} is known by the key ${fingerprintOf(honest)}, and this file is of the portal ` +
    `${impostorId}, and signed by the key ${fingerprintOf(stranger)}: ask the ${signer} for its id and fingerprint, and give ` +
    'acceptNewKey=true if they are these.'
  )
}

const knownAtUrl = {
  portalId: hostPortalId,
  fingerprint: fingerprintOf(honest),
  fingerprintHex: hexOf(honest),
  since: startOfTests,
}

test.each([
  seas,
  'http://seas.example.org',
  'https://seas.example.org:80',
  'https://seas.example.org.',
  'https://seas.example.org/home',
  'https://seas.example.org//home/index.html',
])('another portal that names %s is refused once a host is known there', async (hostPortalUrl) => {
  await using world = await openGuest()
  await world.accept(world.write())
  const why = takenUrl('host', hostPortalUrl)
  const changed = await world.changedTables(async () => {
    const invitation = world.write({ ...impostor, hostPortalUrl }, stranger)
    expect(await world.validate(invitation)).toEqual(refusedForKey('validate collaboration invitation', why))
    expect(await world.accept(invitation)).toEqual(refusedForKey('accept collaboration invitation', why))
  })
  expect(changed).toEqual([])
})

test('acceptNewKey accepts it, says which portal was known there, and then knows both', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  const invitation = world.write(impostor, stranger)
  const verdict = await world.validate(invitation, { acceptNewKey: true })
  expect(verdict).toMatchObject({ success: true, hostKeyFingerprint: fingerprintOf(stranger) })
  expect(verdict.hostKey).toEqual({ state: 'changed', atUrl: knownAtUrl })
  await world.database.keep()
  expect(await world.accept(invitation, { acceptNewKey: true })).toMatchObject({ success: true })
  const { audit } = await world.database.changes()
  const target =
    `/portals/${world.portalId}/acceptCollaborationInvitation?signerPortalId=${impostorId}` +
    `&newKey=${fingerprintOf(stranger)}&knownPortalId=${hostPortalId}&keyOfKnownPortal=${fingerprintOf(honest)}`
  expect(audit!.added).toMatchObject([{ operation: 'acceptCollaborationInvitation', target, outcome: 200 }])
  for (const [changes, by] of [
    [impostor, stranger],
    [{}, honest],
  ] as const) {
    const next = world.write({ ...changes, id: '6'.repeat(32), collaborationId: '7'.repeat(32) }, by)
    expect((await world.validate(next)).hostKey).toMatchObject({ state: 'known', fingerprint: fingerprintOf(by) })
  }
})

test('a host that is known does not take the URL of another known one, and says so with its own key', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  const own = { ...impostor, hostPortalUrl: 'https://impostor.example.org' }
  expect(await world.accept(world.write(own, stranger))).toMatchObject({ success: true })
  const taken = world.write({ ...impostor, id: '6'.repeat(32) }, stranger)
  expect(await world.validate(taken)).toEqual(
    refusedForKey('validate collaboration invitation', takenUrl('host', seas)),
  )
  expect((await world.validate(taken, { acceptNewKey: true })).hostKey).toEqual({
    state: 'changed',
    fingerprint: fingerprintOf(stranger),
    fingerprintHex: hexOf(stranger),
    since: startOfTests,
    atUrl: knownAtUrl,
  })
})

test('every URL of a host stays its own, also after it has moved and the guest has left', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  const moved = { id: '6'.repeat(32), hostPortalUrl: 'https://deep.example.org' }
  const { collaborationId } = await world.accept(world.write(moved))
  await world.admin.post(`/portals/self/collaborations/${collaborationId}/removeParticipation`)
  for (const hostPortalUrl of [seas, moved.hostPortalUrl]) {
    expect(await world.accept(world.write({ ...impostor, hostPortalUrl }, stranger))).toEqual(
      refusedForKey('accept collaboration invitation', takenUrl('host', hostPortalUrl)),
    )
  }
})

test('a guest of another id is not imported at the URL of a known one, and is by acceptNewKey', async () => {
  await using world = await openHost()
  const response = writeResponse(world.invitation, { guestPortalId: impostorId }, stranger)
  const why = takenUrl('guest', 'https://guest.example.org/portal')
  const changed = await world.changedTables(async () => {
    expect(await world.validate(response)).toEqual(refusedForKey('validate invitation response', why))
    expect(await world.import(response)).toEqual(refusedForKey('import invitation response', why))
  })
  expect(changed).toEqual([])
  const imported = await world.import(response, { acceptNewKey: true })
  expect(imported.guestKey).toEqual({ state: 'changed', atUrl: knownAtUrl })
  const third = await hostCollaboration(world.portal, world.admin)
  const again = writeResponse(await third.invite(), { guestPortalId: impostorId }, stranger)
  expect((await third.importResponse(again)).guestKey).toMatchObject({ state: 'known' })
})

test('a host that was a guest before is known at its URL', async () => {
  await using world = await openHost()
  const hostPortalUrl = 'https://guest.example.org/portal'
  const invitation = await world.admin.post('/portals/self/validateCollaborationInvitation', {
    invitationJSON: writeFile(
      invitationNames,
      anInvitationRequest(root, startOfTests, { ...impostor, hostPortalUrl }),
      stranger,
    ),
  })
  expect(invitation).toEqual(refusedForKey('validate collaboration invitation', takenUrl('host', hostPortalUrl)))
})

test('the URL of this server is that of its own organizations only', async () => {
  await using world = await openGuest()
  expect(
    await world.accept(world.write({ ...impostor, hostPortalUrl: root }, stranger), { acceptNewKey: true }),
  ).toEqual(
    refused(
      'accept collaboration invitation',
      `The file names the URL of this server, ${root}, and a portal that is not on it.`,
    ),
  )
  const host = await hostCollaboration(world.portal, world.admin)
  const { response } = await inviteNeighbour(host)
  expect((await host.importResponse(response)).guestKey).toEqual({ state: 'new' })
})

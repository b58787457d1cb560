import { expect, test } from 'vitest'
import { digestOf, type Signatory, writeResponse } from '../../../support/inputs/signed-files.ts'
import { hostCollaboration, inviteNeighbour } from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import { type Body, startOfTests } from '../../../support/portal/portal.ts'
import {
  fingerprintOf,
  hexOf,
  honest,
  hostPortalId,
  openGuest,
  openHost,
  openPortal,
  refusedForKey,
  root,
  stranger,
} from '../../../support/portal/signed-by-other.ts'

/** Keys by which an organization knows other portals, and collaborations of two hosts under one id. */

function changedKey(signer: 'host' | 'guest', from: Signatory, to: Signatory): string {
  return (
    `The ${signer} is known by the key ${fingerprintOf(from)}, and this file is signed by the key ${fingerprintOf(to)}: ` +
    `ask the ${signer} for its fingerprint, and give acceptNewKey=true if that is the new one.`
  )
}

/** Changes for an invitation to another collaboration. */
const elsewhere = { id: '4'.repeat(32), collaborationId: '5'.repeat(32) }

test('a host that is known by a key is not accepted under another one, in a new collaboration either', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  const why = changedKey('host', honest, stranger)
  const changed = await world.changedTables(async () => {
    for (const changes of [elsewhere, { id: elsewhere.id }]) {
      const invitation = world.write(changes, stranger)
      expect(await world.validate(invitation)).toEqual(refusedForKey('validate collaboration invitation', why))
      expect(await world.accept(invitation)).toEqual(refusedForKey('accept collaboration invitation', why))
      const no = { acceptNewKey: 'false' }
      expect(await world.accept(invitation, no)).toEqual(refusedForKey('accept collaboration invitation', why))
    }
  })
  expect(changed).toEqual([])
  expect(await world.accept(world.write(elsewhere))).toMatchObject({ success: true })
})

test('the verdict says since when which key of the host is known', async () => {
  await using world = await openGuest()
  const [first, second] = [world.write(), world.write(elsewhere)]
  expect(await world.validate(first)).toMatchObject({ hostKey: { state: 'new' } })
  world.portal.clock.now += 5
  await world.accept(first)
  const known = { fingerprint: fingerprintOf(honest), fingerprintHex: hexOf(honest), since: startOfTests + 5 }
  world.portal.clock.now += 5
  expect((await world.validate(second)).hostKey).toEqual({ state: 'known', ...known })
  await world.accept(second)
  const third = world.write({ id: '6'.repeat(32), collaborationId: '7'.repeat(32) }, stranger)
  expect(await world.validate(third, { acceptNewKey: true })).toMatchObject({
    hostKeyFingerprint: fingerprintOf(stranger),
    hostKeyFingerprintHex: hexOf(stranger),
    hostKey: { state: 'changed', ...known },
  })
})

test('acceptNewKey replaces the known key for all that follows, and the audit names both', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  await world.database.keep()
  expect(await world.accept(world.write(elsewhere, stranger), { acceptNewKey: true })).toMatchObject({ success: true })
  const { audit } = await world.database.changes()
  const target =
    `/portals/${world.portalId}/acceptCollaborationInvitation?signerPortalId=${hostPortalId}` +
    `&newKey=${fingerprintOf(stranger)}&knownKey=${fingerprintOf(honest)}`
  expect(audit!.added).toMatchObject([{ operation: 'acceptCollaborationInvitation', target, outcome: 200 }])
  const why = changedKey('host', stranger, honest)
  expect(await world.validate(world.write({ id: '6'.repeat(32) }))).toEqual(
    refusedForKey('validate collaboration invitation', why),
  )
  expect(await world.accept(world.write({ id: '6'.repeat(32) }, stranger))).toMatchObject({ success: true })
})

test('a host may change its URL and name under its key', async () => {
  await using world = await openGuest()
  await world.accept(world.write())
  const moved = world.write({ ...elsewhere, hostPortalUrl: 'https://deep.example.org', hostPortalName: 'Deep' })
  expect(await world.validate(moved)).toMatchObject({ success: true, hostKey: { state: 'known' } })
})

test('a key stays known when the guest leaves', async () => {
  await using world = await openGuest()
  const { collaborationId } = await world.accept(world.write())
  await world.admin.post(`/portals/self/collaborations/${collaborationId}/removeParticipation`)
  expect(await world.accept(world.write(elsewhere, stranger))).toEqual(
    refusedForKey('accept collaboration invitation', changedKey('host', honest, stranger)),
  )
})

test('acceptNewKey makes no other key that of a portal on this server', async () => {
  await using world = await openGuest()
  const { id: neighbour } = await (await world.portal.otherOrganization()).get('/portals/self')
  const forged = world.write({ hostPortalId: neighbour })
  expect(await world.accept(forged, { acceptNewKey: true })).toEqual(
    refused(
      'accept collaboration invitation',
      'The file is signed by another key than the one of the portal that it names.',
    ),
  )
})

test('another organization that uses the id of a collaboration does not block its host', async () => {
  await using world = await openGuest()
  const collaborationId = '2'.repeat(32)
  const strangersPlace = { hostPortalId: 'StrangerPortal01', hostPortalUrl: 'https://stranger.example.org' }
  const squatted = world.write({ id: '8'.repeat(32), ...strangersPlace }, stranger)
  expect(await world.accept(squatted)).toEqual({ success: true, collaborationId })
  const honestFile = world.write()
  const accepted = await world.accept(honestFile)
  expect(accepted).toEqual({ success: true, collaborationId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(accepted.collaborationId).not.toBe(collaborationId)

  const { collaborations } = await world.admin.get('/portals/self/collaborations')
  const hosts = collaborations.map((one: Body) => [one.id, one.collaborationHostPortalId])
  expect(new Map(hosts)).toEqual(
    new Map([
      [collaborationId, 'StrangerPortal01'],
      [accepted.collaborationId, hostPortalId],
    ]),
  )
  const { invitationResponse } = JSON.parse((await world.guest.export(accepted.collaborationId)).body)
  expect(invitationResponse).toMatchObject({ collaborationId, hostPortalId, invitationDigest: digestOf(honestFile) })
  const renewed = world.write({ expiration: startOfTests + 71 * 3_600_000 })
  expect(await world.accept(renewed)).toEqual(accepted)
})

test("another organization that uses the host's portal id as well gives way to the host's key", async () => {
  await using world = await openGuest()
  await world.accept(world.write({ id: '8'.repeat(32) }, stranger))
  const invitation = world.write()
  expect(await world.accept(invitation)).toEqual(
    refusedForKey('accept collaboration invitation', changedKey('host', stranger, honest)),
  )
  expect(await world.accept(invitation, { acceptNewKey: true })).toEqual({
    success: true,
    collaborationId: '2'.repeat(32),
  })
  const { invitationResponse } = JSON.parse((await world.guest.export('2'.repeat(32))).body)
  expect(invitationResponse.invitationDigest).toBe(digestOf(invitation))
})

test('a guest that is known by a key is not imported under another one', async () => {
  await using world = await openHost()
  const response = writeResponse(world.invitation, {}, stranger)
  const why = changedKey('guest', honest, stranger)
  const changed = await world.changedTables(async () => {
    expect(await world.validate(response)).toEqual(refusedForKey('validate invitation response', why))
    expect(await world.import(response)).toEqual(refusedForKey('import invitation response', why))
  })
  expect(changed).toEqual([])
  const known = {
    state: 'known',
    fingerprint: fingerprintOf(honest),
    fingerprintHex: hexOf(honest),
    since: startOfTests,
  }
  expect((await world.validate(writeResponse(world.invitation))).guestKey).toEqual(known)
  expect((await world.import(writeResponse(world.invitation))).guestKey).toEqual(known)
})

test('acceptNewKey imports it, and the known key is the new one from then on', async () => {
  await using world = await openHost()
  const response = writeResponse(world.invitation, {}, stranger)
  const verdict = await world.validate(response, { acceptNewKey: true })
  expect(verdict).toMatchObject({ success: true, guestKey: { state: 'changed', fingerprint: fingerprintOf(honest) } })
  await world.database.keep()
  expect(await world.import(response, { acceptNewKey: true })).toEqual(verdict)
  const { audit } = await world.database.changes()
  const target =
    `/portals/${world.portalId}/collaborations/${world.second.collaborationId}/importInvitationResponse` +
    `?signerPortalId=${hostPortalId}&newKey=${fingerprintOf(stranger)}&knownKey=${fingerprintOf(honest)}`
  expect(audit!.added).toMatchObject([{ operation: 'importInvitationResponse', target }])
  const third = await hostCollaboration(world.portal, world.admin)
  const { guestKey } = await third.importResponse(writeResponse(await third.invite(), {}, stranger))
  expect(guestKey).toMatchObject({ state: 'known', fingerprint: fingerprintOf(stranger) })
})

test('a guest that was removed is still known by its key', async () => {
  await using world = await openHost()
  await world.admin.post(`${world.first.path}/participants/${hostPortalId}/remove`)
  const again = writeResponse(await world.first.invite(), {}, stranger)
  expect(await world.first.importResponse(again)).toEqual(
    refusedForKey('import invitation response', changedKey('guest', honest, stranger)),
  )
})

test('one key of a portal is known, whether it was host or guest before', async () => {
  await using world = await openPortal()
  const host = await hostCollaboration(world.portal, world.admin)
  const { response, guest } = await inviteNeighbour(host)
  await host.importResponse(response)
  const back = await hostCollaboration(world.portal, guest.client)
  const { text } = await back.invite({ guestPortalUrl: root })
  expect(await new Guest(world.admin).validate(text)).toMatchObject({ success: true, hostKey: { state: 'known' } })
})

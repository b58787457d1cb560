import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RewindableDatabase } from '../../../support/databases/rewindable-database.ts'
import { aGoodFile, hostileOfEachGroup } from '../../../support/inputs/hostile-files.ts'
import {
  anInvitationRequest,
  digestOf,
  invitationNames,
  signatory,
  writeFile,
} from '../../../support/inputs/signed-files.ts'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { Guest, sendFile } from '../../../support/portal/handshake.ts'
import { type Parameters, startOfTests, startPortal } from '../../../support/portal/portal.ts'

const root = 'https://maps.example.com/portal'
const acceptPath = '/portals/self/acceptCollaborationInvitation'
const validatePath = '/portals/self/validateCollaborationInvitation'
const notAnInvitation = 'The members of the document are not those of an invitation.'
const hour = 3_600_000
const forOther = (url: string) => `The invitation is for ${url}; this portal is ${root}.`
const tooLong = 'The invitation expires more than 72 hours from now, which is the longest time that is allowed.'

/** A guest that another program invites. */
async function invited() {
  const database = await RewindableDatabase.open()
  const { portal } = database
  const guest = new Guest(await portal.admin())
  const { id: portalId } = await guest.client.get('/portals/self')
  return {
    portal,
    guest,
    portalId,
    request: (changes: Parameters = {}) => anInvitationRequest(root, startOfTests, changes),
    write: (changes: Parameters = {}, by = signatory(1)) =>
      writeFile(invitationNames, anInvitationRequest(root, startOfTests, changes), by),
    /** Validating and accepting both say no, and change nothing. */
    async refuse(invitation: string, why: string, what = why): Promise<void> {
      await database.keep()
      const validated = await sendFile(guest.client, validatePath, 'invitationFile', invitation)
      expect(validated, what).toEqual(refused('validate collaboration invitation', why))
      const accepted = await sendFile(guest.client, acceptPath, 'invitationFile', invitation)
      expect(accepted, what).toEqual(refused('accept collaboration invitation', why))
      expect(await database.changedTables(), what).toEqual([])
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('an invitation that another program wrote from the description is validated and accepted', async () => {
  await using world = await invited()
  const invitation = world.write()
  expect(await world.guest.validate(invitation)).toEqual({
    success: true,
    hostKeyFingerprint: expect.stringMatching(/^[\w-]{43}$/),
    hostKeyFingerprintHex: expect.stringMatching(/^[0-9a-f]{4}( [0-9a-f]{4}){15}$/),
    hostKey: { state: 'new' },
    invitationRequest: world.request(),
  })
  expect((await world.guest.client.get('/portals/self/collaborations')).total).toBe(0)
  expect(await world.guest.accept(invitation)).toEqual({ success: true, collaborationId: '2'.repeat(32) })
  const { collaborations } = await world.guest.client.get('/portals/self/collaborations')
  expect(collaborations).toMatchObject([{ id: '2'.repeat(32), collaborationHostPortalId: 'InstituteOfSeas1' }])
  const response = JSON.parse((await world.guest.export('2'.repeat(32))).body)
  expect(response.invitationResponse.invitationDigest).toBe(digestOf(invitation))
})

describe('a file is validated and accepted alike, and changes nothing:', () => {
  let world: Awaited<ReturnType<typeof invited>>

  beforeAll(async () => {
    world = await invited()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('a hostile one of each group is refused with the reason', async () => {
    const files = hostileOfEachGroup(aGoodFile(invitationNames, world.request()))
    for (const { what, text, why } of files) await world.refuse(text, why, what)
  })

  test.each<[string, Parameters, string]>([
    ['for this one with a slash', { guestPortalUrl: `${root}/` }, forOther(`${root}/`)],
    ['that ends now', { expiration: startOfTests }, 'Invitation has expired.'],
    ['that ends in 73 hours', { expiration: startOfTests + 73 * hour }, tooLong],
    [
      'from a root with a slash behind',
      { hostPortalUrl: 'https://seas.example.org/' },
      "The invitation does not have the host's root as an http or https URL.",
    ],
    ['with a further member', { more: 1 }, notAnInvitation],
  ])('an invitation %s is refused', async (_, changes, why) => {
    await world.refuse(world.write(changes), why)
  })
})

test('a file is accepted once, and a later one takes its place', async () => {
  await using world = await invited()
  await world.guest.accept(world.write())
  await world.refuse(world.write(), 'Invitation has already been accepted.')
  const renewed = world.write({ expiration: startOfTests + 71 * hour })
  expect(await world.guest.accept(renewed)).toMatchObject({ success: true })
  const response = JSON.parse((await world.guest.export('2'.repeat(32))).body)
  expect(response.invitationResponse.invitationDigest).toBe(digestOf(renewed))
})

test('a portal is not invited to what it hosts', async () => {
  await using world = await invited()
  await world.refuse(world.write({ hostPortalId: world.portalId }), 'The invitation is from this portal itself.')
  const { collaborationId } = await hostCollaboration(world.portal, world.guest.client)
  await world.refuse(world.write({ collaborationId }), 'The collaboration is one that this portal hosts.')
})

test('an invitation file that came from another server with its own signature is taken as it is', async () => {
  await using portal = await startPortal({ environment: { PUBLIC_URL: 'https://seas.example.org' } })
  await using world = await invited()
  const { text } = await (await hostCollaboration(portal)).invite({ guestPortalUrl: root })
  expect(await sendFile(world.guest.client, acceptPath, 'invitationFile', text)).toMatchObject({ success: true })
})

test('one file or one text has to be given, and not both', async () => {
  await using world = await invited()
  const { client } = world.guest
  const either = 'Give either invitationFile or invitationJSON.'
  expect(await client.post(acceptPath)).toEqual(refused('accept collaboration invitation', either))
  expect(await client.post(validatePath)).toEqual(refused('validate collaboration invitation', either))
  const both = { invitationFile: world.write(), invitationJSON: world.write() }
  expect(await client.post(acceptPath, both)).toEqual(refused('accept collaboration invitation', either))
})

test('credentials of another server may be sent empty, as a form does', async () => {
  await using world = await invited()
  const empty = { hostWebauthUsername: '', hostWebauthPassword: ' ', hostWebauthCertPassword: '' }
  expect(await world.guest.accept(world.write(), empty)).toMatchObject({ success: true })
})

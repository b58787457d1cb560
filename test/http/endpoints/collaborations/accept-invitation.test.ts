import { expect, test } from 'vitest'
import { RewindableDatabase } from '../../../support/databases/rewindable-database.ts'
import { aGoodFile, hostileFiles } from '../../../support/inputs/hostile-files.ts'
import {
  anInvitationRequest,
  digestOf,
  invitationNames,
  signatory,
  writeFile,
} from '../../../support/inputs/signed-files.ts'
import { hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest, sendFile } from '../../../support/portal/handshake.ts'
import { type Parameters, startOfTests, startPortal } from '../../../support/portal/portal.ts'

const root = 'https://maps.example.com/portal'
const acceptPath = '/portals/self/acceptCollaborationInvitation'
const validatePath = '/portals/self/validateCollaborationInvitation'
const notAnInvitation = 'The members of the document are not those of an invitation.'
const hour = 3_600_000
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
      const changed = Object.keys(await database.changes()).filter((table) => table !== 'audit')
      expect(changed, what).toEqual([])
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

test('every hostile file is refused with the reason, validated alike, and changes nothing', async () => {
  await using world = await invited()
  for (const { what, text, why } of hostileFiles(aGoodFile(invitationNames, world.request()))) {
    await world.refuse(text, why, what)
  }
})

test.each<[string, Parameters, string]>([
  ['for another portal', { guestPortalUrl: 'https://other.example.org' }, 'The invitation is for another portal.'],
  ['for another path', { guestPortalUrl: `${root}s` }, 'The invitation is for another portal.'],
  ['for this one with a slash', { guestPortalUrl: `${root}/` }, 'The invitation is for another portal.'],
  ['that ends now', { expiration: startOfTests }, 'Invitation has expired.'],
  ['that ended long ago', { expiration: 0 }, 'Invitation has expired.'],
  ['that ends in 73 hours', { expiration: startOfTests + 73 * hour }, tooLong],
  ['that ends in 30 years', { expiration: startOfTests + 30 * 365 * 24 * hour }, tooLong],
  [
    'with an unknown access mode',
    { collaborationWorkspaces: [{ id: '3'.repeat(32), name: '', description: '', accessMode: 'own' }] },
    'The invitation has an access mode that is not known.',
  ],
  [
    'with a workspace twice',
    {
      collaborationWorkspaces: ['send', 'receive'].map((accessMode) => ({
        ...{ id: '3'.repeat(32), name: '', description: '', accessMode },
      })),
    },
    'The invitation names a workspace twice.',
  ],
  [
    'from a root that is a script',
    { hostPortalUrl: 'javascript:alert(1)' },
    "The invitation does not have the host's root as an http or https URL.",
  ],
  [
    'from a root with a slash behind',
    { hostPortalUrl: 'https://seas.example.org/' },
    "The invitation does not have the host's root as an http or https URL.",
  ],
  ['with a collaboration that is a path', { collaborationId: '../self' }, notAnInvitation],
  ['with an empty host', { hostPortalId: '' }, notAnInvitation],
  ['with a further member', { more: 1 }, notAnInvitation],
  ['with text for workspaces', { collaborationWorkspaces: '[]' }, notAnInvitation],
  ['with a workspace that is null', { collaborationWorkspaces: [null] }, notAnInvitation],
  ['with a workspace without a name', { collaborationWorkspaces: [{ id: '3'.repeat(32) }] }, notAnInvitation],
])('an invitation %s is refused', async (_, changes, why) => {
  await using world = await invited()
  await world.refuse(world.write(changes), why)
})

test('every member has to be there, in its place and of its kind', async () => {
  await using world = await invited()
  const good = world.request()
  for (const [name, value] of Object.entries(good)) {
    const { [name]: _, ...without } = good
    for (const wrong of [null, { value }, typeof value === 'string' ? 1 : String(value)]) {
      const what = `${name} as ${JSON.stringify(wrong)}`
      await world.refuse(writeFile(invitationNames, { ...good, [name]: wrong }, signatory(1)), notAnInvitation, what)
    }
    await world.refuse(writeFile(invitationNames, without, signatory(1)), notAnInvitation, `without ${name}`)
  }
  const { id, ...rest } = good
  await world.refuse(writeFile(invitationNames, { ...rest, id }, signatory(1)), notAnInvitation)
  expect(Object.keys(good)).toHaveLength(14)
})

test('the last millisecond is in time', async () => {
  await using world = await invited()
  const invitation = world.write({ expiration: startOfTests + hour })
  world.portal.clock.now += hour - 1
  expect(await world.guest.accept(invitation)).toMatchObject({ success: true })
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

test('a contact that is too long is refused, with the invitation left alone', async () => {
  await using world = await invited()
  const answer = await world.guest.accept(world.write(), { guestContactFirstname: 'a'.repeat(129) })
  expect(answer.error.details).toEqual(['guestContactFirstname: has 129 characters; at most 128 are allowed.'])
  expect(await world.guest.client.get(`/portals/self/collaborations/${'2'.repeat(32)}`)).toEqual(resourceNotFound)
})

test('credentials of another server are refused, unless a form sends them empty', async () => {
  await using world = await invited()
  const empty = { hostWebauthUsername: '', hostWebauthPassword: ' ', hostWebauthCertPassword: '' }
  const answer = await world.guest.accept(world.write(), { ...empty, hostWebauthPassword: 'secret' })
  expect(answer).toEqual(
    refused(
      'accept collaboration invitation',
      'hostWebauthPassword: no server signs in to another one here; leave it out.',
    ),
  )
  expect(await world.guest.accept(world.write(), empty)).toMatchObject({ success: true })
})

import { answerHost } from '../support/inputs/signed-files.ts'
import { CollaborationHost, hostCollaboration } from '../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../support/portal/envelopes.ts'
import { Guest, sendFile, startServer } from '../support/portal/handshake.ts'
import type { Body, Client, TestPortal } from '../support/portal/portal.ts'
import { describe, expect, test } from '../support/portal/test.ts'

const hour = 3_600_000
const importRefused = (why: string) => refused('import invitation response', why)

/** Two servers that share nothing: other databases, other clocks, and no connection to one another. */
async function startPair({ isReused = true } = {}) {
  const hostServer = await startServer({ ORGANIZATION_NAME: 'Ministry of Maps' }, isReused)
  const guestServer = await startServer({ ORGANIZATION_NAME: 'Institute of Seas' })
  guestServer.clock.now += 7000
  const host = await hostCollaboration(hostServer, undefined, { hostContactFirstname: 'Anna' })
  const guest = new Guest(await guestServer.admin())
  const guestPortalUrl = guestServer.server.publicUrl()
  return {
    host,
    guest,
    hostServer,
    guestServer,
    guestPortalUrl,
    invite: (hours = 72) => host.invite({ guestPortalUrl, expiration: hours }),
    async [Symbol.asyncDispose]() {
      await hostServer[Symbol.asyncDispose]()
      await guestServer[Symbol.asyncDispose]()
    },
  }
}

async function participantsOf(client: Client, collaborationId: string): Promise<readonly string[]> {
  const { participants } = await client.get(`/portals/self/collaborations/${collaborationId}/participants`)
  return participants.map(
    ({ collaborationRole, portalInfo }: Body) => `${collaborationRole} ${portalInfo.name} ${portalInfo.url}`,
  )
}

/** The host again after a long time, when its token has ended. */
async function later({ hostServer, host }: { hostServer: TestPortal; host: CollaborationHost }, milliseconds: number) {
  hostServer.clock.now += milliseconds
  return new CollaborationHost(await hostServer.admin(), host.collaborationId, host.workspaceId)
}

test('a host invites a guest, the guest accepts, and both sides list each other', async () => {
  await using pair = await startPair()
  const { host, guest, hostServer, guestServer, guestPortalUrl } = pair
  const { collaborationId } = host
  const invitation = await pair.invite()

  const seen = await sendFile(
    guest.client,
    '/portals/self/validateCollaborationInvitation',
    'invitationFile',
    invitation.text,
  )
  expect(seen.invitationRequest).toEqual(JSON.parse(invitation.text).invitationRequest)
  expect(seen.hostKeyFingerprint).toBe((await host.client.get('/portals/self/publicKey')).fingerprint)
  expect(await guest.accept(invitation.text, { guestContactFirstname: 'Ören' })).toEqual({
    success: true,
    collaborationId,
  })
  const exported = await guest.export(collaborationId)
  expect(exported.headers['content-disposition']).toBe('attachment; filename="collaboration-localhost.response"')

  const verdict = await answerHost(host, exported.body, 'validate')
  expect(verdict.guestKeyFingerprint).toBe((await guest.client.get('/portals/self/publicKey')).fingerprint)
  expect(await host.read(invitation)).toMatchObject({ status: 'host_created', guestPortalId: 'unknown' })
  const path = `${host.path}/importInvitationResponse`
  expect(await sendFile(host.client, path, 'invitationResponseFile', exported.body)).toEqual(verdict)

  const { id: guestPortalId } = await guest.client.get('/portals/self')
  expect(await host.read(invitation)).toMatchObject({ status: 'host_accepted', guestPortalId })
  const both = [`Host Ministry of Maps ${hostServer.server.publicUrl()}`, `Guest Institute of Seas ${guestPortalUrl}`]
  expect(await participantsOf(host.client, collaborationId)).toEqual(both)
  expect(await participantsOf(guest.client, collaborationId)).toEqual(both)
  const { collaborations } = await guest.client.get('/portals/self/collaborations')
  expect(collaborations).toMatchObject([{ id: collaborationId, name: 'Alpine maps', created: guestServer.clock.now }])
})

test('no server calls the other: a guest that is alone accepts and answers', async () => {
  await using pair = await startPair({ isReused: false })
  const invitation = await pair.invite()
  await pair.hostServer.server.close()
  const response = await pair.guest.answer(invitation.text)
  expect(JSON.parse(response).invitationResponse.id).toBe(invitation.id)
})

test('an invitation that was taken back before the answer comes does not import', async () => {
  await using pair = await startPair()
  const { host, guest } = pair
  const invitation = await pair.invite()
  const response = await guest.answer(invitation.text)
  await host.client.get(`${invitation.path}/invalidate`)
  expect(await answerHost(host, response)).toEqual(importRefused('Invitation has been invalidated.'))
  expect(await host.read(invitation)).toMatchObject({ status: 'host_invalidated', guestPortalId: 'unknown' })
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(1)
})

describe('in time', () => {
  test.each([
    [-1, undefined],
    [0, 'Invitation has expired.'],
  ])('a response %i milliseconds after the end: %s', async (milliseconds, why) => {
    await using pair = await startPair()
    const response = await pair.guest.answer((await pair.invite(2)).text)
    const host = await later(pair, 2 * hour + milliseconds)
    expect(await answerHost(host, response)).toMatchObject(why ? importRefused(why) : { success: true })
  })

  test.each([
    [-1, undefined],
    [0, 'Invitation has expired.'],
  ])('the guest judges by its own clock, %i milliseconds after the end: %s', async (milliseconds, why) => {
    await using pair = await startPair()
    const { text } = await pair.invite(2)
    pair.guestServer.clock.now = pair.hostServer.clock.now + 2 * hour + milliseconds
    const guest = new Guest(await pair.guestServer.admin())
    const wrong = why === undefined ? undefined : refused('accept collaboration invitation', why)
    expect(await guest.accept(text)).toMatchObject(wrong ?? { success: true })
  })
})

test('after a refresh the old answer no longer imports, and the answer to the new file does', async () => {
  await using pair = await startPair()
  const { guest } = pair
  const invitation = await pair.invite(1)
  const old = await guest.answer(invitation.text)
  const host = await later(pair, 5 * hour)
  const refreshed = JSON.stringify(await host.client.post(`${invitation.path}/refresh`))
  const otherFile = 'The response is for another file than the one that the invitation has now.'
  expect(await answerHost(host, old)).toEqual(importRefused(otherFile))
  const again = (await guest.export(host.collaborationId)).body
  expect(await answerHost(host, again)).toEqual(importRefused(otherFile))
  const early = 'The invitation expires more than 72 hours from now, which is the longest time that is allowed.'
  expect(await guest.accept(refreshed)).toEqual(refused('accept collaboration invitation', early))
  pair.guestServer.clock.now += 5 * hour
  const guestLater = new Guest(await pair.guestServer.admin())
  expect(await answerHost(host, await guestLater.answer(refreshed))).toMatchObject({ success: true })
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(2)
})

test('in a second collaboration each side knows the key of the other', async () => {
  await using pair = await startPair()
  const { host, guest, guestPortalUrl } = pair
  await host.admit(guest)
  const second = await hostCollaboration(pair.hostServer, host.client)
  const { text } = await second.invite({ guestPortalUrl })
  expect((await guest.validate(text)).hostKey).toMatchObject({ state: 'known' })
  expect((await answerHost(second, await guest.answer(text))).guestKey).toMatchObject({ state: 'known' })
})

test('a guest that the host removed comes back by a new invitation, and by nothing else', async () => {
  await using pair = await startPair()
  const { host, guest } = pair
  const response = await guest.answer((await pair.invite()).text)
  await answerHost(host, response)
  const { id } = await guest.client.get('/portals/self')
  expect(await host.client.post(`${host.path}/participants/${id}/remove`)).toEqual({ success: true })
  expect(await answerHost(host, response)).toEqual(importRefused('Invitation has already been accepted.'))
  const exportedAgain = (await guest.export(host.collaborationId)).body
  expect(await answerHost(host, exportedAgain)).toEqual(importRefused('Invitation has already been accepted.'))
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(1)
  pair.hostServer.clock.now += 1
  expect(await answerHost(host, await guest.answer((await pair.invite()).text))).toMatchObject({ success: true })
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(2)
})

test('a guest that leaves knows the collaboration no longer, and comes back by a new invitation', async () => {
  await using pair = await startPair()
  const { host, guest } = pair
  const invitation = await pair.invite()
  await answerHost(host, await guest.answer(invitation.text))
  expect(await guest.client.post(`${host.path}/removeParticipation`)).toEqual({ success: true })
  expect(await guest.client.get(host.path)).toEqual(resourceNotFound)
  expect((await guest.export(host.collaborationId)).json()).toEqual(resourceNotFound)
  expect(await guest.client.post(`${host.path}/removeParticipation`)).toEqual(resourceNotFound)
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(2)
  const replayed = await guest.answer(invitation.text)
  expect(await answerHost(host, replayed)).toEqual(importRefused('Invitation has already been accepted.'))
  const { id } = await guest.client.get('/portals/self')
  await host.client.post(`${host.path}/participants/${id}/remove`)
  pair.hostServer.clock.now += 1
  expect(await answerHost(host, await guest.answer((await pair.invite()).text))).toMatchObject({ success: true })
})

test('nothing is left to answer when the collaboration is deleted', async () => {
  await using pair = await startPair()
  const { host, guest } = pair
  const response = await guest.answer((await pair.invite()).text)
  await host.client.post(`${host.path}/delete`)
  expect(await answerHost(host, response)).toEqual(resourceNotFound)
  const other = await hostCollaboration(pair.hostServer, host.client)
  expect(await answerHost(other, response)).toEqual(importRefused('The response is for another collaboration.'))
  expect(await participantsOf(guest.client, host.collaborationId)).toHaveLength(2)
})

test('an organization is the guest of another one on the same server', async ({ portal, host, outsider }) => {
  const guest = new Guest(outsider)
  const invitation = await host.invite({ guestPortalUrl: portal.server.publicUrl() })
  const own = await new Guest(host.client).accept(invitation.text)
  expect(own).toEqual(refused('accept collaboration invitation', 'The invitation is from this portal itself.'))
  expect(await outsider.get(host.path)).toEqual(resourceNotFound)
  expect(await answerHost(host, await guest.answer(invitation.text))).toMatchObject({ success: true })
  expect(await participantsOf(host.client, host.collaborationId)).toHaveLength(2)
  expect(await participantsOf(outsider, host.collaborationId)).toHaveLength(2)
  expect((await outsider.get('/portals/self/collaborations')).collaborations).toHaveLength(1)
  expect(await outsider.post(`${host.path}/delete`)).toEqual(resourceNotFound)
  expect(await outsider.get(`${host.path}/invitations`)).toEqual(resourceNotFound)
})

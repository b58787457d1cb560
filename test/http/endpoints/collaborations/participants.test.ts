import { type CollaborationHost, hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import { type Body, type Client, startOfTests, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const root = 'https://maps.example.com/portal'

/** A host and its guest, in one workspace. */
async function openBoth(portal: TestPortal) {
  const host = await hostCollaboration(portal, undefined, {
    hostContactFirstname: 'Anna',
    hostContactLastname: 'Alm',
    hostContactEmailAddress: 'anna@example.com',
  })
  const guest = new Guest(await portal.otherOrganization())
  const { text } = await host.invite({ guestPortalUrl: root })
  const contact = {
    guestContactFirstname: 'Mare',
    guestContactLastname: 'Meer',
    guestContactEmailAddress: ' mare@example.org ',
  }
  const response = await guest.answer(text, contact)
  portal.clock.now += 5
  const imported = await host.importResponse(response)
  const { id: hostPortalId } = await host.client.get('/portals/self')
  return { host, guest, hostPortalId, guestPortalId: imported.invitationResponse.guestPortalId as string }
}

function record(collaborationId: string, id: string, name: string, role: string, at: number, contact: object) {
  return {
    collaborationId,
    portalInfo: { id, url: root, name, description: '', portalType: 'onpremises' },
    collaborationRole: role,
    status: 'active',
    config: contact,
    created: at,
    modified: at,
  }
}

const hostContact = { contactFirstname: 'Anna', contactLastname: 'Alm', contactEmailAddress: 'anna@example.com' }
const guestContact = { contactFirstname: 'Mare', contactLastname: 'Meer', contactEmailAddress: 'mare@example.org' }

/** Access mode of each portal in the first workspace, as the host knows it. */
async function modes(host: CollaborationHost, client: Client = host.client): Promise<Body> {
  const { participantsWithoutGroupLinks } = await client.get(`${host.path}/workspaces/${host.workspaceId}`)
  return Object.fromEntries(participantsWithoutGroupLinks.map((link: Body) => [link.portalId, link.accessMode]))
}

describe('participants', () => {
  test('the guest knows the host and itself, and no other guest', async ({ portal }) => {
    const { host, guest, hostPortalId, guestPortalId } = await openBoth(portal)
    const caves = new Guest(await portal.otherOrganization('Bureau of Caves', 'caver'))
    const thirdPortalId = await host.admit(caves)
    const { collaborationId } = host
    const { participants, ...rest } = await guest.client.get(`${host.path}/participants`)
    expect(rest).toEqual({ total: 2, start: 1, num: 10, nextStart: -1 })
    expect(participants).toEqual([
      record(collaborationId, hostPortalId, 'Ministry of Maps', 'Host', startOfTests, hostContact),
      record(collaborationId, guestPortalId, 'Institute of Seas', 'Guest', startOfTests, guestContact),
    ])
    expect(await guest.client.get(`${host.path}/participants/${guestPortalId}`)).toEqual(participants[1])
    expect(await guest.client.get(`${host.path}/participants/${thirdPortalId}`)).toEqual(resourceNotFound)
    expect((await host.client.get(`${host.path}/participants`)).total).toBe(3)
  })

  test('a guest reads them page by page', async ({ portal }) => {
    const { host, guest, hostPortalId, guestPortalId } = await openBoth(portal)
    for (const [start, nextStart, id] of [
      [1, 2, hostPortalId],
      [2, -1, guestPortalId],
    ]) {
      const page = await guest.client.get(`${host.path}/participants`, { start: String(start), num: '1' })
      expect(page).toMatchObject({ total: 2, nextStart, participants: [{ portalInfo: { id } }] })
    }
  })
})

describe('remove', () => {
  test('a guest takes part no longer, and comes back by a new invitation', async ({ portal }) => {
    const { host, guest, guestPortalId, hostPortalId } = await openBoth(portal)
    const path = `${host.path}/participants/${guestPortalId}`
    expect(await host.client.post(`${path}/remove`)).toEqual({ success: true })
    expect(await host.client.get(path)).toEqual(resourceNotFound)
    expect(await host.client.post(`${path}/remove`)).toEqual(resourceNotFound)
    expect(await modes(host)).toEqual({ [hostPortalId]: 'sendAndReceive' })
    expect(await host.admit(guest)).toBe(guestPortalId)
    expect(await modes(host)).toMatchObject({ [guestPortalId]: 'send' })
  })

  test('invitations to the guest that were open are taken back with it', async ({ portal }) => {
    const { host, guestPortalId } = await openBoth(portal)
    const open = await host.invite({ guestPortalUrl: root })
    const other = await host.invite({ guestPortalUrl: 'https://elsewhere.example.org' })
    expect(await host.client.post(`${host.path}/participants/${guestPortalId}/remove`)).toEqual({ success: true })
    expect(await host.client.get(open.path)).toMatchObject({
      status: 'host_invalidated',
      history: [{ event: 'create' }, { event: 'invalidate', username: 'admin' }],
    })
    expect(await host.client.get(other.path)).toMatchObject({ status: 'host_created' })
  })

  test('the host cannot be removed', async ({ portal }) => {
    const { host, hostPortalId } = await openBoth(portal)
    expect(await host.client.post(`${host.path}/participants/${hostPortalId}/remove`)).toEqual(
      refused('remove participant', 'The host cannot be removed; delete the collaboration.'),
    )
    expect((await host.client.get(`${host.path}/participants`)).total).toBe(2)
  })
})

describe('updateParticipantAccessModes', () => {
  test.each(['send', 'receive', 'sendAndReceive'])('the host gives its guest the access mode %s', async (mode) => {
    await using portal = await startPortal()
    const { host, guest, guestPortalId, hostPortalId } = await openBoth(portal)
    const path = `${host.path}/participants/${guestPortalId}/updateParticipantAccessModes`
    const access = { collaborationWorkspacesAccessJSON: [{ [host.workspaceId]: mode }] }
    expect(await host.client.post(path, access)).toEqual({ success: true })
    expect(await modes(host)).toEqual({ [hostPortalId]: 'sendAndReceive', [guestPortalId]: mode })
    // The guest is not notified: no server calls another.
    expect(await modes(host, guest.client)).toEqual({ [guestPortalId]: 'send' })
  })

  test('workspaces that are not named stay as they are, and a new one is added', async ({ portal }) => {
    const { host, guestPortalId } = await openBoth(portal)
    const { workspace } = await host.client.post(`${host.path}/addWorkspace`, { collaborationWorkspaceName: 'Ice' })
    const path = `${host.path}/participants/${guestPortalId}/updateParticipantAccessModes`
    await host.client.post(path, { collaborationWorkspacesAccessJSON: [{ [workspace.id]: 'receive' }] })
    expect((await modes(host))[guestPortalId]).toBe('send')
    const { participantsWithoutGroupLinks } = await host.client.get(`${host.path}/workspaces/${workspace.id}`)
    expect(participantsWithoutGroupLinks).toContainEqual({ portalId: guestPortalId, accessMode: 'receive' })
  })

  test('a group that the host has linked stays linked', async ({ portal }) => {
    const { host, hostPortalId } = await openBoth(portal)
    const { id: portalGroupId } = await host.client.createGroup('Maps')
    const workspace = `${host.path}/workspaces/${host.workspaceId}`
    await host.client.post(`${workspace}/updatePortalGroupLink`, { portalGroupId })
    await host.client.post(`${host.path}/participants/${hostPortalId}/updateParticipantAccessModes`, {
      collaborationWorkspacesAccessJSON: [{ [host.workspaceId]: 'receive' }],
    })
    expect((await host.client.get(workspace)).participantGroupLinks).toEqual([
      { portalId: hostPortalId, portalGroupId, accessMode: 'receive' },
    ])
  })
})

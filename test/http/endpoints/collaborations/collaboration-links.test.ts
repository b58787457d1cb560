import { type CollaborationHost, hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import type { Body, Client, Parameters, TestPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

/** A host and its guest, in one workspace. */
async function openBoth(portal: TestPortal) {
  const host = await hostCollaboration(portal, undefined, { accessMode: 'receive' })
  const guest = new Guest(await portal.otherOrganization())
  const guestPortalId = await host.admit(guest)
  const { id: hostPortalId } = await host.client.get('/portals/self')
  return { host, guest: guest.client, guestPortalId, hostPortalId }
}

function read(host: CollaborationHost, client: Client): Promise<Body> {
  return client.get(`${host.path}/workspaces/${host.workspaceId}`)
}

function link(host: CollaborationHost, client: Client, parameters: Parameters): Promise<Body> {
  return client.post(`${host.path}/workspaces/${host.workspaceId}/updatePortalGroupLink`, parameters)
}

function unlink(host: CollaborationHost, client: Client): Promise<Body> {
  return client.post(`${host.path}/workspaces/${host.workspaceId}/removePortalGroupLink`)
}

const noLink = refused('remove portal group link', 'No group of this portal is linked to the workspace.')

describe('a group of the host', () => {
  test('it is linked, replaced and unlinked', async ({ portal }) => {
    const { host, hostPortalId, guestPortalId } = await openBoth(portal)
    const guestSide = { portalId: guestPortalId, accessMode: 'send' }
    const hostSide = { portalId: hostPortalId, accessMode: 'receive' }
    expect((await read(host, host.client)).participantGroupLinks).toEqual([])
    for (const title of ['Maps', 'More maps']) {
      const { id: portalGroupId } = await host.client.createGroup(title)
      expect(await link(host, host.client, { portalGroupId })).toEqual({ success: true })
      expect(await read(host, host.client)).toMatchObject({
        participantGroupLinks: [{ ...hostSide, portalGroupId }],
        participantsWithoutGroupLinks: [guestSide],
      })
    }
    expect(await unlink(host, host.client)).toEqual({ success: true })
    const { participantGroupLinks, participantsWithoutGroupLinks } = await read(host, host.client)
    expect(participantGroupLinks).toEqual([])
    expect(participantsWithoutGroupLinks).toHaveLength(2)
    expect(participantsWithoutGroupLinks).toEqual(expect.arrayContaining([guestSide, hostSide]))
    expect(await unlink(host, host.client)).toEqual(noLink)
  })
})

describe('a group of the guest', () => {
  test('it is linked, replaced and unlinked on the guest’s side alone', async ({ portal }) => {
    const { host, guest, guestPortalId } = await openBoth(portal)
    const atHost = await read(host, host.client)
    const side = { portalId: guestPortalId, accessMode: 'send' }
    const before = await read(host, guest)
    expect(before).toMatchObject({ participantGroupLinks: [], participantsWithoutGroupLinks: [side] })
    portal.clock.now += 5
    for (const title of ['Seas', 'More seas']) {
      const { id: portalGroupId } = await guest.createGroup(title)
      expect(await link(host, guest, { portalGroupId })).toEqual({ success: true })
      expect(await read(host, guest)).toEqual({
        ...before,
        modified: portal.clock.now,
        participantGroupLinks: [{ ...side, portalGroupId }],
        participantsWithoutGroupLinks: [],
      })
    }
    expect(await unlink(host, guest)).toEqual({ success: true })
    expect(await read(host, guest)).toEqual({ ...before, modified: portal.clock.now })
    expect(await unlink(host, guest)).toEqual(noLink)
    expect(await read(host, host.client)).toEqual(atHost)
  })

  test('it stays linked when a new invitation is accepted', async ({ portal }) => {
    const { host, guest } = await openBoth(portal)
    const { id: portalGroupId } = await guest.createGroup('Seas')
    await link(host, guest, { portalGroupId })
    const { text } = await host.invite({
      guestPortalUrl: portal.server.publicUrl(),
      collaborationWorkspacesParticipantConfigJSON: [{ [host.workspaceId]: 'sendAndReceive' }],
    })
    expect(await new Guest(guest).accept(text)).toMatchObject({ success: true })
    expect((await read(host, guest)).participantGroupLinks).toMatchObject([
      { portalGroupId, accessMode: 'sendAndReceive' },
    ])
  })
})

describe('a group that is not to be linked', () => {
  test('a missing workspace is reported before a missing group', async ({ portal }) => {
    const { host, guest } = await openBoth(portal)
    const other = await hostCollaboration(portal, host.client)
    for (const client of [host.client, guest]) {
      for (const id of ['f'.repeat(32), other.workspaceId]) {
        for (const operation of ['updatePortalGroupLink', 'removePortalGroupLink']) {
          const path = `${host.path}/workspaces/${id}/${operation}`
          expect(await client.post(path, { portalGroupId: 'x' })).toEqual(resourceNotFound)
        }
      }
    }
    const stranger = await portal.otherOrganization('Bureau of Caves', 'stranger')
    expect(await link(host, stranger, { portalGroupId: 'x' })).toEqual(resourceNotFound)
  })
})

describe('a linked group that is deleted', () => {
  test('the links of both sides end with their groups', async ({ portal }) => {
    const { host, guest } = await openBoth(portal)
    for (const client of [host.client, guest]) {
      const { id: portalGroupId } = await client.createGroup('Maps')
      await link(host, client, { portalGroupId })
      expect((await read(host, client)).participantGroupLinks).toHaveLength(1)
      expect(await client.post(`/community/groups/${portalGroupId}/delete`)).toMatchObject({ success: true })
      expect((await read(host, client)).participantGroupLinks).toEqual([])
      expect(await unlink(host, client)).toEqual(noLink)
    }
  })
})

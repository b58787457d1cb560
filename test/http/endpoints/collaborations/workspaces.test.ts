import { type CollaborationHost, hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { Guest } from '../../../support/portal/handshake.ts'
import { type Body, type Parameters, startOfTests } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

function add(host: CollaborationHost, parameters: Parameters = {}): Promise<Body> {
  return host.client.post(`${host.path}/addWorkspace`, { collaborationWorkspaceName: 'Glaciers', ...parameters })
}

async function list(host: CollaborationHost): Promise<Body[]> {
  return (await host.client.get(`${host.path}/workspaces`, { num: 100 })).workspaces
}

describe('addWorkspace', () => {
  test('one more workspace stands last in the list, and the host takes part in it', async ({ portal, host }) => {
    portal.clock.now += 5
    const answer = await add(host, { collaborationWorkspaceDescription: 'Ice', accessMode: 'receive' })
    expect(await host.client.get(`${host.path}/workspaces/${answer.workspace.id}`)).toEqual(answer.workspace)
    expect((await list(host)).map(({ id }) => id)).toEqual([host.workspaceId, answer.workspace.id])
  })

  test('a name is enough; a group of the host is linked immediately', async ({ portal, host }) => {
    const { id: portalId } = await host.client.get('/portals/self')
    portal.clock.now += 1
    expect((await add(host)).workspace).toMatchObject({
      description: '',
      participantsWithoutGroupLinks: [{ portalId, accessMode: 'sendAndReceive' }],
    })
    const { id: portalGroupId } = await host.client.createGroup('Ice')
    portal.clock.now += 1
    const { workspace } = await add(host, { portalGroupId, accessMode: 'send' })
    expect(workspace).toMatchObject({
      participantGroupLinks: [{ portalId, portalGroupId, accessMode: 'send' }],
      participantsWithoutGroupLinks: [],
    })
    expect((await list(host))[2]).toEqual(workspace)
  })

  test('a guest does not see it until the host gives it access by an invitation', async ({ portal, host }) => {
    const guest = new Guest(await portal.otherOrganization())
    await host.admit(guest)
    const { workspace } = await add(host)
    const seen = await guest.client.get(`${host.path}/workspaces`)
    expect(seen.workspaces.map(({ id }: Body) => id)).toEqual([host.workspaceId])
    expect(await guest.client.get(`${host.path}/workspaces/${workspace.id}`)).toEqual(resourceNotFound)
  })
})

describe('updateInfo', () => {
  test.for([
    [{ name: 'Renamed' }, { name: 'Renamed', description: 'Sheets' }],
    [{ description: 'New' }, { name: 'Base maps', description: 'New' }],
    [{ description: '' }, { name: 'Base maps', description: '' }],
    [{}, { name: 'Base maps', description: 'Sheets' }],
  ] as const)('%o leaves the rest', async ([parameters, expected], { portal }) => {
    const host = await hostCollaboration(portal, undefined, { workspaceDescription: 'Sheets' })
    const path = `${host.path}/workspaces/${host.workspaceId}`
    const before = await host.client.get(path)
    portal.clock.now += 5
    expect(await host.client.post(`${path}/updateInfo`, parameters)).toEqual({ success: true })
    expect(await host.client.get(path)).toEqual({ ...before, ...expected, modified: startOfTests + 5 })
  })
})

describe('delete', () => {
  test('a workspace goes, and the last one is refused', async ({ host }) => {
    const { workspace } = await add(host)
    const path = (id: string) => `${host.path}/workspaces/${id}`
    expect(await host.client.post(`${path(host.workspaceId)}/delete`)).toEqual({ success: true })
    expect(await host.client.get(path(host.workspaceId))).toEqual(resourceNotFound)
    expect(await host.client.post(`${path(host.workspaceId)}/delete`)).toEqual(resourceNotFound)
    expect((await list(host)).map(({ id }) => id)).toEqual([workspace.id])
    expect(await host.client.post(`${path(workspace.id)}/delete`)).toEqual(
      refused('delete workspace', 'This is the last workspace of the collaboration; delete the collaboration.'),
    )
    expect(await list(host)).toEqual([workspace])
  })

  test('an invitation that names it imports and is refreshed without it', async ({ portal, host }) => {
    const guest = new Guest(await portal.otherOrganization())
    const { workspace } = await add(host)
    const invitation = await host.invite({
      guestPortalUrl: portal.server.publicUrl(),
      collaborationWorkspacesParticipantConfigJSON: [{ [host.workspaceId]: 'send' }, { [workspace.id]: 'receive' }],
    })
    const response = await guest.answer(invitation.text)
    const other = await host.invite({
      collaborationWorkspacesParticipantConfigJSON: [{ [host.workspaceId]: 'send' }, { [workspace.id]: 'receive' }],
    })
    await host.client.post(`${host.path}/workspaces/${workspace.id}/delete`)
    expect(await host.importResponse(response)).toMatchObject({ success: true })
    const [{ participantsWithoutGroupLinks }] = await list(host)
    const { id: guestPortalId } = await guest.client.get('/portals/self')
    expect(participantsWithoutGroupLinks).toContainEqual({ portalId: guestPortalId, accessMode: 'send' })
    const { invitationRequest } = await host.client.post(`${other.path}/refresh`)
    expect(invitationRequest.collaborationWorkspaces).toEqual([
      { id: host.workspaceId, name: 'Base maps', description: '', accessMode: 'send' },
    ])
  })
})

import {
  anInvitationRequest,
  invitationNames,
  signatory,
  writeFile,
  writeResponse,
} from '../../../support/inputs/signed-files.ts'
import { type Body, startOfTests } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const guestUrl = 'https://guest.example.org/portal'

test('entries of collaborations have their names, also once they are deleted', async ({ host }) => {
  const { client, path } = host
  const groupId = (await client.createGroup('Depths')).id
  const { workspace } = await client.post(`${path}/addWorkspace`, { collaborationWorkspaceName: 'Coasts' })
  await client.post(`${path}/workspaces/${workspace.id}/updateInfo`, { name: 'Shores' })
  await client.post(`${path}/workspaces/${workspace.id}/updatePortalGroupLink`, { portalGroupId: groupId })
  await client.post(`${path}/workspaces/${workspace.id}/removePortalGroupLink`)
  await client.post(`${path}/workspaces/${workspace.id}/delete`)
  const invitation = await host.invite()
  await client.post(`${invitation.path}/refresh`)
  await client.post(`${invitation.path}/invalidate`)
  const response = writeResponse(await host.invite())
  await client.post(`${path}/validateInvitationResponse`, { invitationResponseJSON: response })
  await host.importResponse(response)
  const participant = `${path}/participants/InstituteOfSeas1`
  const collaborationWorkspacesAccessJSON = [{ [host.workspaceId]: 'receive' }]
  await client.post(`${participant}/updateParticipantAccessModes`, { collaborationWorkspacesAccessJSON })
  await client.post(`${participant}/remove`)
  await client.post(`${path}/updateInfo`, { name: 'Lowland maps' })
  await client.post(`${path}/delete`)

  const { items } = await client.get('/portals/self/history', { all: true, num: 100, sortOrder: 'asc' })
  const named = items
    .filter(({ request }: Body) => /ollaborations/.test(request))
    .map(({ itemTitle, data }: Body) => [data.operation, itemTitle, data.collaboration])
  const inCollaboration = 'Alpine maps'
  expect(named).toEqual([
    ['createCollaboration', 'Alpine maps', undefined],
    ['addWorkspace', 'Coasts', inCollaboration],
    ['updateWorkspace', 'Shores', inCollaboration],
    ['linkWorkspaceGroup', 'Shores', inCollaboration],
    ['unlinkWorkspaceGroup', 'Shores', inCollaboration],
    ['deleteWorkspace', 'Shores', inCollaboration],
    ['inviteParticipant', guestUrl, inCollaboration],
    ['refreshInvitation', guestUrl, inCollaboration],
    ['invalidateInvitation', guestUrl, inCollaboration],
    ['inviteParticipant', guestUrl, inCollaboration],
    ['validateInvitationResponse', 'Alpine maps', undefined],
    ['importInvitationResponse', 'Alpine maps', undefined],
    ['updateParticipantAccessModes', 'Institute of Seas', inCollaboration],
    ['removeParticipant', 'Institute of Seas', inCollaboration],
    ['updateCollaboration', 'Lowland maps', undefined],
    ['deleteCollaboration', 'Lowland maps', undefined],
  ])
  expect(items.every(({ data }: Body) => !('title' in data))).toBe(true)
})

test('entries of a guest name the invitation by its id, its collaboration and its host', async ({ portal, admin }) => {
  const request = anInvitationRequest(portal.server.publicUrl(), startOfTests)
  const invitationJSON = writeFile(invitationNames, request, signatory(1))
  await admin.post('/portals/self/validateCollaborationInvitation', { invitationJSON })
  const { collaborationId } = await admin.post('/portals/self/acceptCollaborationInvitation', { invitationJSON })
  await admin.post(`/portals/self/collaborations/${collaborationId}/exportInvitationResponse`)
  await admin.post(`/portals/self/collaborations/${collaborationId}/removeParticipation`)
  const { items } = await admin.get('/portals/self/history', { all: true, num: 4, sortOrder: 'desc' })
  const received = {
    id: request['id'],
    idType: 'inv',
    itemTitle: portal.server.publicUrl(),
    data: { collaboration: 'Soundings', host: 'https://seas.example.org' },
  }
  const own = { id: collaborationId, idType: 'c', itemTitle: 'Soundings' }
  expect(items.slice(0, 4)).toMatchObject([own, own, received, received])
})

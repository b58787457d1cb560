import {
  anInvitationRequest,
  answerHost,
  invitationNames,
  signatory,
  writeFile,
  writeResponse,
} from '../../support/inputs/signed-files.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

const anotherKey = 'The file is signed by another key than the one of the portal that it names.'

test('a response in the name of an organization of this server, by another key, does not import', async () => {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const other = await portal.otherOrganization()
  const { id: guestPortalId } = await other.get('/portals/self')
  const invitation = await host.invite()
  const forged = writeResponse(invitation, { guestPortalId }, signatory(7))
  expect(await answerHost(host, forged)).toEqual(refused('import invitation response', anotherKey))
  expect((await host.client.get(`${host.path}/participants`)).total).toBe(1)
  expect((await host.client.get(invitation.path)).status).toBe('host_created')
})

test('an invitation in the name of an organization of this server, by another key, is not accepted', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const other = await portal.otherOrganization()
  const { id: hostPortalId } = await other.get('/portals/self')
  const request = anInvitationRequest(portal.server.publicUrl(), portal.clock.now, { hostPortalId })
  const invitationJSON = writeFile(invitationNames, request, signatory(7))
  expect(await admin.post('/portals/self/acceptCollaborationInvitation', { invitationJSON })).toEqual(
    refused('accept collaboration invitation', anotherKey),
  )
  expect((await admin.get('/portals/self/collaborations')).total).toBe(0)
})

test('names in a file are as long, and as plain, as they may be anywhere', async ({ host }) => {
  for (const guestPortalName of ['x'.repeat(2049), 'clear \u001b[2J', 'NUL \u0000']) {
    const answer = await answerHost(host, writeResponse(await host.invite(), { guestPortalName }))
    expect(answer.error.details).toEqual(['The members of the document are not those of an invitation response.'])
  }
  expect(
    await answerHost(host, writeResponse(await host.invite(), { guestPortalName: 'x'.repeat(2048) })),
  ).toMatchObject({
    success: true,
  })
})

test('an invitation that no guest could read is not made', async ({ host }) => {
  const config = [{ [host.workspaceId]: 'send' }]
  for (let count = 0; count < 60; count += 1) {
    const { workspace } = await host.client.post(`${host.path}/addWorkspace`, {
      collaborationWorkspaceName: '山'.repeat(100),
      collaborationWorkspaceDescription: '谷'.repeat(250),
    })
    config.push({ [workspace.id]: 'send' })
  }
  const answer = await host.client.post(
    `${host.path}/inviteParticipant`,
    host.wish({ collaborationWorkspacesParticipantConfigJSON: config }),
  )
  expect(answer.error.details).toEqual([
    expect.stringMatching(/^The invitation has \d{5,6} bytes; at most 65536 are allowed: name fewer workspaces\.$/),
  ])
  expect((await host.client.get(`${host.path}/invitations`)).total).toBe(0)
})

test('an invitation to nothing is not refreshed', async ({ host }) => {
  const invitation = await host.invite()
  await host.client.post(`${host.path}/addWorkspace`, { collaborationWorkspaceName: 'Glaciers' })
  await host.client.post(`${host.path}/workspaces/${host.workspaceId}/delete`)
  expect(await host.client.post(`${invitation.path}/refresh`)).toEqual(
    refused('refresh invitation', 'None of the workspaces that the invitation names exists any more.'),
  )
})

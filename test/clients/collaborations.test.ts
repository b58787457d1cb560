import { ArcGISAuthError, type ArcGISIdentityManager, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test, vi } from 'vitest'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

interface Host {
  readonly authentication: ArcGISIdentityManager
  /** URL of the collaboration. */
  readonly url: string
  readonly workspaceId: string
}

async function openHost(portal: ListeningPortal): Promise<Host> {
  const authentication = await portal.identity()
  const portalUrl = `${portal.url}/portals/self`
  const { collaboration } = await request(`${portalUrl}/createCollaboration`, {
    authentication,
    params: { name: 'Alpine maps', workspaceName: 'Base maps', accessMode: 'send' },
  })
  const url = `${portalUrl}/collaborations/${collaboration.id}`
  const { workspaces } = await request(`${url}/workspaces`, { authentication })
  return { authentication, url, workspaceId: workspaces[0].id }
}

function invitationFor({ authentication, workspaceId }: Host) {
  return {
    authentication,
    params: {
      guestPortalUrl: 'https://guest.example.org/portal',
      collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
    },
  }
}

/** Invites, and resolves with the URL of the invitation. */
async function invite(host: Host): Promise<string> {
  await request(`${host.url}/inviteParticipant`, invitationFor(host))
  const { authentication } = host
  const { collaborationInvitations } = await request(`${host.url}/invitations`, { authentication })
  return `${host.url}/invitations/${collaborationInvitations[0].id}`
}

test('a collaboration that was made is listed and read', async () => {
  await using portal = await startListeningPortal()
  const { authentication, url } = await openHost(portal)
  const collaborations = await request(`${portal.url}/portals/self/collaborations`, { authentication })
  expect(collaborations).toMatchObject({ total: 1, nextStart: -1, collaborations: [{ name: 'Alpine maps' }] })
  const read = await request(url, { authentication, httpMethod: 'GET' })
  expect(read).toMatchObject({ id: collaborations.collaborations[0].id, name: 'Alpine maps' })
})

test('inviteParticipant with rawResponse answers a file to be kept', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  // The client warns that it will drop rawResponse one day.
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const response: Response = await request(`${host.url}/inviteParticipant`, {
    ...invitationFor(host),
    rawResponse: true,
  })
  warn.mockRestore()
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="collaboration-guest.example.org.invite"',
  )
  const file = await response.text()
  const invitations = await request(`${host.url}/invitations`, { authentication: host.authentication })
  expect(file).toBe(invitations.collaborationInvitations[0].invitationString)
})

test('inviteParticipant without rawResponse answers the file as JSON', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  const file = await request(`${host.url}/inviteParticipant`, invitationFor(host))
  expect(file).toHaveProperty('invitationRequest')
})

test('inviteParticipant into a workspace that is not there is refused', async () => {
  await using portal = await startListeningPortal()
  const host = { ...(await openHost(portal)), workspaceId: '0'.repeat(32) }
  const error = await rejectionOf(request(`${host.url}/inviteParticipant`, invitationFor(host)), ArcGISRequestError)
  expect(error.message).toBe('400: Unable to invite participant.')
})

test('the invitations of a collaboration are listed in pages', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  for (let count = 0; count < 3; count += 1) await invite(host)
  const { authentication } = host
  const page = await request(`${host.url}/invitations`, {
    authentication,
    httpMethod: 'GET',
    params: { start: 1, num: 2 },
  })
  expect(page).toMatchObject({ total: 3, start: 1, num: 2, nextStart: 3 })
  expect(page.collaborationInvitations).toHaveLength(2)
  expect(page.collaborationInvitations[0]).toMatchObject({
    status: 'host_created',
    guestPortalId: 'unknown',
    guestPortalUrl: 'https://guest.example.org/portal',
    expiration: portal.clock.now + 72 * 3_600_000,
  })
})

for (const httpMethod of ['GET', 'POST'] as const) {
  test(`an invitation is invalidated by ${httpMethod}`, async () => {
    await using portal = await startListeningPortal()
    const host = await openHost(portal)
    const { authentication } = host
    const url = await invite(host)
    expect(await request(`${url}/invalidate`, { authentication, httpMethod })).toEqual({ success: true })
    expect(portal.lastArrival.method).toBe(httpMethod)
    expect(await request(url, { authentication })).toMatchObject({ status: 'host_invalidated' })
  })
}

test('an invitation that is invalidated again is success', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  const { authentication } = host
  const url = await invite(host)
  await request(`${url}/invalidate`, { authentication })
  expect(await request(`${url}/invalidate`, { authentication })).toEqual({ success: true })
})

test('an invitation that is not there is not invalidated: 404', async () => {
  await using portal = await startListeningPortal()
  const { authentication, url } = await openHost(portal)
  const invalidate = request(`${url}/invitations/${'0'.repeat(32)}/invalidate`, { authentication })
  const error = await rejectionOf(invalidate, ArcGISRequestError)
  expect(error.response).toEqual({
    error: { code: 404, message: 'Resource does not exist or is inaccessible.', details: [] },
  })
})

test('an invitation is not invalidated by a member: 403', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  const url = await invite(host)
  const anna = await portal.newIdentity('anna')
  const error = await rejectionOf(request(`${url}/invalidate`, { authentication: anna }), ArcGISRequestError)
  expect(error.response.error.code).toBe(403)
  expect(await request(url, { authentication: host.authentication })).toMatchObject({ status: 'host_created' })
})

test('an invitation is not invalidated without an identity: 499', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  const url = await invite(host)
  const error = await rejectionOf(request(`${url}/invalidate`, { httpMethod: 'GET' }), ArcGISAuthError)
  expect(error.response.error.code).toBe(499)
})

test('an invitation that is refreshed has another 72 hours', async () => {
  await using portal = await startListeningPortal()
  const host = await openHost(portal)
  const { authentication } = host
  const url = await invite(host)
  portal.clock.now += 100 * 3_600_000
  expect(await request(`${url}/refresh`, { authentication })).toHaveProperty('invitationRequest')
  expect(await request(url, { authentication })).toMatchObject({
    expiration: portal.clock.now + 72 * 3_600_000,
    status: 'host_created',
  })
})

import { type ArcGISIdentityManager, request } from '@esri/arcgis-rest-request'
import { expect, vi } from 'vitest'
import { test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'

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

test('inviteParticipant with rawResponse answers a file to be kept', async ({ portal }) => {
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

test('inviteParticipant without rawResponse answers the file as JSON', async ({ portal }) => {
  const host = await openHost(portal)
  const file = await request(`${host.url}/inviteParticipant`, invitationFor(host))
  expect(file).toHaveProperty('invitationRequest')
})

for (const httpMethod of ['GET', 'POST'] as const) {
  test(`an invitation is invalidated by ${httpMethod}`, async ({ portal }) => {
    const host = await openHost(portal)
    const { authentication } = host
    const url = await invite(host)
    expect(await request(`${url}/invalidate`, { authentication, httpMethod })).toEqual({ success: true })
    expect(portal.lastArrival.method).toBe(httpMethod)
    expect(await request(url, { authentication })).toMatchObject({ status: 'host_invalidated' })
  })
}

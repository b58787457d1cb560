import { answerHost, writeResponse } from '../../../support/inputs/signed-files.ts'
import { CollaborationHost, hostCollaboration } from '../../../support/portal/collaboration-host.ts'
import { adminPassword, type Client, startOfTests, type TestPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const day = 86_400_000

async function noticesOf(client: Client) {
  const { notifications } = await client.get(`/community/users/${client.username}/notifications`)
  return notifications as readonly { id: string; type: string; read: boolean; received: number; data: object }[]
}

async function typesOf(client: Client) {
  return (await noticesOf(client)).map(({ type, read }) => [type, read])
}

/** The host, and another administrator with the same collaboration. */
async function openTwo(portal: TestPortal) {
  const host = await hostCollaboration(portal)
  const mira = await portal.user('mira', 'org_admin')
  return { host, admin: host.client, mira }
}

/** The host's user at a later time, when earlier tokens have ended. */
async function waitUntil(portal: TestPortal, until: number): Promise<Client> {
  portal.clock.now = until
  return portal.signIn('admin', adminPassword)
}

test('who has sent an invitation is notified when another user invalidates it, and not of what was done alone', async ({
  portal,
}) => {
  const { host, admin, mira } = await openTwo(portal)
  const [first, second] = [await host.invite(), await host.invite()]
  await admin.post(`${first.path}/invalidate`)
  expect(await noticesOf(admin)).toEqual([])
  portal.clock.now += 1
  for (const _ of [1, 2]) await mira.post(`${second.path}/invalidate`)
  expect(await noticesOf(admin)).toEqual([
    {
      id: second.id,
      type: 'invitation_invalidated',
      target: 'admin',
      targetType: 'user',
      received: startOfTests + 1,
      read: false,
      data: {
        groupId: '',
        groupTitle: '',
        invitation: {
          id: second.id,
          collaborationId: host.collaborationId,
          collaborationName: 'Alpine maps',
          guestPortalUrl: 'https://guest.example.org/portal',
          by: 'mira',
        },
      },
    },
  ])
  expect(await noticesOf(mira)).toEqual([])
  expect(await mira.get(`/community/users/mira/notifications/${second.id}`)).toMatchObject({ error: { code: 404 } })
  // Nothing is left to warn of.
  expect(await typesOf(await waitUntil(portal, startOfTests + 3 * day))).toEqual([['invitation_invalidated', false]])
})

test('who has sent an invitation last is notified a day before its end, once, and may say that it is read', async ({
  portal,
}) => {
  const { host } = await openTwo(portal)
  const invitation = await host.invite()
  await host.invite({ expiration: '24' })
  const early = await waitUntil(portal, startOfTests + 2 * day - 1)
  expect(await noticesOf(early)).toEqual([])
  expect(await early.get(`/community/users/admin/notifications/${invitation.id}`)).toMatchObject({
    error: { code: 404 },
  })
  // A notification of a later time is not read by that.
  await early.post('/community/users/admin/notifications/markRead', { until: String(startOfTests + 9 * day) })
  portal.clock.now += 1
  expect(await noticesOf(early)).toMatchObject([
    { type: 'invitation_expiring', read: false, received: startOfTests + 2 * day, data: { invitation: { by: '' } } },
  ])
  await early.post('/community/users/admin/notifications/markRead')
  expect(await typesOf(early)).toEqual([['invitation_expiring', true]])
  const later = await portal.signIn('mira', adminPassword)
  await later.post(`${invitation.path}/refresh`)
  expect(await noticesOf(early)).toEqual([])
  portal.clock.now += 2 * day
  const latest = await portal.signIn('mira', adminPassword)
  expect(await typesOf(latest)).toEqual([['invitation_expiring', false]])
  await (await portal.signIn('admin', adminPassword)).post(`${invitation.path}/invalidate`)
  expect(await typesOf(latest)).toEqual([['invitation_invalidated', false]])
})

test('another user imports the response: who has sent the invitation is notified, and not of its end', async ({
  portal,
}) => {
  const { host, mira } = await openTwo(portal)
  const invitation = await host.invite()
  const other = new CollaborationHost(mira, host.collaborationId, host.workspaceId)
  expect(await answerHost(other, writeResponse(invitation))).toMatchObject({ success: true })
  const expected = [['invitation_accepted', false]]
  expect(await typesOf(host.client)).toEqual(expected)
  expect(await typesOf(await waitUntil(portal, startOfTests + 2 * day))).toEqual(expected)
})

test('a deleted collaboration leaves no notice of its invitations', async ({ portal }) => {
  const { host, mira } = await openTwo(portal)
  const [revoked] = [await host.invite(), await host.invite()]
  await mira.post(`${revoked.path}/invalidate`)
  expect(await typesOf(host.client)).toHaveLength(1)
  await host.client.post(`${host.path}/delete`)
  expect(await noticesOf(host.client)).toEqual([])
  expect(await noticesOf(await waitUntil(portal, startOfTests + 2 * day))).toEqual([])
})

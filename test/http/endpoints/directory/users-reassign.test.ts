import { refused, userNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const task = 'reassign what the user owns'

function reassign(client: Client, username: string, targetUsername: string) {
  return client.post(`/community/users/${username}/reassign`, { targetUsername })
}

test('gives all groups to another user, and the former owner manages them', async ({ admin, anna }) => {
  await admin.invite('bruno')
  const own = await anna.createGroup('Maps')
  const shared = await anna.createGroup('Seas')
  await anna.post(`/community/groups/${shared.id}/addUsers`, { users: 'bruno' })
  const other = await admin.createGroup('Of the administrator')
  expect(await reassign(admin, 'anna', 'Bruno')).toEqual({ success: true })
  for (const { id } of [own, shared]) {
    expect(await admin.get(`/community/groups/${id}/users`)).toEqual({
      owner: 'bruno',
      admins: ['anna', 'bruno'],
      users: [],
    })
  }
  expect(await admin.get(`/community/groups/${other.id}`)).toMatchObject({ owner: 'admin' })
  expect(await admin.post('/community/users/anna/delete')).toEqual({ success: true, username: 'anna' })
})

test.each([
  ['owns', 'bruno owns 1 groups; a user may own at most 2.'],
  ['belongs to', 'bruno belongs to 2 groups; at most 3 are allowed.'],
] as const)('gives all or nothing: not more than the other %s at most', async (what, reason) => {
  await using portal = await startPortal({ environment: { LIMIT_GROUPS_OWNED: '2', LIMIT_MEMBERSHIPS: '3' } })
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const bruno = await admin.invite('bruno')
  if (what === 'owns') await bruno.createGroup('Of Bruno')
  else {
    for (const title of ['One', 'Two']) {
      const { id } = await admin.createGroup(title)
      await admin.post(`/community/groups/${id}/addUsers`, { users: 'bruno' })
    }
  }
  const groups = [await anna.createGroup('Maps'), await anna.createGroup('Seas')]
  expect(await reassign(admin, 'anna', 'bruno')).toEqual(refused(task, reason))
  for (const { id } of groups) {
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ owner: 'anna' })
  }
})

test('needs another enabled user of the organization', async ({ portal, admin }) => {
  await portal.otherOrganization()
  for (const username of ['anna', 'gone']) await admin.invite(username)
  await admin.post('/community/users/gone/disable')
  for (const target of ['anna', 'gone', 'nobody', 'outsider']) {
    expect(await reassign(admin, 'anna', target)).toEqual(
      refused(task, `targetUsername: ${target} is not another enabled user of the organization.`),
    )
  }
  expect(await reassign(admin, 'nobody', 'admin')).toEqual(userNotFound)
})

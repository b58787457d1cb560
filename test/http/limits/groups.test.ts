import { RawDatabase } from '../../support/databases/raw-database.ts'
import { refused } from '../../support/portal/envelopes.ts'
import { type Body, type Client, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

/** Counts how often the calls reach a limit. */
async function countReached(
  { server }: TestPortal,
  limit: 'groupsOwned' | 'memberships' | 'groupsInView',
  calls: () => Promise<unknown>,
): Promise<number> {
  const { limitCounts } = server.dependencies
  const before = limitCounts.of(limit)
  await calls()
  return limitCounts.of(limit) - before
}

test('a user owns no more groups than are allowed, by creating them or by being given one', async () => {
  await using portal = await startPortal({ environment: { LIMIT_GROUPS_OWNED: '2' } })
  const admin = await portal.admin()
  const [anna, bert] = [await admin.invite('anna'), await admin.invite('bert')]
  const refusal = 'anna owns 2 groups; a user may own at most 2.'
  const { id } = await anna.createGroup('One')
  await anna.createGroup('Two')
  const reached = await countReached(portal, 'groupsOwned', async () =>
    expect(await anna.post('/community/createGroup', { title: 'Three' })).toEqual(refused('create group', refusal)),
  )
  expect(reached).toBe(1)
  const given = await bert.createGroup('Given')
  const give = () => admin.post(`/community/groups/${given.id}/reassign`, { targetUsername: 'anna' })
  expect(await give()).toEqual(refused('reassign group', refusal))
  expect(await bert.get(`/community/groups/${given.id}`)).toMatchObject({ owner: 'bert' })
  await anna.post(`/community/groups/${id}/delete`)
  expect(await give()).toEqual({ success: true, groupId: given.id })
})

test('a user belongs to no more groups than are allowed; the others are added nevertheless', async () => {
  await using portal = await startPortal({ environment: { LIMIT_MEMBERSHIPS: '2' } })
  const admin = await portal.admin()
  const [anna, bert, carl] = [await admin.invite('anna'), await admin.invite('bert'), await admin.invite('carl')]
  const open = await carl.createGroup('Open', { access: 'org', isInvitationOnly: 'false' })
  const closed = await bert.createGroup('Closed')
  await anna.createGroup('Own')
  expect(await admin.post(`/community/groups/${closed.id}/addUsers`, { users: 'anna' })).toEqual({ notAdded: [] })
  const refusal = 'anna belongs to 2 groups; at most 2 are allowed.'
  expect(await anna.post('/community/createGroup', { title: 'Third' })).toEqual(refused('create group', refusal))
  expect(await anna.post(`/community/groups/${open.id}/join`)).toEqual(refused('join group', refusal))
  expect(await admin.post(`/community/groups/${open.id}/reassign`, { targetUsername: 'anna' })).toEqual(
    refused('reassign group', refusal),
  )
  const reached = await countReached(portal, 'memberships', async () =>
    expect(await admin.post(`/community/groups/${open.id}/addUsers`, { users: 'anna,bert' })).toEqual({
      notAdded: ['anna'],
      reasons: ['anna belongs to as many groups as is allowed.'],
    }),
  )
  expect(reached).toBe(1)
  expect(await carl.get(`/community/groups/${open.id}/users`)).toMatchObject({ users: ['bert'] })
  await anna.post(`/community/groups/${closed.id}/leave`)
  expect(await anna.post(`/community/groups/${open.id}/join`)).toMatchObject({ success: true })
})

test('other users can use up half of what a user may own and belong to, and no more', async () => {
  await using portal = await startPortal({ environment: { LIMIT_GROUPS_OWNED: '4', LIMIT_MEMBERSHIPS: '6' } })
  const admin = await portal.admin()
  const [anna, bert, carl] = [await admin.invite('anna'), await admin.invite('bert'), await admin.invite('carl')]
  const [first, second, third] = [
    await bert.createGroup('One'),
    await bert.createGroup('Two'),
    await bert.createGroup('Three'),
  ]
  const fourth = await carl.createGroup('Four')
  const add = ({ id }: Body, by: Client) => by.post(`/community/groups/${id}/addUsers`, { users: 'anna' })
  for (const group of [first, second, third]) expect(await add(group, bert)).toEqual({ notAdded: [] })
  expect(await add(fourth, carl)).toEqual({
    notAdded: ['anna'],
    reasons: ['anna belongs to as many groups as is allowed.'],
  })

  const give = ({ id }: Body) => bert.post(`/community/groups/${id}/reassign`, { targetUsername: 'anna' })
  for (const group of [first, second]) expect(await give(group)).toMatchObject({ success: true })
  const refusal = 'anna owns 2 groups; other users may give groups only to owners of fewer than 2.'
  expect(await give(third)).toEqual(refused('reassign group', refusal))
  // The other half is for the user and for administrators.
  await anna.createGroup('Own')
  expect(await add(fourth, admin)).toEqual({ notAdded: [] })
})

test('a view of a user has its first groups and says how many there are; the list of groups has all of them', async () => {
  await using portal = await startPortal({ environment: { LIMIT_GROUPS_IN_VIEW: '3' } })
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const titles = ['a', 'b', 'c', 'd', 'e']
  const titlesOf = (groups: readonly { readonly title: string }[]) => groups.map(({ title }) => title)
  const views = async () => [
    await anna.get('/community/self'),
    (await anna.get('/portals/self')).user,
    await admin.get('/community/users/anna'),
  ]
  for (const title of titles.slice(0, 3)) await anna.createGroup(title)
  for (const view of await views()) {
    expect(titlesOf(view.groups)).toEqual(['a', 'b', 'c'])
    expect(view).not.toHaveProperty('groupsTotal')
  }
  for (const title of titles.slice(3)) await anna.createGroup(title)
  const reached = await countReached(portal, 'groupsInView', async () => {
    for (const view of await views()) {
      expect(titlesOf(view.groups)).toEqual(['a', 'b', 'c'])
      expect(view.groupsTotal).toBe(5)
    }
  })
  expect(reached).toBe(3)
  expect(titlesOf((await anna.get('/community/groups')).results)).toEqual(titles)
})

const mebibyte = 1024 * 1024
const bytesOf = (body: Body) => Buffer.byteLength(JSON.stringify(body))

test('large groups make neither a view nor a page of the list larger than a megabyte', async ({ portal, admin }) => {
  const count = 40
  const titles = Array.from({ length: count }, (_, at) => `Group ${String(at + 1).padStart(2, '0')}`)
  for (const title of titles) await admin.createGroup(title)
  await new RawDatabase(portal).run(`update groups set description = '${'\u20ac'.repeat(10_000)}'`)
  const view = await admin.get('/community/self')
  expect(view.groupsTotal).toBe(count)
  expect(view.groups).toHaveLength(17)
  expect(bytesOf(view)).toBeLessThan(mebibyte)
  const pages = await readPages(admin)
  expect(pages.map(({ num, start, nextStart }) => [num, start, nextStart])).toEqual([
    [34, 1, 35],
    [100, 35, -1],
  ])
  for (const page of pages) expect(bytesOf(page)).toBeLessThan(mebibyte + 1_000)
  const listed = pages.flatMap(({ results }) => results.map(({ title }: { title: string }) => title))
  expect(listed).toEqual(titles)
})

async function readPages(client: Client): Promise<Body[]> {
  const pages: Body[] = []
  for (let start = 1; start !== -1; start = pages.at(-1).nextStart) {
    pages.push(await client.get('/community/groups', { num: '100', start: String(start) }))
  }
  return pages
}

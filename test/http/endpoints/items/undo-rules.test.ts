import { expect, test } from 'vitest'
import { runHousekeeping } from '../../../../src/background/housekeeping.ts'
import { openContent, themes } from '../../../support/portal/content-world.ts'
import { houseOf } from '../../../support/portal/house.ts'
import type { Body, Client, Parameters } from '../../../support/portal/portal.ts'

const historyOf = async (client: Client, id: string): Promise<Body[]> =>
  (await client.get(`/content/items/${id}/history`)).history
const last = async (client: Client, id: string): Promise<Body> => (await historyOf(client, id))[0]
const revert = async (client: Client, entry: string): Promise<Body> =>
  (await client.post(`/portals/self/history/${entry}/revert`)).results
const share = (client: Client, id: string, sharing: Parameters): Promise<Body> =>
  client.post(`/content/items/${id}/share`, sharing)
const groupsOf = async (client: Client, id: string): Promise<string[]> => {
  const { admin, member, other } = await client.get(`/content/items/${id}/groups`)
  return [...admin, ...member, ...other].map((group: Body) => group.id)
}
/** An item of anna, and a member who is not its owner. */
const open = async () => {
  const world = await openContent(1)
  return { ...world, id: world.ids[0]!, bert: await world.admin.invite('bert') }
}
const done = [{ itemId: expect.any(String), success: true }]
const refusal = (error: object) => [{ success: false, error }]
const paths = (id: string, ...categories: readonly string[]) => ({ items: JSON.stringify([{ [id]: { categories } }]) })

test('who may not change an item is refused alike whatever has become of its hidden sharing', async () => {
  await using world = await open()
  const { anna, bert, id } = world
  const { id: hidden } = await anna.createGroup('Hidden', { access: 'private' })
  await share(anna, id, { org: true, groups: hidden })
  await anna.post(`/content/items/${id}/unshare`, { groups: hidden })
  const { id: entry } = await last(anna, id)
  const refused = refusal({ code: 403 })
  expect(await revert(bert, entry)).toMatchObject(refused)
  await share(anna, id, { groups: hidden })
  expect(await revert(bert, entry)).toMatchObject(refused)
  expect(await revert(anna, entry)).toMatchObject(refusal({ code: 400 }))
  await anna.post(`/content/items/${id}/unshare`, { groups: hidden })
  expect(await revert(anna, entry)).toEqual(done)
  expect(await revert(bert, entry)).toMatchObject(refused)
})

test('sharing that comes back gives members the control that they had, and changeItems what is confirmed', async () => {
  await using world = await openContent(2)
  const { admin, anna, doJobs } = world
  const [one, other] = world.ids as [string, string]
  const bert = await admin.invite('bert')
  const [turned, gives] = [await admin.createGroup('A'), await admin.createGroup('B', { capabilities: controls })]
  for (const { id } of [turned, gives]) await admin.post(`/community/groups/${id}/addUsers`, { users: 'anna,bert' })
  await share(anna, one, { groups: turned.id })
  await share(anna, other, { groups: gives.id, confirmItemControl: true })
  await admin.post(`/community/groups/${turned.id}/update`, { capabilities: controls })
  const control = async (id: string) => (await bert.get(`/content/items/${id}`)).itemControl
  for (const [id, group, had] of [
    [one, turned.id, null],
    [other, gives.id, 'update'],
  ] as const) {
    expect(await control(id)).toBe(had)
    await anna.post(`/content/items/${id}/unshare`, { groups: group })
    expect(await revert(anna, (await last(anna, id)).id)).toEqual(done)
    expect(await control(id)).toBe(had)
  }
  const change = JSON.stringify({ groups: { add: [turned.id] } })
  const bulk = async (given: Parameters) => {
    const { jobId } = await anna.post('/content/changeItems', { items: one, change, ...given })
    await doJobs()
    return (await anna.get(`/portals/self/jobs/${jobId}`)).failures
  }
  await anna.post(`/content/items/${one}/unshare`, { groups: turned.id })
  expect(await bulk({})).toMatchObject([{ message: expect.stringContaining('confirmItemControl has to be true') }])
  expect(await bulk({ confirmItemControl: true })).toEqual([])
  expect(await control(one)).toBe('update')
})
const controls = 'updateitemcontrol'

test('an item that gets its former owner back is in the groups with which that user may share it', async () => {
  await using world = await open()
  const { admin, anna, id } = world
  const [free, closed] = [await admin.createGroup('A'), await admin.createGroup('B')]
  for (const group of [free, closed]) await admin.post(`/community/groups/${group.id}/addUsers`, { users: 'anna' })
  await share(anna, id, { groups: `${free.id},${closed.id}` })
  await admin.post(`/content/users/anna/items/${id}/reassign`, { targetUsername: 'bert' })
  const { id: entry } = await last(admin, id)
  await admin.post(`/community/groups/${closed.id}/update`, { isViewOnly: true })
  expect(await revert(admin, entry)).toEqual(done)
  expect(await groupsOf(anna, id)).toEqual([free.id])
})

test('links that end because a member goes or a group is deleted are in the log of each item, for who sees the group', async () => {
  await using world = await openContent(12)
  const { portal, admin, anna, ids } = world
  const carl = await admin.invite('carl', 'org_admin')
  const groups = await Promise.all(['A', 'B', 'C'].map((title) => carl.createGroup(title, { access: 'private' })))
  const [left, removed, deleted] = groups.map(({ id }) => id) as [string, string, string]
  await carl.post(`/community/groups/${left}/assignCategorySchema`, { categorySchema: JSON.stringify(themes) })
  for (const { id } of groups) await carl.post(`/community/groups/${id}/addUsers`, { users: 'anna' })
  await anna.post('/content/users/anna/shareItems', { items: ids.join(), groups: `${left},${removed},${deleted}` })
  await carl.post(`/content/groups/${left}/updateCategories`, paths(ids[0]!, '/Themes/Water'))

  await anna.post(`/community/groups/${left}/leave`)
  await carl.post(`/community/groups/${removed}/removeUsers`, { users: 'anna' })
  await carl.post(`/community/groups/${deleted}/delete`)
  await runHousekeeping(houseOf(portal))
  const [first, ...others] = await Promise.all(ids.map(async (id) => (await historyOf(carl, id)).slice(0, 3)))
  expect(first).toMatchObject([
    { action: 'deleteGroup', actor: 'carl', change: {} },
    { action: 'removeGroupUsers', actor: 'carl', change: { groups: { added: [], removed: [removed] } } },
    {
      ...{ action: 'leaveGroup', actor: 'anna' },
      change: {
        groups: { added: [], removed: [left] },
        groupCategories: [{ groupId: left, added: [], removed: ['/Themes/Water'] }],
      },
    },
  ])
  for (const entries of others)
    expect(new Set(entries.flatMap(({ change }) => change.groups?.removed ?? []))).toEqual(new Set([left, removed]))
  expect(others.at(-1)).toContainEqual(expect.objectContaining({ action: 'unshareItems', actor: null }))
  expect((await historyOf(anna, ids[0]!)).slice(0, 3).map(({ change }) => change)).toEqual([{}, {}, {}])

  const [ofDeletion, , ofLeaving] = first!
  expect(await revert(anna, ofDeletion.id)).toContainEqual({
    ...{ itemId: ids[0], success: false },
    error: { code: 400, message: expect.stringContaining('Share the item itself instead.') },
  })
  await carl.post(`/community/groups/${left}/addUsers`, { users: 'anna' })
  expect(await revert(anna, ofLeaving.id)).toContainEqual({ itemId: ids[0], success: true })
  expect(await groupsOf(anna, ids[0]!)).toEqual([left])
  await admin.post('/community/users/anna/reassign', { targetUsername: 'carl' })
  expect(await last(carl, ids[0]!)).toMatchObject({
    action: 'reassignUser',
    change: { owner: { from: 'anna', to: 'carl' } },
  })
})

test('the owner undoes a lowered level without the links of others that ended with it, of which none is named', async () => {
  await using world = await open()
  const { anna, bert, id } = world
  const [hidden, seen] = [await bert.createGroup('A'), await bert.createGroup('B', { access: 'org' })]
  for (const [group, named] of [
    [hidden.id, {}],
    [seen.id, { groups: { added: [], removed: [seen.id] } }],
  ] as const) {
    await share(anna, id, { everyone: true })
    await share(bert, id, { groups: group })
    await anna.post(`/content/users/anna/items/${id}/share`, { everyone: false, org: false })
    const { id: entry, change } = await last(anna, id)
    expect(change).toEqual({ access: { from: 'public', to: 'private' }, ...named })
    expect(await revert(anna, entry)).toEqual(done)
    expect(await anna.get(`/content/items/${id}`)).toMatchObject({ access: 'public' })
    expect(await groupsOf(bert, id)).toEqual([])
  }
})

test('a refusal names who has changed the same path or tag since, for who may read the history', async () => {
  await using world = await open()
  const { admin, anna, id } = world
  const sorter = await admin.invite(
    'sorter',
    await admin.createRole('Sorter', ['portal:user:viewOrgItems', 'portal:admin:categorizeItems']),
  )
  await share(anna, id, { org: true })
  await anna.post('/content/updateItems', paths(id, '/Themes/Water'))
  const { id: entry } = await last(anna, id)
  await admin.post('/content/updateItems', paths(id, '/Themes/Roads'))
  await anna.post(`/content/users/anna/items/${id}/update`, { tags: 'lake' })
  await anna.post('/content/updateItems', paths(id))
  const next = 'Undo that first, or change the item itself.'
  expect(await revert(anna, entry)).toEqual([
    {
      ...{ itemId: id, success: false },
      error: { code: 400, message: `Its categories have changed since, by admin. ${next}`, changedBy: 'admin' },
    },
  ])
  expect(await revert(sorter, entry)).toEqual([
    { itemId: id, success: false, error: { code: 400, message: `Its categories have changed since. ${next}` } },
  ])
})

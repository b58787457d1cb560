import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal
let admin: Client
let anna: Client
let groupId: string
/** Items of anna. */
let ids: readonly string[]

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  anna = await portal.user('anna')
  groupId = (await anna.createGroup('Maps')).id
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  await admin.post('/portals/self/assignCategorySchema', { categorySchema })
  await anna.post(`/community/groups/${groupId}/assignCategorySchema`, { categorySchema })
  const add = async (title: string): Promise<string> =>
    (await anna.post('/content/users/anna/addItem', { title, type: 'Web Map' })).id
  ids = [await add('Lakes'), await add('Rivers')]
})

const noItem = 'f'.repeat(32)
const entriesOf = async (operation: string): Promise<readonly Body[]> =>
  (await admin.get('/portals/self/history', { all: true, actions: operation })).items

/** Calls on the items and on one that does not exist. */
const calls: Readonly<Record<string, () => Promise<Body>>> = {
  updateItems: () =>
    anna.post('/content/updateItems', { items: JSON.stringify([...ids, noItem].map((id) => ({ [id]: ['/Region'] }))) }),
  updateGroupItems: async () => {
    await anna.post('/content/users/anna/shareItems', { items: ids.join(), groups: groupId })
    const items = JSON.stringify([...ids, noItem, ids[0]].map((id) => ({ [id!]: ['/Region'] })))
    return anna.post(`/content/groups/${groupId}/updateCategories`, { items })
  },
  shareItems: () =>
    anna.post('/content/users/anna/shareItems', { items: [...ids, noItem].join(), groups: groupId, everyone: false }),
  unshareItems: async () => {
    await anna.post('/content/users/anna/shareItems', { items: ids.join(), groups: groupId })
    return anna.post('/content/users/anna/unshareItems', { items: [...ids, noItem].join(), groups: groupId })
  },
  deleteItems: () => anna.post('/content/users/anna/deleteItems', { items: [...ids, noItem].join() }),
}

test.each(Object.entries(calls))('an entry of %s names the items that it was done to', async (operation, call) => {
  const { results } = await call()
  expect(results.filter(({ success }: Body) => !success)).toMatchObject([{ itemId: noItem }])
  const entries = await entriesOf(operation)
  const ofGroup = { id: groupId, idType: 'g', owner: 'anna', data: { targets: [groupId, ...ids] } }
  const ofItems = {
    id: ids[0],
    idType: 'i',
    owner: operation === 'updateItems' ? null : 'anna',
    data: { targets: ids, ...(/share/i.test(operation) && { groups: [groupId] }) },
  }
  expect(entries).toMatchObject([operation === 'updateGroupItems' ? ofGroup : ofItems])
  for (const id of ids) {
    const found = await admin.get('/portals/self/history', { all: true, id })
    expect(found.items.map(({ data }: Body) => data.operation)).toContain(operation)
  }
  const none = await admin.get('/portals/self/history', { all: true, id: noItem })
  expect(none.items).toEqual([])
})

/** Items that anna may not change: one that she sees, and one that she does not see. */
async function itemsOfAdmin(): Promise<readonly [string, string]> {
  for (const title of ['Seas', 'Secret']) await admin.post('/content/users/admin/addItem', { title, type: 'Web Map' })
  const [seen, unseen] = (await admin.get('/content/users/admin', { sortField: 'title' })).items
  await admin.post(`/content/users/admin/items/${seen.id}/share`, { org: true })
  return [seen.id, unseen.id]
}

test('a call that every item refused has an entry for each code of a refusal, and none of success', async () => {
  const [seen, unseen] = await itemsOfAdmin()
  const items = JSON.stringify([noItem, unseen, seen].map((id) => ({ [id]: ['/Region'] })))
  const { results } = await anna.post('/content/updateItems', { items })
  expect(results.map(({ error }: Body) => error.code)).toEqual([400, 400, 403])
  expect(await entriesOf('updateItems')).toMatchObject([
    { actor: 'anna', data: { targets: [seen], outcome: 'refused', error: 403 } },
    { actor: 'anna', data: { targets: [unseen], outcome: 'refused', error: 400 } },
  ])
})

test('what does not exist is not in the log, whatever it looks like', async () => {
  const { results } = await anna.post('/content/users/anna/deleteItems', {
    items: `correct horse battery staple,${noItem}`,
  })
  expect(results.map(({ success }: Body) => success)).toEqual([false, false])
  const entries = await entriesOf('deleteItems')
  expect(entries).toMatchObject([{ id: null, idType: 'i', data: { targets: [] } }])
  expect(JSON.stringify(entries)).not.toMatch(/horse|ffff/)
})

test('items of other organizations are in the log only where the caller sees them', async () => {
  const away = await portal.otherOrganization()
  const add = async (title: string): Promise<string> =>
    (await away.post('/content/users/outsider/addItem', { title, type: 'Web Map' })).id
  const [open, closed] = [await add('Open'), await add('Closed')]
  await away.post(`/content/users/outsider/items/${open}/share`, { everyone: true })
  await anna.post('/content/users/anna/deleteItems', { items: `${open},${closed}` })
  expect(await entriesOf('deleteItems')).toMatchObject([{ data: { targets: [open], error: 400 } }])
})

test('members who are added, changed, removed and refused are in the log, if there are such users', async () => {
  await admin.invite('bruno')
  const path = `/community/groups/${groupId}`
  await anna.post(`${path}/addUsers`, { users: 'bruno,anna,nobody-of-this-name' })
  await anna.post(`${path}/updateUsers`, { admins: 'bruno,anna' })
  await anna.post(`${path}/removeUsers`, { users: 'bruno,anna' })
  for (const operation of ['addGroupUsers', 'updateGroupUsers', 'removeGroupUsers']) {
    expect(await entriesOf(operation)).toMatchObject([
      { id: groupId, idType: 'g', data: { users: ['anna'], outcome: 'refused', error: 400 } },
      { id: groupId, idType: 'g', data: { users: ['bruno'], outcome: 'success' } },
    ])
  }
})

test('users who are invited to a group and refused are in the log, if there are such users', async () => {
  await admin.invite('bruno')
  const clerk = await admin.invite('clerk')
  await admin.post('/portals/self/disableUsers', { users: 'clerk' })
  expect(clerk.username).toBe('clerk')
  const users = 'bruno,clerk,nobody-of-this-name'
  await anna.post(`/community/groups/${groupId}/invite`, { users, role: 'group_member' })
  expect(await entriesOf('inviteToGroup')).toMatchObject([
    { id: groupId, idType: 'g', data: { users: ['clerk'], outcome: 'refused', error: 400 } },
    { id: groupId, idType: 'g', data: { users: ['bruno'], outcome: 'success' } },
  ])
})

test('groups that an item is shared with, taken from and refused are in the log, if the caller sees them', async () => {
  const viewOnly = (await admin.createGroup('Views', { access: 'org' })).id
  const hidden = (await admin.createGroup('Hidden')).id
  const groups = [groupId, viewOnly, hidden, noItem].join()
  const [item, other] = ids
  const { notSharedWith } = await anna.post(`/content/items/${item}/share`, { groups })
  expect(notSharedWith).toEqual([viewOnly, hidden, noItem])
  const refused = { id: item, idType: 'i', owner: 'anna', data: { groups: [viewOnly], outcome: 'refused', error: 400 } }
  const done = { id: item, idType: 'i', owner: 'anna', data: { groups: [groupId], outcome: 'success' } }
  expect(await entriesOf('shareItem')).toMatchObject([refused, done])
  await anna.post(`/content/users/anna/items/${item}/share`, { org: true, groups: viewOnly })
  expect((await entriesOf('shareUserItem')).map(({ data }) => data)).toEqual([
    { operation: 'shareUserItem', outcome: 'refused', error: 400, groups: [viewOnly] },
    { operation: 'shareUserItem', outcome: 'success' },
  ])
  await anna.post('/content/users/anna/shareItems', { items: ids.join(), groups })
  expect(await entriesOf('shareItems')).toMatchObject([
    { id: item, data: { targets: ids, groups: [viewOnly], outcome: 'refused', error: 400 } },
    { id: item, data: { targets: ids, groups: [groupId], outcome: 'success' } },
  ])
  await anna.post(`/content/items/${other}/unshare`, { groups: groupId })
  expect(await entriesOf('unshareItem')).toMatchObject([{ id: other, data: { groups: [groupId], outcome: 'success' } }])
})

test('groups that an item is taken from without being named are in the log', async () => {
  const [item] = ids
  const path = `/content/users/anna/items/${item}/share`
  const other = (await anna.createGroup('Seas')).id
  await anna.post(path, { groups: [groupId, other].join() })
  await anna.post(path, { everyone: false, org: false, groups: '' })
  const [left] = await entriesOf('shareUserItem')
  expect(left).toMatchObject({ id: item, data: { outcome: 'success' } })
  expect(left!.data.groups.toSorted()).toEqual([groupId, other].toSorted())
  await anna.post(path, { everyone: true })
  const ofAdmin = (await admin.createGroup('Of admin')).id
  await admin.post(`/content/items/${item}/share`, { groups: ofAdmin })
  await anna.post(path, { everyone: false, org: false })
  expect(await entriesOf('shareUserItem')).toMatchObject([{ data: { groups: [ofAdmin] } }, {}, {}, {}])
  await anna.post(path, { everyone: true })
  await admin.post(`/content/items/${item}/share`, { groups: ofAdmin })
  await anna.post('/content/users/anna/shareItems', { items: item, everyone: false, org: false, groups: groupId })
  const [several] = await entriesOf('shareItems')
  expect(several).toMatchObject({ data: { targets: [item], groups: [groupId, ofAdmin] } })
})

test('users who are refused in a call with several are in the log', async () => {
  await admin.invite('bruno')
  await admin.post('/portals/self/disableUsers', { users: 'bruno,admin,nobody-of-this-name' })
  expect(await entriesOf('disableUsers')).toMatchObject([
    { id: 'admin', idType: 'u', data: { outcome: 'refused', error: 400 } },
    { id: 'bruno', idType: 'u', data: { outcome: 'success' } },
  ])
})

test('users of other organizations are not in the log, in whatever case they are written', async () => {
  await portal.otherOrganization()
  const outsider = 'OUTSIDER'
  await anna.post(`/community/groups/${groupId}/addUsers`, { users: `${outsider},anna` })
  await admin.post('/portals/self/disableUsers', { users: `${outsider},admin` })
  expect(await entriesOf('addGroupUsers')).toMatchObject([{ data: { users: ['anna'], outcome: 'refused' } }])
  expect(await entriesOf('disableUsers')).toMatchObject([{ id: 'admin', idType: 'u', data: { outcome: 'refused' } }])
})

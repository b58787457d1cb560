import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Body, type Client, startPortal } from '../../../support/portal/portal.ts'

let admin: Client
let anna: Client
let groupId: string
/** Items of anna. */
let ids: readonly string[]

beforeEach(async () => {
  const portal = await startPortal()
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

/** What is done to the items and to one that there is not. */
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
  unshareItems: () =>
    anna.post('/content/users/anna/unshareItems', { items: [...ids, noItem].join(), groups: groupId }),
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
    data: { targets: ids },
  }
  expect(entries).toMatchObject([operation === 'updateGroupItems' ? ofGroup : ofItems])
  for (const id of ids) {
    const found = await admin.get('/portals/self/history', { all: true, id })
    expect(found.items.map(({ data }: Body) => data.operation)).toContain(operation)
  }
  const none = await admin.get('/portals/self/history', { all: true, id: noItem })
  expect(none.items).toEqual([])
})

test('an entry of a call that every item refused has no target', async () => {
  await anna.post('/content/users/anna/deleteItems', { items: noItem })
  expect(await entriesOf('deleteItems')).toMatchObject([{ id: null, idType: 'i', data: { targets: [] } }])
})

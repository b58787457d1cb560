import { expect, test } from 'vitest'
import { refused } from '../../support/portal/envelopes.ts'
import { housekeep } from '../../support/portal/house.ts'
import { type Parameters, startPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'

const lakes = { title: 'Lakes', type: 'Web Map' }

test('a user owns no more items than are allowed, by adding them or by being given some', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEMS_OWNED: '2' } })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const add = () => anna.post('/content/users/anna/addItem', lakes)
  const { id } = await add()
  await add()
  const refusal = 'anna owns 2 items; a user may own at most 2.'
  expect(await add()).toEqual(refused('add item', refusal))
  expect(limitCounts.of('itemsOwned')).toBe(1)
  const { id: given } = await admin.post('/content/users/admin/addItem', lakes)
  const give = () => admin.post(`/content/users/admin/items/${given}/reassign`, { targetUsername: 'anna' })
  expect(await give()).toEqual(refused('reassign item', refusal))
  expect(await admin.post('/community/users/anna/reassign', { targetUsername: 'admin' })).toMatchObject({
    error: { details: ['admin owns 1 items; a user may own at most 2.'] },
  })
  await anna.post(`/content/users/anna/items/${id}/delete`)
  expect(await give()).toEqual({ success: true, itemId: given })
  expect(await add()).toEqual(refused('add item', refusal))
})

test('an organization has no more items than are allowed, as housekeeping has counted them', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEMS_PER_ORGANIZATION: '2' } })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const add = () => anna.post('/content/users/anna/addItem', lakes)
  await admin.post('/content/users/admin/addItem', lakes)
  const { id } = await add()
  await housekeep(portal)
  expect(await add()).toEqual(refused('add item', 'The organization has 2 items; at most 2 are allowed.'))
  expect(limitCounts.of('itemsOfPortal')).toBe(1)
  await anna.post(`/content/users/anna/items/${id}/delete`)
  await housekeep(portal)
  expect(await add()).toMatchObject({ success: true })
})

test('items of a user, and of an organization, have no more different tags than are allowed, and those that exist stay', async () => {
  const environment = { LIMIT_TAGS_PER_USER: '3', LIMIT_TAGS_PER_ORGANIZATION: '4' }
  await using portal = await startPortal({ environment })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const add = async (user: typeof admin, tags: string) => {
    const answer = await user.post(`/content/users/${user.username}/addItem`, { ...lakes, tags })
    await housekeep(portal)
    return answer
  }
  const tooMany = (whose: string, present: number, max: number, added: number) =>
    `tags: items of ${whose} have ${present} different tags; at most ${max} are allowed, and ${added} of these would be new: use some that there are.`
  const { id } = await add(anna, 'a,b,c')
  expect(await add(anna, 'c,d,e')).toEqual(refused('add item', tooMany('anna', 3, 3, 2)))
  expect(await add(anna, 'c,b')).toMatchObject({ success: true })
  const update = (tags: string) => anna.post(`/content/users/anna/items/${id}/update`, { tags, title: 'Rivers' })
  expect(await update('a,x')).toEqual(refused('update item', tooMany('anna', 3, 3, 1)))
  expect(await add(admin, 'a,d')).toMatchObject({ success: true })
  expect(await add(admin, 'e')).toEqual(refused('add item', tooMany('the organization', 4, 4, 1)))
  expect([limitCounts.of('tagsOfUser'), limitCounts.of('tagsOfPortal')]).toEqual([2, 1])
  // A tag that no item has any more makes room.
  expect(await update('b')).toMatchObject({ success: true })
  await housekeep(portal)
  expect(await add(anna, 'e')).toEqual(refused('add item', tooMany('the organization', 4, 4, 1)))
  const { items } = await admin.get('/content/users/admin')
  expect(
    await admin.post(`/content/users/admin/items/${items[0].id}/reassign`, { targetUsername: 'anna' }),
  ).toMatchObject({ success: true })
  await anna.post(`/content/users/anna/items/${items[0].id}/delete`)
  await housekeep(portal)
  expect(await add(admin, 'e,f')).toMatchObject({ success: true })
})

test('the data of an item has no more bytes than are allowed', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEM_TEXT: '1024' } })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const [fits, exceeds] = ['é'.repeat(512), `${'é'.repeat(512)}x`]
  const refusal = 'text: has 1025 bytes; at most 1024 are allowed.'
  const add = (text: string) => admin.post('/content/users/admin/addItem', { ...lakes, text })
  expect(await add(exceeds)).toEqual(refused('add item', refusal))
  const { id } = await add(fits)
  const update = `/content/users/admin/items/${id}/update`
  expect(await admin.post(update, { title: 'Rivers', text: exceeds })).toEqual(refused('update item', refusal))
  expect(await admin.get(`/content/items/${id}`)).toMatchObject({ title: 'Lakes', size: 1024 })
  expect(limitCounts.of('itemText')).toBe(2)
})

test('the items of a user have no more bytes than are allowed, and can be made smaller and deleted', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEM_BYTES_PER_USER: '1048576' } })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const [anna, bert] = [await admin.invite('anna'), await admin.invite('bert')]
  const add = (text: string) => anna.post('/content/users/anna/addItem', { title: 'L', type: 'T', text })
  // 1,024 for the item, 5 for each letter of its texts and lists, and its data.
  const [ofItem, half] = [1_024 + 5 * 6, 'x'.repeat(500_000)]
  const { id } = await add(half)
  await add(half)
  const [refusalOf, left] = [
    (more: number) =>
      `anna keeps ${2 * (ofItem + 500_000)} bytes, and ${more} would be added; a user may keep at most 1048576: delete items or drafts.`,
    1_048_576 - 2 * (ofItem + 500_000),
  ]
  expect(await add(half)).toEqual(refused('add item', refusalOf(ofItem + 500_000)))
  const update = (properties: Parameters) => anna.post(`/content/users/anna/items/${id}/update`, properties)
  const tooLong = 'd'.repeat(Math.floor(left / 5) + 1)
  expect(await update({ description: tooLong })).toEqual(refused('update item', refusalOf(5 * tooLong.length)))
  expect(await update({ description: tooLong.slice(1) })).toMatchObject({ success: true })
  const { id: given } = await bert.post('/content/users/bert/addItem', lakes)
  const give = () => admin.post(`/content/users/bert/items/${given}/reassign`, { targetUsername: 'anna' })
  expect(await give()).toMatchObject({ error: { code: 400 } })
  expect(limitCounts.of('itemBytesOwned')).toBe(3)
  expect(await update({ text: 'short', description: '' })).toMatchObject({ success: true })
  expect(await give()).toMatchObject({ success: true })
  await anna.post(`/content/users/anna/items/${id}/delete`)
  expect(await add(half)).toMatchObject({ success: true })
})

test('versions, drafts and jobs count with the items of who made them', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEM_BYTES_PER_USER: '1048576' } })
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const { id } = await anna.createGroup('Maps')
  const kept = (error: unknown) => expect(JSON.stringify(error)).toMatch(/anna keeps \d+ bytes, and \d+ would be added/)
  const schema = (letter: string) => aSchema({ title: 'A', source: letter.repeat(1_000) })
  const draft = { name: 'A', categorySchema: schema('a') }
  const { id: item } = await anna.post('/content/users/anna/addItem', { ...lakes, text: 'x'.repeat(1_046_000) })
  const place = `/community/groups/${id}`
  expect(await anna.post(`${place}/assignCategorySchema`, { categorySchema: schema('a') })).toMatchObject({
    success: true,
  })
  kept((await anna.post(`${place}/assignCategorySchema`, { categorySchema: schema('b') })).error)
  kept((await anna.post(`${place}/categorySchema/drafts`, draft)).error)
  const tags = Array.from({ length: 100 }, (_, at) => `a long tag ${at}`)
  const items = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(32, '0')).join()
  // The change of a job counts, and so do its rows.
  for (const add of [tags, ['a']]) {
    kept((await anna.post('/content/changeItems', { items, change: JSON.stringify({ tags: { add } }) })).error)
  }
  // Others have accounts of their own.
  const { id: own } = await admin.createGroup('Own')
  expect(await admin.post(`/community/groups/${own}/categorySchema/drafts`, draft)).toMatchObject({ success: true })
  await anna.post(`/content/users/anna/items/${item}/delete`)
  expect(await anna.post(`${place}/categorySchema/drafts`, draft)).toMatchObject({ success: true })
})

test('the items of an organization have no more bytes than are allowed, as housekeeping has counted them', async () => {
  await using portal = await startPortal({ environment: { LIMIT_ITEM_BYTES_PER_ORGANIZATION: '1048576' } })
  const { limitCounts } = portal.server.dependencies
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const add = () => anna.post('/content/users/anna/addItem', { ...lakes, text: 'x'.repeat(600_000) })
  const { id } = await add()
  await housekeep(portal)
  const [detail] = (await add()).error.details
  expect(detail).toMatch(/^The organization keeps 601\d{3} bytes, and 601\d{3} would be added; at most 1048576/)
  expect(limitCounts.of('itemBytesOfPortal')).toBe(1)
  await anna.post(`/content/users/anna/items/${id}/delete`)
  await housekeep(portal)
  const { id: last } = await add()
  await housekeep(portal)
  await anna.post(`/content/users/anna/items/${last}/delete`)
  expect(await admin.post('/community/users/anna/delete')).toMatchObject({ success: true })
  await housekeep(portal)
  const given = { ...lakes, text: 'x'.repeat(600_000) }
  expect(await admin.post('/content/users/admin/addItem', given)).toMatchObject({ success: true })
})

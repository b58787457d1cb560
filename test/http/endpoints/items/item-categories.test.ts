import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { refused } from '../../../support/portal/envelopes.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'

let admin: Client
let id: string
const schema = (...titles: string[]) => ({
  categorySchema: { categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }] },
})
const many = Array.from({ length: 21 }, (_, at) => `C${at}`)

beforeEach(async () => {
  const portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', schema('Water', 'Soil', ...many))
  id = (await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })).id
})

const assign = async (...entries: unknown[]) =>
  (await admin.post('/content/updateItems', { items: JSON.stringify(entries) })).results
const failed = (message: string, itemId = id) => ({ itemId, success: false, error: { code: 400, message } })
const categoriesOf = async () => (await admin.get(`/content/items/${id}`)).categories

test.each<readonly [unknown, readonly string[]]>([
  [
    { categories: ['/categories/WATER', '/Categories/Soil', '/Categories/Water'] },
    ['/Categories/Water', '/Categories/Soil'],
  ],
  [['/Categories'], ['/Categories']],
  ['/Categories/Soil, /Categories/Water', ['/Categories/Soil', '/Categories/Water']],
  [{ categories: '' }, []],
  [[], []],
])('%j gives the item %j', async (given, categories) => {
  expect(await assign({ [id]: given })).toEqual([{ itemId: id, success: true }])
  expect(await categoriesOf()).toEqual(categories)
})

test('each item is refused for itself, and the last of one that comes twice wins', async () => {
  const results = await assign(
    { [id]: ['/Categories/Water'], x: [] },
    { [id]: ['/Categories/Watr'] },
    { [id]: 5 },
    { [id]: many.map((title) => `/Categories/${title}`) },
    { [id]: ['/Categories/Soil'] },
  )
  expect(results).toEqual([
    { itemId: id, success: true },
    failed('Item does not exist or is inaccessible.', 'x'),
    failed('Category does not exist: /Categories/Watr'),
    failed('categories must be a list of paths.'),
    failed('Item exceeds max size of 20 categories.'),
    { itemId: id, success: true },
  ])
  expect(await categoriesOf()).toEqual(['/Categories/Soil'])
})

test('an unknown path names the only one of its title, if there is one', async () => {
  const both = [
    { title: 'A', categories: [{ title: 'Ice' }] },
    { title: 'B', categories: [{ title: 'Ice' }, { title: 'Sea' }] },
  ]
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema: both } })
  const unknown = (path: string) => `Category does not exist: ${path}`
  expect(await assign({ [id]: ['sea'] }, { [id]: ['/Old/Sea'] }, { [id]: ['Ice'] }, { [id]: ['/B/Se'] })).toEqual([
    failed(`${unknown('sea')}; did you mean /B/Sea?`),
    failed(`${unknown('/Old/Sea')}; did you mean /B/Sea?`),
    failed(unknown('Ice')),
    failed(unknown('/B/Se')),
  ])
  expect(await admin.post(`/content/users/admin/items/${id}/update`, { categories: 'Sea' })).toEqual(
    refused('update item', `categories: ${unknown('Sea')}; did you mean /B/Sea?`),
  )
})

test('a path that the schema loses stays on the item, and is refused for others', async () => {
  await assign({ [id]: ['/Categories/Water'] })
  await admin.post('/portals/self/assignCategorySchema', schema('Soil'))
  expect(await assign({ [id]: ['/Categories/Water', '/Categories/Soil'] })).toEqual([{ itemId: id, success: true }])
  const update = { categories: '/Categories/Water' }
  expect(await admin.post(`/content/users/admin/items/${id}/update`, update)).toEqual({ success: true, id })
  expect(await admin.post('/content/users/admin/addItem', { title: 'a', type: 'b', ...update })).toMatchObject({
    unrecognizedCategories: ['/Categories/Water'],
  })
  await admin.post(`/content/users/admin/items/${id}/update`, { categories: '' })
  const refusal = refused('update item', 'categories: Category does not exist: /Categories/Water')
  expect(await admin.post(`/content/users/admin/items/${id}/update`, update)).toEqual(refusal)
})

test('categories of a group are for its items only', async () => {
  const groupId = (await admin.createGroup('Maps')).id
  await admin.post(`/community/groups/${groupId}/assignCategorySchema`, schema('Ice'))
  const items = JSON.stringify([{ [id]: { categories: ['/Categories/Ice'] } }])
  const update = async () => (await admin.post(`/content/groups/${groupId}/updateCategories`, { items })).results
  expect(await update()).toEqual([failed('Item does not exist or is inaccessible.')])
  await admin.post(`/content/items/${id}/share`, { groups: groupId })
  expect(await update()).toEqual([{ itemId: id, success: true }])
  expect(await categoriesOf()).toEqual([])
})

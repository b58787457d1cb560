import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { changeByHand } from '../../../support/portal/add-app.ts'
import { itemNotFound, permissionDenied, refused, userNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal
let admin: Client
let anna: Client

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  anna = await admin.invite('anna')
})

const lakes = { title: 'Lakes', type: 'Web Map' }
const add = (parameters: object = {}) => anna.post('/content/users/anna/addItem', { ...lakes, ...parameters })
const pathOf = (id: string) => `/content/users/anna/items/${id}`

test('lists are read as clients write them, and an extent as four numbers or two corners', async () => {
  const { id } = await add({ tags: 'a, b,,a', typeKeywords: '["x","y, z"]', extent: '[[1,2],[3,4]]' })
  const item = await anna.get(`/content/items/${id}`)
  expect(item).toMatchObject({
    tags: ['a', 'b'],
    typeKeywords: ['x', 'y, z'],
    extent: [
      [1, 2],
      [3, 4],
    ],
  })
  await anna.post(`${pathOf(id)}/update`, { extent: '5,6,7,8', properties: '{"x":1}' })
  expect(await anna.get(`/content/items/${id}`)).toMatchObject({
    extent: [
      [5, 6],
      [7, 8],
    ],
    properties: { x: 1 },
  })
})

test('empty fields stay, unless they are to be cleared; title and type never become empty', async () => {
  const { id } = await add({ snippet: 'Deep', tags: 'a', extent: '1,2,3,4', url: 'https://lakes.example.org' })
  const empty = { title: '', type: '', snippet: '', tags: '', extent: '', url: '' }
  await anna.post(`${pathOf(id)}/update`, empty)
  expect(await anna.get(`/content/items/${id}`)).toMatchObject({ ...lakes, snippet: 'Deep', tags: ['a'] })
  await anna.post(`${pathOf(id)}/update`, { ...empty, clearEmptyFields: 'true' })
  expect(await anna.get(`/content/items/${id}`)).toMatchObject({
    ...lakes,
    snippet: null,
    tags: [],
    extent: [],
    url: null,
  })
})

test('an id stands for the username, and through another owner an item does not exist', async () => {
  const { id } = await add()
  const { id: userId } = await anna.get('/community/self')
  expect(await anna.post(`/content/users/${userId}/items/${id}/update`, { title: 'Rivers' })).toEqual({
    success: true,
    id,
  })
  expect(await admin.post(`/content/users/admin/items/${id}/delete`)).toEqual(itemNotFound)
  expect(await admin.post(`/content/users/nobody/items/${id}/delete`)).toEqual(userNotFound)
})

test.each([
  [' JavaScript:alert(1)', 'javascript'],
  ['java\nscript:alert(1)', 'javascript'],
  ['data:text/html,<script>', 'data'],
  ['\ufeffview-source:javascript:alert(1)', 'view-source'],
  ['arcgis-survey123://open', 'arcgis-survey123'],
])('%j is refused as the url of an item', async (url, scheme) => {
  const sentence = `url: has the scheme ${scheme}; an address is relative, or has one of http, https and mailto.`
  expect(await add({ url })).toEqual(refused('add item', sentence))
})

test.each([
  'https://lakes.example.org/javascript:',
  '//lakes.example.org/arcgis',
  '{{portalBaseUrl}}/apps/lakes',
  'mailto:lakes@example.org',
])('%s is kept as the url of an item', async (url) => {
  const { id } = await add({ url })
  expect((await anna.get(`/content/items/${id}`)).url).toBe(url)
})

test('an address with another scheme that an item has is taken back with the rest of it, and no other', async () => {
  const { id } = await add()
  await changeByHand(portal, 'update items set url = $1, checksum = null where item_id = $2', ['database:lakes', id])
  expect(await anna.post(`${pathOf(id)}/update`, { title: 'Lake', url: 'database:lakes' })).toMatchObject({
    success: true,
  })
  expect(await anna.post(`${pathOf(id)}/update`, { url: 'database:rivers' })).toEqual(
    refused(
      'update item',
      'url: has the scheme database; an address is relative, or has one of http, https and mailto.',
    ),
  )
  expect(await anna.get(`/content/items/${id}`)).toMatchObject({ title: 'Lake', url: 'database:lakes' })
})

test('files are refused by their names', async () => {
  const body = new FormData()
  for (const [name, value] of Object.entries(lakes)) body.append(name, value)
  body.append('thumbnail', new Blob(['x']), 'x.png')
  const { headers, body: stream } = new Response(body)
  const payload = Buffer.from(await new Response(stream).arrayBuffer())
  const type = headers.get('content-type')!
  const url = `/content/users/anna/addItem?f=json&token=${anna.token}`
  const response = await portal.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
  expect(response.json()).toEqual(refused('add item', 'thumbnail: no files are kept here; give data as text.'))
})

test('data is what was given, as JSON or plain text only', async () => {
  const { id } = await add()
  const read = () => portal.inject({ method: 'GET', url: `/content/items/${id}/data?f=html&token=${anna.token}` })
  expect(await read()).toMatchObject({ statusCode: 200, body: '', headers: { 'content-length': '0' } })
  for (const [text, type] of [
    ['{"a":1}', 'application/json'],
    ['<script>alert(1)</script>', 'text/plain'],
  ] as const) {
    await anna.post(`${pathOf(id)}/update`, { text })
    const { body, headers } = await read()
    expect(body).toBe(text)
    expect(headers).toMatchObject({ 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' })
    expect(headers).toHaveProperty('content-security-policy', "default-src 'none'; sandbox")
    expect(headers).not.toHaveProperty('content-disposition')
    expect(await anna.get(`/content/items/${id}`)).toMatchObject({ size: text.length })
  }
})

test('a protected item is not deleted, and canDelete says so', async () => {
  const { id } = await add()
  const refusal = {
    code: 400,
    messageCode: 'CONT_0048',
    message: 'Unable to delete item. Delete protection is turned on.',
  }
  await anna.post(`${pathOf(id)}/protect`)
  expect(await anna.post(`${pathOf(id)}/delete`)).toEqual({ error: { ...refusal, details: [] } })
  const answer = await anna.post(`${pathOf(id)}/canDelete`)
  expect(answer).toEqual({ itemId: id, success: false, error: { ...refusal, offendingItems: [] } })
  await anna.post(`${pathOf(id)}/unprotect`)
  expect(await anna.post(`${pathOf(id)}/canDelete`)).toEqual({ itemId: id, success: true })
  expect(await anna.post(`${pathOf(id)}/delete`)).toEqual({ success: true, itemId: id })
  expect(await anna.get(`/content/items/${id}`)).toEqual(itemNotFound)
})

test('an administrator gives an id that no item has or had', async () => {
  const create = (client: Client, name: string) =>
    client.post(`/content/users/${name}/addItem`, { ...lakes, itemIdToCreate: 'a'.repeat(32) })
  expect(await create(anna, 'anna')).toEqual(permissionDenied)
  expect(await create(admin, 'admin')).toMatchObject({ success: true, id: 'a'.repeat(32) })
  await admin.post(`/content/users/admin/items/${'a'.repeat(32)}/delete`)
  expect(await create(admin, 'admin')).toEqual(refused('add item', 'itemIdToCreate: is or was the id of an item.'))
})

test('a user who owns items is not deleted', async () => {
  const { id } = await add()
  const refusal = refused('delete user', 'anna owns 1 items; reassign or delete them first.')
  expect(await admin.post('/community/users/anna/delete')).toEqual(refusal)
  await admin.post(`${pathOf(id)}/reassign`, { targetUsername: 'admin', targetFolderName: '/' })
  expect(await admin.post('/community/users/anna/delete')).toMatchObject({ success: true })
  expect(await admin.get(`/content/items/${id}`)).toMatchObject({ owner: 'admin' })
})

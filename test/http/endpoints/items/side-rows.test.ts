import { itemNotFound, refused } from '../../../support/portal/envelopes.ts'
import { expect, test } from '../../../support/portal/test.ts'

const lakes = { title: 'Lakes', type: 'Web Map' }

test('tags of a user are counted over the items that the caller sees', async ({ admin }) => {
  const [anna, bert] = [await admin.invite('anna'), await admin.invite('bert')]
  const add = (tags: string) => anna.post('/content/users/anna/addItem', { ...lakes, tags })
  const { id } = await add('water,ice')
  await add('Water,rock')
  await anna.post(`/content/users/anna/items/${id}/share`, { org: 'true' })
  await bert.post('/content/users/bert/addItem', { ...lakes, tags: 'water' })
  const tagsFor = (client: typeof anna) => client.get('/community/users/anna/tags')
  expect(await tagsFor(anna)).toEqual({
    tags: [
      { tag: 'Water', count: 2 },
      { tag: 'ice', count: 1 },
      { tag: 'rock', count: 1 },
    ],
  })
  expect(await tagsFor(bert)).toEqual({
    tags: [
      { tag: 'ice', count: 1 },
      { tag: 'water', count: 1 },
    ],
  })
})

test('there are no folders to move to, and nothing beside an item', async ({ admin }) => {
  const { id } = await admin.post('/content/users/admin/addItem', lakes)
  const move = (folder: string) => admin.post(`/content/users/admin/items/${id}/move`, { folder })
  expect(await move('/')).toEqual({ success: true, itemId: id, owner: 'admin', folder: null })
  expect(await move('f'.repeat(32))).toEqual(refused('move item', 'There are no folders here.'))
  const noFolder = (task: string) => refused(task, 'There are no folders here.')
  expect(await admin.post('/content/users/admin/createFolder', { title: 'Maps' })).toEqual(noFolder('create folder'))
  expect(await admin.get('/content/users/admin/f00d')).toEqual(noFolder('read folder'))
  expect(await admin.post('/content/users/admin/f00d/addItem', lakes)).toEqual(noFolder('use folder'))
  expect(await admin.post('/content/users/admin/f00d/delete')).toEqual(noFolder('use folder'))
  const noInfo = { error: { code: 400, messageCode: 'CONT_0036', details: [] } }
  expect(await admin.get(`/content/items/${id}/info/form.json`)).toMatchObject(noInfo)
  expect(await admin.get(`/content/items/${id}/info/metadata/metadata.xml`)).toMatchObject(noInfo)
  const bert = await admin.invite('bert')
  expect(await bert.get(`/content/items/${id}/info/thumbnail/map.png`)).toEqual(itemNotFound)
  expect(await bert.get(`/content/items/${id}/resources`)).toEqual(itemNotFound)
  expect(await bert.get(`/content/items/${id}/relatedItems`)).toEqual(itemNotFound)
})

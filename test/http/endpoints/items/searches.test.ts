import { expect, test } from 'vitest'
import { refused } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'

/** An administrator with three items, the second of which a group has. */
async function openLibrary() {
  const portal = await startPortal()
  const admin = await portal.admin()
  const { group } = await admin.post('/community/createGroup', { title: 'Water' })
  for (const title of ['Alpine lakes', 'Rivers', 'Lake district']) {
    const { id } = await admin.post('/content/users/admin/addItem', { title, type: 'Web Map', tags: 'Water' })
    if (title === 'Rivers') await admin.post(`/content/users/admin/items/${id}/share`, { groups: group.id })
    portal.clock.now += 1000
  }
  return { portal, admin, groupId: group.id as string }
}

test('a search sees what was just written, in pages that echo what was asked', async () => {
  const { portal, admin } = await openLibrary()
  await using _ = portal
  const titlesOf = async (parameters: Record<string, string>) => {
    const { results, ...page } = await admin.get('/search', parameters)
    return { ...page, titles: results.map(({ title }: { title: string }) => title) }
  }
  expect(await titlesOf({ q: 'water lake*', num: '1', sortField: 'title' })).toEqual({
    query: 'water lake*',
    total: 2,
    start: 1,
    num: 1,
    nextStart: 2,
    titles: ['Alpine lakes'],
  })
  expect(await titlesOf({ num: '0', countFields: 'tags,contentstatus' })).toEqual({
    query: '',
    total: 3,
    start: 1,
    num: 0,
    nextStart: -1,
    titles: [],
    aggregations: {
      counts: [
        { fieldName: 'tags', fieldValues: [{ value: 'Water', count: 3 }] },
        { fieldName: 'contentstatus', fieldValues: [] },
      ],
    },
  })
  expect(await titlesOf({ start: '0', num: '1' })).toMatchObject({
    start: 1,
    nextStart: 2,
    titles: [expect.anything()],
  })
  for (const start of ['-1', '4', '10001']) {
    expect(await titlesOf({ start })).toEqual({
      query: '',
      total: 3,
      start: Number(start),
      num: 10,
      nextStart: -1,
      titles: [],
    })
  }
  expect((await admin.get('/search', { q: 'rivers', exclude: 'title,tags' })).results[0]).not.toHaveProperty('title')
  expect(await admin.get('/search', { q: '(' })).toEqual(
    refused('search items', 'q: the bracket at character 1 is not closed.'),
  )
})

test('a group has its own items, and a search for them shows them only to who sees the group', async () => {
  const { portal, admin, groupId } = await openLibrary()
  await using _ = portal
  const found = await admin.get(`/content/groups/${groupId}/search`, { num: '1' })
  expect(found).toMatchObject({ total: 1, results: [{ title: 'Rivers', groupCategories: [] }] })
  expect(await admin.get(`/content/groups/${groupId}`)).toMatchObject({
    total: 1,
    num: 10,
    items: [{ title: 'Rivers' }],
  })
  expect(await admin.get('/search', { q: `group:${groupId}` })).toMatchObject({ total: 1 })
  expect(await portal.anonymous.get('/search', { q: `-group:${groupId}` })).toMatchObject({ total: 0 })
})

test('tags that fold alike are counted in the commonest spelling, of equally common ones in the first by code points', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const add = (title: string, tags: readonly string[]) =>
    admin.post('/content/users/admin/addItem', { title, type: 'Web Map', tags: JSON.stringify(tags) })
  const counted = async (q: string) => {
    const { aggregations } = await admin.get('/search', { q, num: '0', countFields: 'tags' })
    return aggregations.counts[0].fieldValues
  }
  await add('Alps', ['zq', 'Zq'])
  expect(await counted('alps')).toEqual([{ value: 'Zq', count: 1 }])
  await add('Tarn', ['zq'])
  expect(await counted('')).toEqual([{ value: 'Zq', count: 2 }])
  await add('Beck', ['zq'])
  expect(await counted('')).toEqual([{ value: 'zq', count: 3 }])
})

import { hashOf } from '../../../../src/categories/history/document-hash.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { type Body, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { holderKinds, openHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const treeOf = (...titles: readonly string[]) => ({
  categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }],
})
const [water, hydrology, both] = [treeOf('Water'), treeOf('Hydrology'), treeOf('Water', 'Soil')]
const notKept = (version: number) => ({
  error: { ...resourceNotFound.error, details: [`Version ${version} is no longer kept.`] },
})
const move = (from: string, to: string) => ({ from: `/Categories/${from}`, to: `/Categories/${to}` })

describe.each(holderKinds)('the versions of a schema (%s)', (kind) => {
  async function open(portal: TestPortal) {
    const { client, path } = await openHolder(portal, kind)
    return {
      read: (below = '', parameters = {}) => client.get(`${path}/categorySchema${below}`, parameters),
      assign: (categorySchema: unknown, options = {}) =>
        client.post(`${path}/assignCategorySchema`, { categorySchema, ...options }),
      remove: (options = {}) => client.post(`${path}/deleteCategorySchema`, options),
      restore: (version: number, options = {}) =>
        client.post(`${path}/categorySchema/versions/${version}/restore`, options),
    }
  }
  const conflict = (version: number, expected: number, task: string) => ({
    error: {
      code: 409,
      messageCode: 'ORG_1132',
      message: `Unable to ${task} category schema.`,
      details: [
        version === 0
          ? `The schema is at version 0, not ${expected}: there never was one.`
          : `The schema is at version ${version}, not ${expected}: admin changed it at 2026-01-15T12:00:00Z.`,
      ],
      version,
    },
  })

  test('are given with the schema, and none is 0', async ({ portal }) => {
    const { read, assign, remove } = await open(portal)
    const none = { hash: hashOf({ categorySchema: [] }), comment: null }
    const withVersion = { withVersion: 'true' }
    expect(await read('', withVersion)).toEqual({
      ...{ categorySchema: [], version: 0, modified: null, modifiedBy: null },
      ...none,
    })
    await assign(water, { comment: 'First' })
    const change = { modified: portal.clock.now, modifiedBy: 'admin' }
    expect(await read('', withVersion)).toEqual({
      ...water,
      version: 1,
      hash: hashOf(water),
      ...change,
      comment: 'First',
    })
    expect(await read()).toEqual(water)
    await remove()
    expect(await read('', withVersion)).toEqual({ categorySchema: [], version: 2, ...change, ...none })
  })

  test('are listed, newest first, each with its own content', async ({ portal }) => {
    const { read, assign, remove, restore } = await open(portal)
    expect(await assign(water)).toEqual({ success: true })
    expect(await assign(both, { comment: 'Soil', ifVersion: '1' })).toEqual({ success: true, version: 2 })
    expect(await remove({ comment: 'Gone' })).toEqual({ success: true, version: 3 })
    expect(await restore(1)).toEqual({ success: true, version: 4 })
    const { versions, total } = await read('/versions', { num: '3' })
    const change = { modified: portal.clock.now, modifiedBy: 'admin', moves: 0 }
    expect(total).toBe(4)
    expect(versions).toEqual([
      { version: 4, action: 'restore', comment: null, trees: 1, categories: 2, restoredFrom: 1, ...change },
      { version: 3, action: 'delete', comment: 'Gone', trees: 0, categories: 0, ...change },
      { version: 2, action: 'assign', comment: 'Soil', trees: 1, categories: 3, ...change },
    ])
    expect(await read('/versions/2')).toEqual({
      ...{ ...both, hash: hashOf(both), version: 2, action: 'assign', comment: 'Soil' },
      ...{ ...change, moves: [] },
    })
    expect(await read('/versions/3')).toMatchObject({ categorySchema: [], action: 'delete' })
    for (const absent of ['0', '5', '01', 'x', '99999999999']) {
      expect(await read(`/versions/${absent}`)).toEqual(resourceNotFound)
      expect(await read(`/versions/${absent}/diff`)).toEqual(resourceNotFound)
    }
  })

  test('are 404 with a sentence once they are not kept, to who may see versions; the list gives the oldest that is', async () => {
    await using portal = await startPortal({ environment: { LIMIT_SCHEMA_VERSIONS: '2' } })
    const { read, assign, restore } = await open(portal)
    expect(await read('/versions')).toMatchObject({ total: 0, firstKept: 0 })
    for (const schema of [water, hydrology, both]) await assign(schema)
    expect(await read('/versions')).toMatchObject({ total: 2, firstKept: 2 })
    expect(await read('/versions/1')).toEqual(notKept(1))
    expect(await read('/versions/1/diff')).toEqual(notKept(1))
    // It is compared with the one before.
    expect(await read('/versions/2/diff')).toEqual(notKept(1))
    expect(await read('/versions/3/diff', { from: '1' })).toEqual(notKept(1))
    expect(await read('/export', { version: '1' })).toEqual(notKept(1))
    expect(await restore(1)).toEqual(notKept(1))
    expect(await restore(1, { dryRun: 'true' })).toEqual(notKept(1))
    expect(await read('/export', { version: '4' })).toEqual(resourceNotFound)
  })

  test('a change that expects another version is answered with who changed it and when, and changes nothing', async () => {
    await using portal = await startPortal()
    const { read, assign, remove, restore } = await open(portal)
    expect(await assign(water, { ifVersion: '7' })).toEqual(conflict(0, 7, 'assign'))
    expect(await assign(water, { ifVersion: '0' })).toEqual({ success: true, version: 1 })
    expect(await assign(both, { ifVersion: '0' })).toEqual(conflict(1, 0, 'assign'))
    expect(await remove({ ifVersion: '2' })).toEqual(conflict(1, 2, 'delete'))
    expect(await restore(1, { ifVersion: '2' })).toEqual(conflict(1, 2, 'restore'))
    expect(await assign(both, { ifHash: hashOf(both) })).toMatchObject({ error: { code: 409, version: 1 } })
    expect(await read('/versions')).toMatchObject({ total: 1 })
    expect(await assign(both, { ifHash: hashOf(water) })).toEqual({ success: true, version: 2 })
    // Input is judged before the version.
    expect(await assign('nonsense', { ifVersion: '7' })).toMatchObject({ error: { code: 400 } })
    await remove()
    expect(await restore(3, { ifVersion: '7' })).toMatchObject({ error: { code: 400 } })
  })

  test('are compared, with the moves composed over the versions between', async ({ portal }) => {
    const { read, assign } = await open(portal)
    await assign(water)
    await assign(hydrology, { moves: [move('Water', 'Hydrology')] })
    await assign(treeOf('Hydrography', 'Soil'), { moves: [move('Hydrology', 'Hydrography')] })
    const moves = [move('Water', 'Hydrography')]
    const diff = await read('/versions/3/diff', { from: '1' })
    expect(diff).toMatchObject({ from: { version: 1 }, to: { version: 3 }, moves })
    expect(diff.changes.map(({ op, path }: { op: string; path: string }) => [op, path])).toEqual([
      ['rename', '/Categories/Water'],
      ['add', '/Categories/Soil'],
    ])
    expect(await read('/versions/1/diff', { from: '3' })).toMatchObject({
      moves: [move('Hydrography', 'Water')],
      summary: { renamed: 1, removed: 1, added: 0 },
    })
    expect(await read('/versions/1/diff')).toMatchObject({ from: { version: 0 }, summary: { added: 1 } })
    expect(await read('/versions/1/diff', { from: '1' })).toMatchObject({ changes: [], moves: [] })
  })

  test('a deletion is not restored, nor a version that there never was', async ({ portal }) => {
    const { assign, remove, restore } = await open(portal)
    await assign(water)
    await remove()
    const sentence = 'Version 2 is a deletion: delete the category schema instead.'
    expect(await restore(2)).toEqual(refused('restore category schema', sentence))
    expect(await restore(3)).toEqual(resourceNotFound)
  })
})

test('the log has the owner of the group, the comment, the number of moves and what changed, and finds words of the comment', async () => {
  await using portal = await startPortal()
  const [admin, anna] = [await portal.admin(), await portal.user('anna')]
  const { id } = await anna.createGroup('Maps')
  const path = `/community/groups/${id}`
  await admin.post(`${path}/join`)
  await anna.post(`${path}/assignCategorySchema`, { categorySchema: water })
  const moves = [move('Water', 'Hydrology')]
  await anna.post(`${path}/assignCategorySchema`, { categorySchema: hydrology, moves, comment: 'As the atlas has it' })
  await anna.post(`${path}/categorySchema/versions/1/restore`, { comment: 'Back to plain words' })
  await anna.post(`${path}/deleteCategorySchema`, { comment: 'Nobody uses it' })
  const find = async (q: string) => {
    const { items } = await admin.get('/portals/self/history', { all: true, q })
    return items.map(({ owner, data: { operation: _, ...data } }: Body) => ({ owner, ...data }))
  }
  const entry = { owner: 'anna', outcome: 'success' }
  const none = { added: 0, removed: 0, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 0 }
  const renamed = { ...none, renamed: 1 }
  expect(await find('assignGroupCategorySchema')).toEqual([
    { ...entry, version: 2, from: 1, summary: renamed, comment: 'As the atlas has it', moves: 1 },
    // A plain assign compares no documents.
    { ...entry, version: 1, from: 0 },
  ])
  expect(await find('atlas')).toMatchObject([{ version: 2 }])
  const restored = { version: 3, from: 2, summary: renamed, comment: 'Back to plain words', moves: 1 }
  expect(await find('plain')).toEqual([{ ...entry, ...restored }])
  const removed = { version: 4, from: 3, summary: { ...none, removed: 1 }, comment: 'Nobody uses it' }
  expect(await find('nobody')).toEqual([{ ...entry, ...removed }])
})

test('a comment has no control characters and no blanks around it; one of blanks is none', async ({ portal }) => {
  const { client, path } = await openHolder(portal, 'group')
  const assign = (comment: string) => client.post(`${path}/assignCategorySchema`, { categorySchema: water, comment })
  for (const character of ['\u001b', '\u0080', '\u009f']) {
    expect((await assign(`red${character}31m`)).error.details).toEqual(['comment: has a control character.'])
  }
  await assign(' \r\n\u00a0')
  await assign(' First line\r\nsecond line\t\u00e9 \n')
  const { versions } = await client.get(`${path}/categorySchema/versions`)
  expect(versions.map(({ comment }: Body) => comment)).toEqual(['First line\r\nsecond line\t\u00e9', null])
})

test('a diff is a text too', async ({ portal }) => {
  const { client, path, assign } = await openHolder(portal, 'group')
  await assign(water)
  await assign(both)
  const response = await client.send(`${path}/categorySchema/versions/2/diff?f=text`)
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(response.body).toMatch(/^\+ add \/Categories\/Soil\n1 added, /)
})

test('who reads a schema without seeing its versions is not shown who changed it', async ({ portal }) => {
  const { client, path, assign } = await openHolder(portal, 'group')
  const anna = await portal.user('anna')
  await client.post(`${path}/update`, { access: 'org' })
  await assign(water)
  const read = await anna.get(`${path}/categorySchema`, { withVersion: 'true' })
  expect(read).toEqual({ ...water, version: 1, hash: hashOf(water), modified: portal.clock.now })
})

test('a restore of what moved cannot follow moves that are removed', async () => {
  await using portal = await startPortal({ environment: { LIMIT_SCHEMA_VERSIONS: '3' } })
  const { client, path, assign } = await openHolder(portal, 'group')
  const restore = (options = {}) => client.post(`${path}/categorySchema/versions/1/restore`, options)
  await assign(water)
  for (let version = 2; version <= 4; version += 1) await assign(water)
  // The document of the equal ones is that of version 1, which stays for it.
  const { versions } = await client.get(`${path}/categorySchema/versions`)
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([4, 3, 1])
  const sentence =
    'Some of the versions between 1 and 4 are removed, and with them how items moved: restore with items=stay.'
  expect(await restore()).toEqual(refused('restore category schema', sentence))
  expect(await restore({ items: 'stay' })).toEqual({ success: true, version: 5 })
  expect(await client.get(`${path}/categorySchema/versions/2`)).toEqual(notKept(2))
})

import { describe, expect, test } from 'vitest'
import { openContent, themes } from '../../../support/portal/content-world.ts'
import type { Body, Client } from '../../../support/portal/portal.ts'

const read = (client: Client, id: string): Promise<Body> => client.get(`/content/items/${id}`)
const historyOf = async (client: Client, id: string): Promise<Body[]> =>
  (await client.get(`/content/items/${id}/history`)).history
const categorize = (client: Client, id: string, ...categories: readonly string[]): Promise<Body> =>
  client.post('/content/updateItems', { items: JSON.stringify([{ [id]: { categories } }]) })
const revert = (client: Client, entry: string): Promise<Body> => client.post(`/portals/self/history/${entry}/revert`)
const changedByAnna = {
  code: 400,
  message: 'Its categories have changed since, by anna. Undo that first, or change the item itself.',
  changedBy: 'anna',
}
const job = (client: Client, id: string): Promise<Body> => client.get(`/portals/self/jobs/${id}`)

describe('the history of an item', () => {
  test('has every kind of change, and each is undone', async () => {
    await using world = await openContent(1)
    const { portal, admin, anna } = world
    const [id] = world.ids as [string]
    const { id: group } = await anna.createGroup('Lakes')
    await anna.post(`/community/groups/${group}/assignCategorySchema`, { categorySchema: JSON.stringify(themes) })
    const path = `/content/users/anna/items/${id}`
    const before = await read(anna, id)
    const changes: readonly [() => Promise<Body>, object][] = [
      [() => categorize(anna, id, '/Themes/Water'), { categories: { added: ['/Themes/Water'], removed: [] } }],
      [
        () => anna.post(`${path}/update`, { tags: 'lake,blue', categories: '/Themes/Roads' }),
        {
          categories: { added: ['/Themes/Roads'], removed: ['/Themes/Water'] },
          tags: { added: ['lake', 'blue'], removed: [] },
        },
      ],
      [
        () => anna.post(`${path}/share`, { org: true, groups: group }),
        { access: { from: 'private', to: 'org' }, groups: { added: [group], removed: [] } },
      ],
      [
        () =>
          anna.post(`/content/groups/${group}/updateCategories`, {
            items: JSON.stringify([{ [id]: ['/Themes/Water'] }]),
          }),
        { groupCategories: [{ groupId: group, added: ['/Themes/Water'], removed: [] }] },
      ],
      [
        () => admin.post(`${path}/reassign`, { targetUsername: 'admin' }),
        {
          owner: { from: 'anna', to: 'admin' },
          groups: { added: [], removed: [group] },
          groupCategories: [{ groupId: group, added: [], removed: ['/Themes/Water'] }],
        },
      ],
    ]
    for (const [change] of changes) {
      portal.clock.now += 1_000
      await change()
    }
    const history = await historyOf(admin, id)
    expect(history.map((one) => one.isRevertible)).toEqual(changes.map(() => true))
    expect(history.toReversed().map((one) => one.change)).toEqual(changes.map(([, change]) => change))

    const [given, ...others] = history
    expect(await revert(anna, given.id)).toMatchObject({ results: [{ itemId: id, success: false }] })
    expect(await revert(admin, given.id)).toEqual({ results: [{ itemId: id, success: true }] })
    for (const { id: entry } of others)
      expect(await revert(anna, entry)).toEqual({ results: [{ itemId: id, success: true }] })
    const after = await read(anna, id)
    expect(after).toEqual({ ...before, modified: after.modified })
    expect((await historyOf(anna, id)).map((one) => one.isRevertible)).toEqual([
      ...changes.map(() => true),
      ...changes.map(() => false),
    ])
    expect(await revert(admin, given.id)).toMatchObject({
      results: [{ success: false, error: { message: 'This change has been undone already.' } }],
    })
  })

  test('refuses what has changed since, what the caller may not do, and what the caller does not see', async () => {
    await using world = await openContent(2)
    const { admin, anna } = world
    const [one, other] = world.ids as [string, string]
    const items = JSON.stringify([{ [one]: ['/Themes/Water'] }, { [other]: ['/Themes/Water'] }])
    await anna.post('/content/updateItems', { items })
    const [{ id: entry }] = await historyOf(anna, one)
    await categorize(anna, other, '/Themes/Roads')
    const bert = await admin.invite('bert')
    expect(await revert(bert, entry)).toMatchObject({ error: { code: 404 } })
    await anna.post(`/content/users/anna/items/${one}/share`, { org: true })
    expect(await revert(bert, entry)).toMatchObject({
      results: [{ itemId: one, success: false, error: { code: 403 } }],
    })
    expect(await revert(anna, entry)).toEqual({
      results: expect.arrayContaining([
        { itemId: one, success: true },
        { itemId: other, success: false, error: changedByAnna },
      ]),
    })
    expect([(await read(anna, one)).categories, (await read(anna, other)).categories]).toEqual([[], ['/Themes/Roads']])
    for (const unknown of ['999999', '0', 'x', '9'.repeat(40)]) {
      expect(await revert(anna, unknown)).toMatchObject({ error: { code: 404 } })
    }
    expect(await bert.get(`/content/items/${one}/history`)).toMatchObject({ error: { code: 403 } })
  })

  test('is undone by the id that the log of the organization has, as long as something is left to undo', async () => {
    await using world = await openContent(1)
    const { admin, anna } = world
    const [id] = world.ids as [string]
    await categorize(anna, id, '/Themes/Water')
    const idsOfLog = async (): Promise<(string | null)[]> =>
      (await admin.get('/portals/self/history', { types: 'i', actions: 'updateItems' })).items.map(
        (entry: Body) => entry.revertId,
      )
    const [{ id: entry }] = await historyOf(anna, id)
    expect(await idsOfLog()).toEqual([entry])
    expect(await revert(admin, entry)).toEqual({ results: [{ itemId: id, success: true }] })
    expect(await idsOfLog()).toEqual([null])
  })

  test('keeps what else has changed: only what the change did is taken back', async () => {
    await using world = await openContent(1)
    const { anna } = world
    const [id] = world.ids as [string]
    await categorize(anna, id, '/Themes/Water')
    const [{ id: entry }] = await historyOf(anna, id)
    await categorize(anna, id, '/Themes/Water', '/Themes/Roads')
    expect(await revert(anna, entry)).toEqual({ results: [{ itemId: id, success: true }] })
    expect((await read(anna, id)).categories).toEqual(['/Themes/Roads'])
  })
})

describe('a change of many items', () => {
  const change = (client: Client, parameters: Readonly<Record<string, unknown>>): Promise<Body> =>
    client.post('/content/changeItems', {
      ...parameters,
      change: JSON.stringify(parameters['change']),
    } as Record<string, string>)

  test('is made in steps of what a search finds, each item for itself, and undone as a whole', async () => {
    await using world = await openContent(60)
    const { admin, anna, ids, doJobs } = world
    const foreign = (await admin.post('/content/users/admin/addItem', { title: 'Lake of the admin', type: 'Web Map' }))
      .id
    await admin.post(`/content/users/admin/items/${foreign}/share`, { org: true })
    const { jobId, total } = await change(anna, { q: 'title:lake', change: { categories: { add: ['/Themes/Water'] } } })
    expect(total).toBe(61)
    await doJobs()
    expect(await job(anna, jobId)).toMatchObject({
      ...{ kind: 'changeItems', state: 'completed_with_failures', done: 61, total: 61 },
      failures: [{ itemId: foreign, code: 403 }],
    })
    const sorted = async () => (await anna.get('/search', { categories: '/Themes/Water', num: 100 })).total
    expect(await sorted()).toBe(60)
    await categorize(anna, ids[3]!, '/Themes/Roads')
    const bert = await admin.invite('bert')
    const plan = (client: Client) => client.post(`/content/categories/runs/${jobId}/revert`, { dryRun: true })
    const planned = await plan(anna)
    expect(planned).toEqual({
      ...{ dryRun: true, total: 60, undone: 59 },
      failures: [{ itemId: ids[3], ...changedByAnna, cause: expect.anything() }],
    })
    expect(await plan(bert)).toMatchObject({ error: { code: 404 } })
    const [, step] = (await anna.get(`/content/items/${ids[3]}/history`)).history
    const planOfEntry = (parameters = {}) =>
      anna.post(`/portals/self/history/${step.id}/revert`, { ...parameters, dryRun: true })
    const { total: ofStep, ...entry } = await planOfEntry()
    expect(entry).toMatchObject({ dryRun: true, undone: ofStep - 1, failures: [{ itemId: ids[3], ...changedByAnna }] })
    expect(await planOfEntry({ itemId: ids[3] })).toMatchObject({ total: 1, undone: 0 })
    expect([await sorted(), (await anna.get('/content/categories/runs')).total]).toEqual([59, 1])
    await categorize(anna, ids[3]!, '/Themes/Water')
    expect(await plan(anna)).toMatchObject({ undone: 60, failures: [] })
    const again = await anna.post(`/content/categories/runs/${jobId}/revert`)
    expect(again).toEqual({ jobId: expect.any(String), total: 60 })
    await categorize(anna, ids[7]!, '/Themes/Roads')
    await doJobs()
    expect(await job(anna, again.jobId)).toMatchObject({
      ...{ kind: 'revertItemRun', state: 'completed_with_failures', done: 60 },
      failures: [{ itemId: ids[7], ...changedByAnna }],
    })
    expect(await sorted()).toBe(0)
    const { runs } = await anna.get('/content/categories/runs')
    expect(runs).toMatchObject([
      { id: again.jobId, actor: 'anna', reverts: jobId, changes: 59, isRevertible: true },
      { id: jobId, actor: 'anna', reverts: null, changes: 60, failed: 1, isRevertible: true },
    ])
    expect(await admin.get('/content/categories/runs')).toMatchObject({ total: 2 })
    expect(await bert.get('/content/categories/runs')).toMatchObject({ total: 0 })
    expect(await bert.post(`/content/categories/runs/${jobId}/revert`)).toMatchObject({ error: { code: 404 } })
  })

  test('may be of tags, sharing, owner, or a deletion', async () => {
    await using world = await openContent(2)
    const { admin, anna, ids, doJobs } = world
    const { id: group } = await anna.createGroup('Lakes')
    const items = ids.join(',')
    const run = async (client: Client, given: object) => {
      const { jobId } = await change(client, { items, change: given })
      await doJobs()
      return job(client, jobId)
    }
    const done = { state: 'completed', done: 2, failures: [] }
    expect(await run(anna, { tags: { add: ['lake', 'blue'] } })).toMatchObject(done)
    expect(await run(anna, { tags: { add: [], remove: ['blue'] } })).toMatchObject(done)
    expect(await run(anna, { access: 'org', groups: { add: [group] } })).toMatchObject(done)
    expect(await read(anna, ids[0]!)).toMatchObject({ tags: ['lake'], access: 'org' })
    expect(await anna.get(`/content/groups/${group}`)).toMatchObject({ total: 2 })
    expect(await run(anna, { groups: { remove: [group] }, access: 'private' })).toMatchObject(done)
    expect(await change(anna, { items, change: { owner: 'admin' } })).toMatchObject({ error: { code: 403 } })
    expect(await run(admin, { owner: 'admin' })).toMatchObject(done)
    expect(await run(anna, { delete: true })).toMatchObject({ state: 'completed_with_failures', done: 2 })
    expect(await run(admin, { delete: true })).toMatchObject(done)
    expect(await admin.get('/search')).toMatchObject({ total: 0 })
  })

  test('of level and groups is made whole or not at all, and so undone: managers of groups raise no level', async () => {
    await using world = await openContent(1)
    const { admin, anna, doJobs } = world
    const [id] = world.ids as [string]
    const bert = await admin.invite('bert')
    const { id: group } = await bert.createGroup('Lakes', { access: 'org' })
    const share = (client: Client, given: object) => change(client, { items: id, change: given })
    await share(anna, { access: 'org' })
    await doJobs()
    const { jobId } = await share(bert, { access: 'public', groups: { add: [group] } })
    await doJobs()
    expect(await job(bert, jobId)).toMatchObject({ failures: [{ itemId: id, code: 403 }] })
    await bert.post(`/content/items/${id}/share`, { groups: group })
    await share(anna, { access: 'public' })
    await doJobs()
    await share(anna, { access: 'org', groups: { remove: [group] } })
    await doJobs()
    const [{ id: entry, change: lowered }] = await historyOf(anna, id)
    expect(lowered).toEqual({ access: { from: 'public', to: 'org' }, groups: { added: [], removed: [group] } })
    expect(await revert(bert, entry)).toMatchObject({ results: [{ success: false, error: { code: 403 } }] })
    expect(await bert.get(`/content/groups/${group}`)).toMatchObject({ total: 0 })
    expect((await historyOf(anna, id))[0]).toMatchObject({ id: entry, isRevertible: true })
  })

  test('has its bad input named, and begins nothing then', async () => {
    await using world = await openContent(1)
    const { anna, ids } = world
    const cases: readonly [Readonly<Record<string, unknown>>, string][] = [
      [{ change: { tags: { add: ['a'] } } }, 'items: give ids, or a search; q=* would be everything that you see.'],
      [
        { q: ' ', uncategorized: false, change: { delete: true } },
        'items: give ids, or a search; q=* would be everything that you see.',
      ],
      [{ items: ids[0], q: 'lake', change: { delete: true } }, 'items: give items or a search, not both.'],
    ]
    for (const [given, detail] of cases) {
      expect(await change(anna, given)).toMatchObject({ error: { code: 400, details: [detail] } })
    }
    expect(await anna.get('/portals/self/jobs')).toMatchObject({ total: 0 })
  })
})

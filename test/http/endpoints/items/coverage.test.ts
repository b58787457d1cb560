import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { keepCoverage } from '../../../../src/background/coverage.ts'
import { groupNotFound, refused } from '../../../support/portal/envelopes.ts'
import { houseOf } from '../../../support/portal/house.ts'
import { adminPassword, type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal
let admin: Client
let anna: Client

const schema = (...titles: readonly string[]) => ({
  categorySchema: JSON.stringify({
    categorySchema: [{ title: 'Themes', categories: titles.map((title) => ({ title })) }, { title: 'Regions' }],
  }),
})

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  admin = await portal.admin()
  anna = await admin.invite('anna', 'org_publisher')
  await admin.post('/portals/self/assignCategorySchema', schema('Water', 'Land'))
})

const setPolicy = (categoryPolicy: object) => admin.post('/portals/self/update', { categoryPolicy })
const share = (id: string, parameters: object) => anna.post(`/content/users/anna/items/${id}/share`, { ...parameters })

async function add(categories: string, { type = 'Web Map', level = 'private', owner = anna } = {}): Promise<string> {
  const path = `/content/users/${owner.username}`
  const { id } = await owner.post(`${path}/addItem`, { title: categories || 'None', type, categories })
  if (level !== 'private')
    await owner.post(`${path}/items/${id}/share`, { [level === 'org' ? 'org' : 'everyone']: true })
  portal.clock.now += 1_000
  return id
}

describe('the policy of an organization', () => {
  test('is set whole, and shown to members alone', async () => {
    const policy = async (client: Client) => (await client.get('/portals/self')).categoryPolicy
    expect(await policy(anna)).toEqual({ require: 'off', below: [], types: [], when: 'public' })
    expect(await setPolicy({ require: 'report', below: ['/Themes'] })).toEqual({ success: true })
    await admin.post('/portals/self/update', { description: 'Maps', categoryPolicy: '' })
    expect(await policy(anna)).toEqual({ require: 'report', below: ['/Themes'], types: [], when: 'public' })
    await setPolicy({ types: ['Web Map'] })
    expect(await policy(anna)).toEqual({ require: 'off', below: [], types: ['Web Map'], when: 'public' })
    const [{ data }] = (await admin.get('/portals/self/history', { types: 'a', actions: 'update' })).items
    expect(data.categoryPolicy).toEqual({
      from: { require: 'report', below: ['/Themes'], types: [], when: 'public' },
      to: { require: 'off', below: [], types: ['Web Map'], when: 'public' },
    })
    await admin.post('/portals/self/update', { access: 'public' })
    expect(await policy(portal.anonymous)).toBeUndefined()
    expect(await policy(await portal.otherOrganization())).toMatchObject({ types: [] })
  })

  test('that enforces refuses more access without a category, by each way of sharing, and nothing else', async () => {
    const [bare, covered, shared] = [await add(''), await add('/Themes/Water'), await add('', { level: 'public' })]
    const refusal = (id: string) =>
      `Item ${id} has no category below /Themes, which this organization requires before it is shared publicly.`
    await setPolicy({ require: 'report', below: ['/Themes'] })
    await share(await add('/Regions'), { everyone: true })
    await setPolicy({ require: 'enforce', below: ['/Themes'] })

    const refusedAlone = refused('share item', refusal(bare))
    expect(await share(bare, { everyone: true })).toEqual(refusedAlone)
    expect(await anna.post(`/content/items/${bare}/share`, { everyone: true })).toEqual(refusedAlone)
    const { results } = await anna.post('/content/users/anna/shareItems', {
      items: `${bare},${covered}`,
      everyone: true,
    })
    expect(results).toMatchObject([
      { itemId: bare, success: false, error: { code: 400, message: refusal(bare) } },
      { itemId: covered, success: true },
    ])
    const { id: groupId } = await anna.createGroup('Maps')
    expect(await share(bare, { org: true, groups: groupId })).toEqual({ notSharedWith: [], itemId: bare })
    expect(await anna.get(`/content/items/${bare}`)).toMatchObject({ access: 'org' })
    expect(await share(shared, { everyone: true, groups: groupId })).toEqual({ notSharedWith: [], itemId: shared })
    await share(shared, { org: true })
    expect(await share(shared, { everyone: true })).toEqual(refused('share item', refusal(shared)))
    await anna.post(`/content/users/anna/items/${bare}/update`, { categories: '/Themes/Land' })
    expect(await share(bare, { everyone: true })).toEqual({ notSharedWith: [], itemId: bare })

    const given = await add('')
    await share(given, { groups: groupId })
    await admin.post(`/content/users/anna/items/${given}/reassign`, { targetUsername: 'admin' })
    await setPolicy({ require: 'enforce', when: 'any' })
    const [{ id: entry }] = (await admin.get(`/content/items/${given}/history`)).history
    expect(await admin.post(`/portals/self/history/${entry}/revert`)).toMatchObject({ results: [{ success: false }] })
    expect(await admin.get(`/content/items/${given}`)).toMatchObject({ owner: 'admin', access: 'private' })
  })
})

describe('completeness', () => {
  const read = (client: Client, parameters: Record<string, string | number> = {}): Promise<Body> =>
    client.get('/content/categories/completeness', parameters)

  test('lists what is subject to the policy and has no such category, as the caller sees it', async () => {
    const ids: Record<string, string> = {}
    ids['covered'] = await add('/Themes/Water', { level: 'public' })
    ids['elsewhere'] = await add('/Regions', { level: 'public' })
    ids['org'] = await add('', { level: 'org', type: 'Web Scene' })
    ids['admin'] = await add('', { level: 'public', owner: admin })
    ids['private'] = await add('')
    const found = async (parameters: Record<string, string | number> = {}, client = anna) => {
      const { items, missing, total, results } = await read(client, parameters)
      expect(total).toBe(missing)
      return { items, missing, ids: results.map(({ id }: Body) => Object.keys(ids).find((name) => ids[name] === id)) }
    }
    expect(await found()).toEqual({ items: 3, missing: 1, ids: ['admin'] })
    await setPolicy({ require: 'report', below: ['/themes'], when: 'org' })
    expect(await found()).toEqual({ items: 4, missing: 3, ids: ['admin', 'org', 'elsewhere'] })
    expect(await found({ owner: 'Anna', num: 1 })).toEqual({ items: 3, missing: 2, ids: ['org'] })
    expect(await found({ type: 'web scene', start: 2 })).toEqual({ items: 1, missing: 1, ids: [] })
    await setPolicy({ require: 'report', when: 'any', types: ['Web Map'] })
    expect(await found()).toEqual({ items: 4, missing: 2, ids: ['private', 'admin'] })
    expect(await found({}, await admin.invite('bert'))).toEqual({ items: 3, missing: 1, ids: ['admin'] })
    const { byOwner, byType, policy, results } = await read(admin)
    expect(byOwner).toEqual([
      { value: 'admin', count: 1 },
      { value: 'anna', count: 1 },
    ])
    expect(byType).toEqual([{ value: 'Web Map', count: 2 }])
    expect(policy).toMatchObject({ require: 'report', when: 'any' })
    expect(results[1]).toEqual({
      ...{ id: ids['admin'], title: 'None', type: 'Web Map', owner: 'admin', access: 'public', categories: [] },
      modified: expect.any(Number),
    })
    expect(await read(await portal.otherOrganization())).toMatchObject({ items: 0, missing: 0 })
  })

  test('types that look alike are one, in the policy, searches and counts', async () => {
    await setPolicy({ require: 'enforce', when: 'public', types: [' Web  Map\u200b'] })
    expect((await anna.get('/portals/self')).categoryPolicy.types).toEqual(['Web Map'])
    const alike = [' web map ', 'Web\u00a0\tMap', 'Web Map\u200b', 'W\u00adeb Map']
    for (const type of alike) {
      const id = await add('', { type })
      expect((await anna.get(`/content/items/${id}`)).type.toLowerCase()).toBe('web map')
      expect(await share(id, { everyone: true })).toHaveProperty('error')
    }
    expect(await anna.get('/search', { q: 'type:"web \u2060 map "' })).toMatchObject({ total: alike.length })
    const { aggregations } = await anna.get('/search', { q: 'type:"Web Map"', countFields: 'type' })
    expect(aggregations.counts).toMatchObject([
      { fieldValues: [{ value: expect.stringMatching(/^web map$/i), count: alike.length }] },
    ])
  })

  test('of a group has its items alone, for who sees the group', async () => {
    const { id: groupId } = await anna.createGroup('Maps', { access: 'private' })
    const inside = await add('')
    await add('', { level: 'public' })
    await share(inside, { everyone: true, groups: groupId })
    expect(await read(anna, { group: groupId })).toMatchObject({ items: 1, missing: 1, results: [{ id: inside }] })
    const outsider = await portal.otherOrganization()
    expect(await read(outsider, { group: groupId })).toEqual(groupNotFound)
    expect(await outsider.get('/content/categories/coverage', { group: groupId })).toEqual(groupNotFound)
  })
})

describe('coverage', () => {
  const read = (client: Client, parameters: Record<string, string> = {}): Promise<Body> =>
    client.get('/content/categories/coverage', parameters)
  const countsOf = ({ categories }: Body) =>
    Object.fromEntries(categories.map(({ path, items, itemsBelow, state }: Body) => [path, [items, itemsBelow, state]]))

  test('of the organization has every category of the schema, and what has none, as the caller sees it', async () => {
    await add('/Themes/Water,/Themes/Land')
    await add('/Themes,/Themes/Water', { level: 'org' })
    await add('', { level: 'public', type: 'Web Scene' })
    await add('', { owner: admin })
    const seen = await read(admin)
    expect(seen).toMatchObject({ items: 4, uncategorized: 2 })
    expect(seen.categories[1]).toMatchObject({ title: 'Water', depth: 2 })
    expect(countsOf(seen)).toEqual({
      '/Themes': [1, 2, 'filled'],
      '/Themes/Water': [2, 2, 'filled'],
      '/Themes/Land': [1, 1, 'filled'],
      '/Regions': [0, 0, 'empty'],
    })
    expect(seen.uncategorizedByOwner).toEqual([
      { value: 'admin', count: 1 },
      { value: 'anna', count: 1 },
    ])
    expect(seen.uncategorizedByType).toEqual([
      { value: 'Web Map', count: 1 },
      { value: 'Web Scene', count: 1 },
    ])
    expect(seen.unrecognized).toEqual([])
    const bert = await admin.invite('bert')
    expect(await read(bert)).toMatchObject({ items: 2, uncategorized: 1, history: [] })
    await admin.post('/portals/self/assignCategorySchema', schema('Land'))
    expect((await read(admin)).unrecognized).toEqual([{ value: '/Themes/Water', count: 2 }])
    expect((await read(bert)).unrecognized).toEqual([{ value: '/Themes/Water', count: 1 }])
    await admin.post('/portals/self/deleteCategorySchema')
    const deleted = await read(admin)
    expect(deleted).toMatchObject({ items: 4, uncategorized: 2, categories: [] })
    expect(deleted.unrecognized.toSorted((one: Body, other: Body) => (one.value < other.value ? -1 : 1))).toEqual([
      { value: '/Themes', count: 1 },
      { value: '/Themes/Land', count: 1 },
      { value: '/Themes/Water', count: 2 },
    ])
    const outsider = await portal.otherOrganization()
    expect(await read(outsider)).toMatchObject({ items: 0, categories: [], history: [] })
  })

  test('of a group is by its own schema; each day is counted once, for who governs it', async () => {
    const noon = Date.UTC(2026, 10, 28, 12)
    portal.clock.now = noon
    anna = await portal.signIn('anna', adminPassword)
    const { id: group } = await anna.createGroup('Maps', { access: 'org' })
    await anna.post(`/community/groups/${group}/assignCategorySchema`, {
      categorySchema: JSON.stringify({ categorySchema: [{ title: 'Own', categories: [{ title: 'Deep' }] }] }),
    })
    const [first, second] = [await add('/Regions'), await add('')]
    for (const id of [first, second]) await share(id, { groups: group })
    const items = JSON.stringify([{ [second]: ['/Own/Deep'] }])
    await anna.post(`/content/groups/${group}/updateCategories`, { items })
    const house = houseOf(portal)
    await keepCoverage(house)
    await add('')
    await keepCoverage(house)
    portal.clock.now = noon + 24 * 60 * 60 * 1000
    await keepCoverage(house)
    const days = async (client: Client, parameters = {}) => (await read(client, parameters)).history
    const [governor, owner] = [await portal.admin(), await portal.signIn('anna', adminPassword)]
    const ofGroup = { items: 2, uncategorized: 1 }
    expect(await days(governor)).toEqual([
      { day: '2026-11-28', items: 2, uncategorized: 1 },
      { day: '2026-11-29', items: 3, uncategorized: 2 },
    ])
    const ofDays = [
      { day: '2026-11-28', ...ofGroup },
      { day: '2026-11-29', ...ofGroup },
    ]
    expect([await days(owner), await days(owner, { group })]).toEqual([[], ofDays])
    expect(countsOf(await read(owner, { group }))).toEqual({ '/Own': [0, 1, 'filled'], '/Own/Deep': [1, 1, 'filled'] })
    const bert = await governor.invite('bert')
    expect(await read(bert, { group })).toMatchObject({ history: [] })
    portal.clock.now = noon + 401 * 24 * 60 * 60 * 1000
    await keepCoverage(house)
    const later = await portal.admin()
    expect((await days(later)).map(({ day }: Body) => day)).toEqual(['2026-11-29', '2028-01-03'])
  })
})

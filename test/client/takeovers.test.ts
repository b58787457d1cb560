import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { closeAll, openBoth, opened } from './both-portals.ts'
import { findFiles, water } from './signed-in.ts'

afterEach(closeAll)

const everything = '--data --share --members --keep-ids'

describe.each(['online', 'enterprise'] as const)('from ArcGIS (%s)', (kind) => {
  test('groups, schemas and items are taken over once, compared, and taken back but for what others changed', async () => {
    const { source, target, admin, desk, run, plan, maps, found } = await openBoth(kind, { hasUnstableOrder: true })
    const planned = await plan(everything)
    expect(planned, planned.complaint).toMatchObject({ code: 0 })
    expect(JSON.parse(planned.printed)).toMatchObject({
      summary: { groups: 2, groupsPresent: 0, items: 130, present: 0 },
      unknownOwners: { anna: 44 },
    })
    expect(readFileSync(desk.path('users.csv'), 'utf8')).toContain('bert,bert,,org_user,Maps')
    expect((await found('typekeywords:source*')).total).toBe(0)
    expect((await run('takeover status %takeover.json')).printed).toBe('It has not begun.')

    const applied = await run('takeover apply %takeover.json --yes --json --report %report.csv')
    expect(applied, applied.complaint + applied.printed).toMatchObject({ code: 0 })
    expect(JSON.parse(applied.printed).summary).toEqual({ made: 132, present: 0, refused: 0 })
    expect(readFileSync(desk.path('report.csv'), 'utf8').split('\r\n')).toHaveLength(2 + 130 + 2 + 2)
    const [first, second] = [...source.items.values()]
    expect(await admin.get(`/content/items/${first!.id}`)).toMatchObject({
      ...{
        id: first!.id,
        title: 'Map 0',
        owner: 'admin',
        snippet: 'About 0',
        tags: ['a map', 'x,y'],
        access: 'shared',
      },
      categories: ['/Water/Rivers'],
      typeKeywords: ['Web Map', `source:${source.id}/${first!.id}`],
      properties: { source: { portalId: source.id, itemId: first!.id } },
      url: `${source.url}/home/item.html?id=${first!.id}`,
    })
    expect(await admin.get(`/content/items/${first!.id}/data`)).toEqual({ baseMap: 'Relief' })
    expect(await admin.get(`/content/items/${second!.id}`)).toMatchObject({ owner: 'bert', access: 'org' })
    const { results } = await admin.get('/community/groups', { q: `tags:"source:${source.id}/${maps.id}"` })
    expect(results).toMatchObject([{ title: 'Maps', snippet: 'All maps', access: 'org', owner: 'admin' }])
    const groupId = results[0].id
    expect(await admin.get(`/community/groups/${groupId}/users`)).toMatchObject({ users: ['bert'] })
    const shared = await admin.get(`/content/groups/${groupId}/search`, { q: 'map', num: 100 })
    expect([shared.total, shared.results[0].groupCategories]).toEqual([33, ['/Scale/Large']])

    const again = await run('takeover apply %takeover.json --yes --json')
    expect(JSON.parse(again.printed).summary).toEqual({ made: 132, present: 0, refused: 0 })
    const verified = await run('takeover verify %takeover.json')
    expect(verified, verified.printed).toMatchObject({ code: 0, printed: expect.stringMatching(/0 differences/) })

    // Others change the title of one, the sharing of one, its categories in a group, and who owns one.
    const ids = [...source.items.values()].map(({ id }) => id)
    target.clock.now += 1_000
    await admin.post(`/content/users/bert/items/${ids[1]}/update`, { title: 'Mine' })
    await admin.post(`/content/users/carla/items/${ids[2]}/share`, { groups: groupId, everyone: true })
    await admin.post(`/content/groups/${groupId}/updateCategories`, { items: [{ [ids[4]!]: [] }] })
    await admin.post(`/content/users/admin/items/${ids[3]}/reassign`, { targetUsername: 'carla' })
    const differing = await run('takeover verify %takeover.json --json')
    expect(differing.code).toBe(1)
    expect(JSON.parse(differing.printed).differences).toEqual([
      { kind: 'item', sourceId: ids[1], problem: 'differs in title' },
      { kind: 'item', sourceId: ids[3], problem: 'differs in owner' },
      { kind: 'categories', sourceId: ids[4], problem: expect.stringMatching(/differ in group:/) },
    ])
    const undone = await run('takeover undo %takeover.json --yes --json')
    expect(undone.complaint).toBe('')
    const { kept, summary } = JSON.parse(undone.printed)
    const keptIds: string[] = kept.map((one: { targetId: string }) => one.targetId)
    expect(keptIds.slice(0, 4).toSorted()).toEqual([ids[1], ids[2], ids[3], ids[4]])
    expect(kept.slice(4)).toMatchObject([{ kind: 'group', targetId: groupId }, { kind: 'schema' }])
    expect(summary).toEqual({ deleted: 126 + 1, kept: 6 })
    expect((await found('map')).total).toBe(4)
    expect(await run('takeover apply %takeover.json --yes')).toMatchObject({ code: 1 })
    expect(source.calls.filter(({ operation }) => /^(assign|delete|update)/.test(operation))).toEqual([])
    expect(source.extensionBytes).toBe(0)
  })
})

test('a Cartulary is taken over into another: every answer that can be compared is the same', async () => {
  const { admin, desk, login, found } = await openBoth('online', {}, 0)
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: water })
  const { id: groupId } = await admin.createGroup('Lakes', { tags: 'a,b', access: 'org', snippet: 'All lakes' })
  await admin.post(`/community/groups/${groupId}/addUsers`, { users: 'bert,carla' })
  const scale = { categorySchema: [{ title: 'Scale', categories: [{ title: 'Large' }] }] }
  await admin.post(`/community/groups/${groupId}/assignCategorySchema`, { categorySchema: scale })
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) {
    const text = at === 0 ? '{"baseMap":"Relief"}' : undefined
    const fields = {
      title: `Lake ${at}`,
      type: 'Web Map',
      tags: 'x',
      url: 'https://example.org',
      ...(text && { text }),
    }
    const { id } = await admin.post('/content/users/admin/addItem', { ...fields, categories: '/Water/Rivers' })
    ids.push(id)
  }
  await admin.post('/content/users/admin/shareItems', { items: ids.slice(0, 3).join(','), groups: groupId })
  await admin.post(`/content/users/admin/items/${ids[4]}/share`, { everyone: true })
  await admin.post(`/content/groups/${groupId}/updateCategories`, { items: [{ [ids[0]!]: ['/Scale/Large'] }] })

  const target = await startListeningPortal()
  opened.push(target)
  const other = await target.admin()
  for (const name of ['bert', 'carla']) await other.invite(name, 'org_publisher')
  expect(await login(target.url, 'admin', adminPassword, 'other')).toMatchObject({ code: 0 })
  const run = (line: string) => desk.run(line.split(' ').map((word) => word.replace('%', `${desk.folder}/`)))
  const planned = await run(`takeover plan --from new --to other -o %takeover.json ${everything}`)
  expect(planned, planned.complaint).toMatchObject({ code: 0 })
  const applied = await run('takeover apply %takeover.json --yes')
  expect(applied, applied.complaint + applied.printed).toMatchObject({ code: 0 })
  const verified = await run('takeover verify %takeover.json')
  expect(verified, verified.printed).toMatchObject({ code: 0 })

  // Members that are of the portal, or of the takeover.
  const strip = (item: object) => ({ ...item, orgId: 0, created: 0, modified: 0, typeKeywords: 0, properties: 0 })
  const of = async (one: typeof admin, id: string) => strip(await one.get(`/content/items/${id}`))
  for (const id of ids) expect(await of(other, id)).toEqual(await of(admin, id))
  const [group] = (await other.get('/community/groups', { q: 'title:Lakes' })).results
  const here = await admin.get(`/community/groups/${groupId}`)
  const ofPortal = { id: 0, orgId: 0, created: 0, modified: 0, tags: 0 }
  expect({ ...(await other.get(`/community/groups/${group.id}`)), ...ofPortal }).toEqual({ ...here, ...ofPortal })
  for (const path of ['users', 'categorySchema']) {
    const [one, two] = [
      await admin.get(`/community/groups/${groupId}/${path}`),
      await other.get(`/community/groups/${group.id}/${path}`),
    ]
    expect(two).toEqual(one)
  }
  const schema = '/portals/self/categorySchema'
  expect(await other.get(schema)).toEqual(await admin.get(schema))
  expect(await other.get(`/content/items/${ids[0]}/data`)).toEqual({ baseMap: 'Relief' })
  expect((await found('lake')).total).toBe(5)
  expect(await run('takeover undo %takeover.json --yes')).toMatchObject({ code: 0 })
  expect((await other.get('/search', { q: 'lake' })).total).toBe(0)
  expect(await other.get(schema)).toEqual({ categorySchema: [] })
})

test('what cannot be taken is refused before anything is written: owners, altered plans, journals, the same job twice', async () => {
  const { desk, run, plan, found } = await openBoth('online', {}, 5)
  desk.file('owners.csv', 'source;target\r\nanna;nobody.here\r\n')
  expect(await plan('--owners %owners.csv')).toMatchObject({ code: 1, complaint: expect.stringMatching(/Row 2/) })
  expect(await plan('--owner nobody.here')).toMatchObject({ code: 1 })
  desk.file('owners.csv', 'source;target\r\nanna;carla\r\n')
  expect(await plan('--owners %owners.csv')).toMatchObject({ code: 0 })
  const text = readFileSync(desk.path('takeover.json'), 'utf8')
  desk.file('altered.json', text.replace('"total": 5', '"total": 6'))
  expect(await run('takeover apply %altered.json --yes')).toMatchObject({
    code: 2,
    complaint: expect.stringMatching(/altered/),
  })
  expect((await found('typekeywords:source*')).total).toBe(0)
  const both = await Promise.all([0, 1].map(() => run('takeover apply %takeover.json --yes')))
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 2])
  expect((await found('typekeywords:source*')).total).toBe(5)
  // Two of anna, and her own.
  expect((await found('owner:carla')).total).toBe(3)
  const [journal] = findFiles(desk.home, /takeovers.*\.jsonl$/)
  expect(readFileSync(journal!, 'utf8')).not.toMatch(/token|password/)
  writeFileSync(journal!, readFileSync(journal!, 'utf8').replace('carla', 'berta'))
  expect(await run('takeover undo %takeover.json --yes')).toMatchObject({
    code: 2,
    complaint: expect.stringMatching(/cut or altered/),
  })
})

test('the commands of docs/takeover.md move an organization', async () => {
  const { source, maps, desk, run, found } = await openBoth('online', {}, 12)
  const document = readFileSync(new URL('../../docs/takeover.md', import.meta.url), 'utf8')
  const lines = /```sh\n(.*?)```/s.exec(document)![1]!.trim().split('\n')
  expect(lines.length).toBe(3)
  const words = lines.map((line) => line.replace('cartulary ', '').replace(/(takeover\.json|report\.csv)/g, '%$1'))
  const runAll = async () => {
    for (const line of words) expect(await run(line)).toMatchObject({ code: 0 })
    return (await found('typekeywords:source*')).total
  }
  expect(await runAll()).toBe(12)
  expect(readFileSync(desk.path('report.csv'), 'utf8')).toContain('item,')
  // Another plan takes new items; changed ones are named.
  const later = source.addItem({ title: 'Map of later', owner: 'bert' })
  later.inGroups.set(maps.id, ['/Scale/Large'])
  source.index.settle()
  expect(await runAll()).toBe(13)
  later.title = 'Another map'
  expect((await run(words[2]!)).printed).toContain(`item ${later.id}: differs in title`)
})

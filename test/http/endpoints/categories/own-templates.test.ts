import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal } from '../../../support/portal/portal.ts'
import { aSchemaOfCategories } from '../../../support/portal/schema-builder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const path = '/portals/self/categorySchemaTemplates'
const schemaOf = (...titles: readonly string[]) => ({ categorySchema: titles.map((title) => ({ title })) })
const unable = (detail: string) => refused('create category schema template', detail)
const noSchema = unable('from: there is no such category schema, or you may not read it.')

const create = (client: Client, parameters: Parameters) => client.post(path, { title: 'Lakes', ...parameters })
const names = async (client: Client) => (await client.get(path)).templates.map(({ name }: { name: string }) => name)

describe('a template of an organization', () => {
  test('is made from its schema, from a version of it, from that of a group, or from what is given', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const { id: portalId } = await admin.get('/portals/self')
    const anna = await admin.invite('anna')
    const { id: groupId } = await anna.createGroup('Maps', { access: 'org' })
    for (const [client, owner] of [
      [admin, '/portals/self'],
      [anna, `/community/groups/${groupId}`],
    ] as const) {
      for (const title of ['Old', 'New']) {
        const categorySchema = schemaOf(title, owner.split('/')[1]!)
        await client.post(`${owner}/assignCategorySchema`, { categorySchema })
      }
    }
    const given = '{ "categorySchema": [{"title": "Region", "categories": [{"title": "Alps", "source": "x"}]}] }'
    for (const [name, origin] of [
      ['now', { from: 'org' }],
      ['before', { from: 'org@1' }],
      ['of-group', { from: `group:${groupId}` }],
      ['of-group-2', { from: `group:${groupId}@1` }],
      ['given', { categorySchema: given }],
    ] as const) {
      expect(await create(admin, { name, title: `The ${name}`, ...origin }), name).toEqual({ success: true })
    }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: schemaOf('Later') })

    const member = await admin.invite('bert', 'org_viewer')
    const times = { created: portal.clock.now, createdBy: 'admin' }
    expect(await member.get(path)).toEqual({
      templates: [
        { name: 'before', title: 'The before', categories: 2, source: 'org@1', ...times },
        { name: 'given', title: 'The given', categories: 2, ...times },
        { name: 'now', title: 'The now', categories: 2, source: 'org@2', ...times },
        { name: 'of-group', title: 'The of-group', categories: 2, source: `group:${groupId}@2`, ...times },
        { name: 'of-group-2', title: 'The of-group-2', categories: 2, source: `group:${groupId}@1`, ...times },
      ],
    })
    const read = async (name: string) => (await member.get(`${path}/${name}`)).categorySchema
    expect(await read('now')).toEqual(schemaOf('New', 'portals').categorySchema)
    expect(await read('before')).toEqual(schemaOf('Old', 'portals').categorySchema)
    expect(await read('of-group')).toEqual(schemaOf('New', 'community').categorySchema)
    expect(await member.get(`/portals/${portalId}/categorySchemaTemplates/given`)).toEqual({
      name: 'given',
      title: 'The given',
      ...JSON.parse(given),
      concepts: [],
    })
  })

  test('is made of what may be exported, and of nothing else', async ({ portal, admin }) => {
    const role = await admin.createRole('Curator', ['portal:admin:updateItemCategorySchema'])
    const curator = await admin.invite('curator', role)
    const outsider = await portal.otherOrganization()
    const groups: Record<string, string> = {}
    for (const [name, owner, access] of [
      ['private', admin, 'private'],
      ['ours', admin, 'public'],
      ['theirs', outsider, 'public'],
    ] as const) {
      const { id } = await owner.createGroup(name, { access })
      await owner.post(`/community/groups/${id}/assignCategorySchema`, { categorySchema: schemaOf(name) })
      groups[name] = id
    }
    const { id: empty } = await admin.createGroup('Empty', { access: 'public' })
    for (const from of [
      'org',
      `group:${groups['private']}`,
      `group:${groups['theirs']}`,
      // Earlier versions are for those who may see them.
      `group:${groups['ours']}@1`,
      `group:${empty}`,
      `group:${'0'.repeat(32)}`,
      'group:__proto__',
    ]) {
      expect(await create(curator, { name: 'lakes', from }), from).toEqual(noSchema)
    }
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: schemaOf('Ours') })
    expect(await create(curator, { name: 'lakes', from: 'org@2' })).toEqual(noSchema)
    expect(await create(curator, { name: 'lakes', from: `group:${groups['ours']}` })).toEqual({ success: true })
    // A version that is a deletion has no schema.
    await admin.post('/portals/self/deleteCategorySchema')
    expect(await create(curator, { name: 'rivers', from: 'org@2' })).toEqual(noSchema)
    expect(await create(curator, { name: 'rivers', from: 'org@1' })).toEqual({ success: true })
  })

  test('is refused for its name, its title, its origin and its schema', async ({ admin }) => {
    await admin.post('/portals/self/assignCategorySchema', { categorySchema: schemaOf('Ours') })
    const wrong: readonly (readonly [Parameters, string])[] = [
      [{ name: 'inspire' }, 'name: inspire is the name of a published list; choose another.'],
      [{ title: 'a\u202eb' }, 'title: has a character that changes the direction of text; leave it out.'],
      [{ from: '' }, 'from: give it, or categorySchema.'],
      [{ categorySchema: schemaOf('A') }, 'Give from or categorySchema, not both.'],
      [{ from: '', categorySchema: schemaOf() }, 'Category schema exceeds max tree size or empty.'],
      [
        { from: '', categorySchema: '[{"title":"a/b"}]' },
        'Title at /categorySchema/0/title has the reserved character /.',
      ],
      [{ from: '', categorySchema: '[]]' }, 'not JSON at line 1, column 3: the text goes on behind its end, with ].'],
    ]
    for (const [given, detail] of wrong) {
      expect(await create(admin, { name: 'lakes', from: 'org', ...given })).toEqual(unable(detail))
    }
    expect(await names(admin)).toEqual([])
  })

  test('has one name, of 50 characters at most, until it is deleted', async ({ admin, outsider }) => {
    const name = `a${'-9'.repeat(24)}z`
    const given = { name, categorySchema: schemaOf('A') }
    const title = '🗺'.repeat(50)
    expect(await create(admin, { ...given, title })).toEqual({ success: true })
    expect(await create(admin, given)).toEqual(
      unable(`name: the organization has a template ${name} already; delete it first.`),
    )
    expect(await create(outsider, given)).toEqual({ success: true })
    expect(await admin.post(`${path}/${name}/delete`)).toEqual({ success: true })
    expect(await admin.post(`${path}/${name}/delete`)).toEqual(resourceNotFound)
    expect(await admin.get(`${path}/${name}`)).toEqual(resourceNotFound)
    expect(await create(admin, given)).toEqual({ success: true })
    expect(await outsider.get(`${path}/${name}`)).toMatchObject({ name, title: 'Lakes' })
  })

  test('is one of a hundred', async ({ admin, outsider }) => {
    const categorySchema = schemaOf('A')
    for (let number = 1; number <= 100; number += 1) {
      expect(await create(admin, { name: `t${number}`, categorySchema })).toEqual({ success: true })
    }
    expect(await create(admin, { name: 'one-more', categorySchema })).toEqual(
      unable('The organization has 100 templates, and may have no more; delete one first.'),
    )
    expect(await create(outsider, { name: 'one-more', categorySchema })).toEqual({ success: true })
    await admin.post(`${path}/t7/delete`)
    expect(await create(admin, { name: 'one-more', categorySchema })).toEqual({ success: true })
    expect(await names(admin)).toHaveLength(100)
  })

  test('is of its organization alone, and in its log', async ({ portal, admin }) => {
    const { id: portalId } = await admin.get('/portals/self')
    const outsider = await portal.otherOrganization()
    await create(admin, { name: 'lakes', categorySchema: aSchemaOfCategories(200) })
    expect(await outsider.get(path)).toEqual({ templates: [] })
    await admin.post(`${path}/lakes/delete`)
    const { items } = await admin.get('/portals/self/history', { all: true, types: 'a', sortOrder: 'asc' })
    const entries = items.filter(({ action }: { action: string }) => action.includes('CategorySchemaTemplate'))
    expect(entries).toMatchObject([
      {
        action: 'createCategorySchemaTemplate',
        request: `/portals/${portalId}/categorySchemaTemplates/lakes`,
        itemTitle: 'Lakes',
        data: { categories: 200 },
      },
      { action: 'deleteCategorySchemaTemplate', request: '/portals/self/categorySchemaTemplates/lakes/delete' },
    ])
  })
})

test('the page of the list has the form of a new template, and its answer leads to it', async ({ admin }) => {
  const { body } = await admin.send(`${path}?f=html`)
  expect(body).toContain('<button type="submit">Create category schema template (organization)</button>')
  expect(body).toContain('&quot;templates&quot;: []')
  const sent = await admin.send(path, { form: { f: 'html', name: 'lakes', title: 'Lakes', from: 'org' } })
  expect(sent.body).toContain('from: there is no such category schema')
})

import { describe, expect, test } from 'vitest'
import { startPortal } from '../../../support/portal/portal.ts'
import {
  anAstralText,
  aSchema,
  aSchemaOfCategories,
  aSchemaOfLevels,
  aSchemaOfTrees,
  aText,
  plainSchema,
} from '../../../support/portal/schema-builder.ts'
import {
  type HolderKind,
  holderKinds,
  invalidSchema,
  openHolder,
  rejection,
  treesOutOfBounds,
} from '../../../support/portal/schema-holder.ts'

const success = { success: true }

test('a manager replaces the schema', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const manager = await portal.user('manager')
  const group = await admin.createGroup('Maps')
  await admin.post(`/community/groups/${group.id}/addUsers`, { admins: 'manager' })
  const categorySchema = { categorySchema: [{ title: 'Region' }] }
  const answer = await manager.post(`/community/groups/${group.id}/assignCategorySchema`, { categorySchema })
  expect(answer).toEqual({ success: true })
  expect(await manager.get(`/community/groups/${group.id}/categorySchema`)).toEqual(categorySchema)
})

describe.each(holderKinds)('the schema (%s)', (kind) => {
  const tooLong = (member: 'Title' | 'Description', has: number, most: number) =>
    rejection(
      `${member} at /categorySchema/0/${member.toLowerCase()} has ${has} characters; at most ${most} are allowed.`,
    )
  const title = kind === 'group' ? 99 : 100
  const description = kind === 'group' ? 299 : 300

  test.each([
    { rule: 'one root is a schema', schema: plainSchema, answer: success },
    { rule: 'an empty schema is refused', schema: aSchema(), answer: treesOutOfBounds },
    { rule: 'five trees are accepted', schema: aSchemaOfTrees(5), answer: success },
    { rule: 'six trees are refused', schema: aSchemaOfTrees(6), answer: treesOutOfBounds },
    { rule: 'four levels are accepted', schema: aSchemaOfLevels(4), answer: success },
    {
      rule: 'five levels are refused',
      schema: aSchemaOfLevels(5),
      answer: rejection(
        'Category at /categorySchema/0/categories/0/categories/0/categories/0/categories/0 is on level 5; at most 4 levels are allowed.',
      ),
    },
    { rule: '200 categories are accepted', schema: aSchemaOfCategories(200), answer: success },
    {
      rule: '201 categories are refused',
      schema: aSchemaOfCategories(201),
      answer: rejection('Category schema at /categorySchema has 201 categories; at most 200 are allowed.'),
    },
    { rule: 'the longest title is accepted', schema: aSchema({ title: aText(title) }), answer: success },
    {
      rule: 'a title one longer is refused',
      schema: aSchema({ title: aText(title + 1) }),
      answer: tooLong('Title', title + 1, title),
    },
    {
      rule: '50 emoji are 100 characters',
      schema: aSchema({ title: anAstralText(100) }),
      answer: kind === 'group' ? tooLong('Title', 100, 99) : success,
    },
    {
      rule: 'the longest description is accepted',
      schema: aSchema({ title: 'A', description: aText(description) }),
      answer: success,
    },
    {
      rule: 'a description one longer is refused',
      schema: aSchema({ title: 'A', description: aText(description + 1) }),
      answer: tooLong('Description', description + 1, description),
    },
    { rule: 'a node without children omits categories', schema: aSchema({ title: 'A' }), answer: success },
    {
      rule: 'a node with an empty list of children is accepted',
      schema: aSchema({ title: 'A', categories: [] }),
      answer: success,
    },
    { rule: 'a title is required', schema: aSchema({ description: 'A' }), answer: invalidSchema },
    { rule: 'a title is a string', schema: aSchema({ title: 7 }), answer: invalidSchema },
    { rule: 'a description is a string', schema: aSchema({ title: 'A', description: 7 }), answer: invalidSchema },
    { rule: 'categories are a list', schema: aSchema({ title: 'A', categories: {} }), answer: invalidSchema },
    { rule: 'incorrect syntax is refused', schema: '{"categorySchema":[{"title":"A"}', answer: invalidSchema },
    { rule: 'JSON that is no schema is refused', schema: '{"title":"A"}', answer: invalidSchema },
    { rule: 'an empty parameter is refused', schema: '', answer: invalidSchema },
    {
      rule: 'every violation is told',
      schema: aSchema({ title: ' ', categories: [{ title: 'a/b' }] }, { title: 'a,b' }),
      answer: rejection(
        'Title at /categorySchema/0/title is blank.',
        'Title at /categorySchema/0/categories/0/title has the reserved character /.',
        'Title at /categorySchema/1/title has the reserved character ,.',
      ),
    },
    { rule: 'an empty schema is refused with that one entry', schema: '[]', answer: treesOutOfBounds },
  ])('$rule', async ({ schema, answer }) => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    expect(await holder.assign(schema)).toMatchObject(answer)
    const isAccepted = answer === success
    expect(await holder.readText()).toBe(isAccepted ? JSON.stringify(schema) : '{"categorySchema":[]}')
    expect(await holder.versions()).toHaveLength(isAccepted ? 1 : 0)
  })

  test.each([
    ['lone surrogate', '\\ud800'],
    ['control character', '\\u0000'],
    ['control character', '\\n'],
    ['control character', '\\u009b'],
  ])('a title with a %s, %s, is refused', async (what, written) => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    const answer = await holder.assign(`{"categorySchema":[{"title":"A${written}B"}]}`)
    expect(answer).toEqual(rejection(`Title at /categorySchema/0/title has a ${what}.`))
  })

  test('a refused schema leaves the one that is set', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(plainSchema)
    await holder.assign(aSchemaOfTrees(6))
    await holder.assign('nonsense')
    expect(await holder.readText()).toBe(JSON.stringify(plainSchema))
    expect(await holder.versions()).toHaveLength(1)
  })
})

describe('the bytes of an answer', () => {
  const send = async (kind: HolderKind, schema: string, f: string) => {
    await using portal = await startPortal()
    const { client, path } = await openHolder(portal, kind)
    const response = await portal.inject({
      method: 'POST',
      url: `${path}/assignCategorySchema`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-esri-authorization': `Bearer ${client.token}`,
      },
      payload: `f=${f}&categorySchema=${encodeURIComponent(schema)}`,
    })
    expect(response.statusCode).toBe(200)
    return response.body
  }

  test.each(holderKinds)('a refusal is the envelope and nothing else (%s)', async (kind) => {
    const start =
      '{"error":{"code":400,"messageCode":"ORG_1132","message":"Unable to assign category schema.","details":'
    expect(await send(kind, '[]', 'json')).toBe(`${start}["Category schema exceeds max tree size or empty."]}}`)
    const reason = '"not JSON at line 1, column 2: a value is expected, not the end."'
    expect(await send(kind, '[', 'json')).toBe(`${start}["Invalid category schema."],"reasons":[${reason}]}}`)
  })

  test.each(holderKinds)('success is told in json and pjson (%s)', async (kind) => {
    expect(await send(kind, JSON.stringify(plainSchema), 'json')).toBe('{"success":true}')
    expect(await send(kind, JSON.stringify(plainSchema), 'pjson')).toBe('{\n  "success": true\n}')
  })
})

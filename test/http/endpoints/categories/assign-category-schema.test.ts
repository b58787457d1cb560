import { startPortal } from '../../../support/portal/portal.ts'
import {
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
import { describe, expect, test } from '../../../support/portal/test.ts'

const success = { success: true }

const place = '/categorySchema/0'
const title = `Title at ${place}/title`

/** One row for each kind of answer; the rules themselves have their tables, without HTTP. */
const refusals: readonly (readonly [string, unknown, object])[] = [
  ['is no JSON', '{"categorySchema":[{"title":"A"}', invalidSchema],
  ['has no tree', aSchema(), treesOutOfBounds],
  [
    'has five levels',
    aSchemaOfLevels(5),
    rejection(`Category at ${place}${'/categories/0'.repeat(4)} is on level 5; at most 4 levels are allowed.`),
  ],
  [
    'breaks several rules',
    aSchema({ title: ' ', categories: [{ title: 'a/b' }] }, { title: 'a,b' }),
    rejection(
      `${title} is blank.`,
      `Title at ${place}/categories/0/title has the reserved character /.`,
      'Title at /categorySchema/1/title has the reserved character ,.',
    ),
  ],
]

test.for(refusals)('a schema that %s is refused, and not kept', async ([_what, schema, answer], { portal }) => {
  const holder = await openHolder(portal, 'group')
  await holder.assign(plainSchema)
  expect(await holder.assign(schema)).toEqual(answer)
  expect(await holder.readText()).toBe(JSON.stringify(plainSchema))
  expect(await holder.versions()).toHaveLength(1)
})

describe.each(holderKinds)('the schema (%s)', (kind) => {
  test('is as large as its limits, and read as it was sent', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    const schemas = [aSchemaOfTrees(5), aSchemaOfLevels(4), aSchemaOfCategories(200)]
    for (const schema of schemas) {
      expect(await holder.assign(schema)).toEqual(success)
      expect(await holder.readText()).toBe(JSON.stringify(schema))
    }
    expect(await holder.versions()).toHaveLength(schemas.length)
  })

  test.for([
    ['title', 'Title', kind === 'group' ? 99 : 100],
    ['description', 'Description', kind === 'group' ? 299 : 300],
  ] as const)('has a %s as long as its own limit, and not one longer', async ([member, name, max], { portal }) => {
    const holder = await openHolder(portal, kind)
    const schemaOf = (length: number) => aSchema({ title: 'A', [member]: aText(length) })
    expect(await holder.assign(schemaOf(max))).toEqual(success)
    expect(await holder.assign(schemaOf(max + 1))).toEqual(
      rejection(`${name} at ${place}/${member} has ${max + 1} characters; at most ${max} are allowed.`),
    )
  })
})

describe('the bytes of an answer', () => {
  const send = async (kind: HolderKind, schema: string, f: string) => {
    await using portal = await startPortal()
    const { client, path } = await openHolder(portal, kind)
    const response = await client.send(`${path}/assignCategorySchema`, { form: { f, categorySchema: schema } })
    expect(response.statusCode).toBe(200)
    return response.body
  }

  test.each(holderKinds)('a refusal is the envelope and nothing else (%s)', async (kind) => {
    const start =
      '{"error":{"code":400,"messageCode":"ORG_1132","message":"Unable to assign category schema.","details":'
    expect(await send(kind, '[]', 'json')).toBe(`${start}["Category schema exceeds max tree size or empty."]}}`)
    const reasons = '["not JSON at line 1, column 2: a value is expected, not the end."]'
    expect(await send(kind, '[', 'json')).toBe(`${start}["Invalid category schema."],"reasons":${reasons}}}`)
  })

  test.each(holderKinds)('success names members that were perhaps misspelt, and no others (%s)', async (kind) => {
    const start = '{"success":true,"warnings":["/categorySchema/0'
    const warned = `${start}: Categories is not kept; did you mean categories?"]}`
    expect(await send(kind, '[{"title":"a","Categories":[{"title":"b"}]}]', 'json')).toBe(warned)
    const others = '[{"title":"a","categories":[],"Categories":[],"id":1,"__proto__":{},"source":2}]'
    expect(await send(kind, others, 'json')).toBe('{"success":true}')
  })
})

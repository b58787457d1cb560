import { resourceNotFound } from '../../../support/portal/envelopes.ts'
import { aSchema, aSchemaOfCategories, aSchemaOfTrees, plainSchema } from '../../../support/portal/schema-builder.ts'
import { holderKinds, openHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const noSchema = '{"categorySchema":[]}'
const success = { success: true }

describe.each(holderKinds)('the schema (%s)', (kind) => {
  test.for([
    [
      'members in the order they were sent',
      '{"categorySchema":[{"categories":[],"source":"S","description":"","title":"A"}]}',
    ],
    ['siblings in the order they were sent', '{"categorySchema":[{"title":"B"},{"title":"  A  "},{"title":"B"}]}'],
    [
      'characters that need no escape',
      '{"categorySchema":[{"title":"<b>\u2028\u200b🗺ü\'&+%","description":"/,\u0085"}]}',
    ],
    ['characters that need one', '{"categorySchema":[{"title":"\\"\\\\","description":"\\u0000\\n\\ud800"}]}'],
    ['the largest schema', JSON.stringify(aSchemaOfCategories(200))],
  ] as const)('is read back byte for byte: %s', async ([_what, document], { portal }) => {
    const holder = await openHolder(portal, kind)
    expect(await holder.assign(document)).toEqual(success)
    expect(await holder.readText()).toBe(document)
    expect((await holder.versions())[0]?.document).toBe(document)
  })

  test('loses what is no member of a category, and layout', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    const sent =
      '{ "v": 1, "categorySchema": [ {"id": "7", "title": "\\u0041", "__proto__": {"title": "B"}, "constructor": 1} ] }'
    expect(await holder.assign(sent)).toEqual(success)
    expect(await holder.readText()).toBe('{"categorySchema":[{"title":"A"}]}')
  })

  test('is gone after it was deleted', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    await holder.assign(plainSchema)
    expect(await holder.remove()).toEqual(success)
    expect(await holder.readText()).toBe(noSchema)
    expect(await holder.remove()).toEqual(resourceNotFound)
    expect(await holder.assign(aSchema({ title: 'B' }))).toEqual(success)
    expect(await holder.readText()).toBe('{"categorySchema":[{"title":"B"}]}')
  })

  test('is kept in every version, with its author and time, deletions too', async ({ portal }) => {
    const holder = await openHolder(portal, kind)
    const begun = portal.clock.now
    const write = async (act: () => Promise<unknown>) => {
      portal.clock.now += 1000
      await act()
    }
    await write(() => holder.assign(plainSchema))
    await write(() => holder.assign('nonsense'))
    await write(() => holder.assign(plainSchema))
    await write(() => holder.remove())
    await write(() => holder.remove())
    await write(() => holder.assign(aSchemaOfTrees(2)))
    const document = JSON.stringify(plainSchema)
    expect(await holder.versions()).toEqual([
      { version: 4, document: JSON.stringify(aSchemaOfTrees(2)), author: 'admin', assignedAt: begun + 6000 },
      { version: 3, document: undefined, author: 'admin', assignedAt: begun + 4000 },
      { version: 2, document, author: 'admin', assignedAt: begun + 3000 },
      { version: 1, document, author: 'admin', assignedAt: begun + 1000 },
    ])
  })
})

test('versions name the user who assigned them', async ({ portal }) => {
  const holder = await openHolder(portal, 'group')
  const manager = await portal.user('manager')
  await holder.client.post(`${holder.path}/addUsers`, { admins: 'manager' })
  await holder.assign(plainSchema)
  await manager.post(`${holder.path}/assignCategorySchema`, { categorySchema: plainSchema })
  await manager.post(`${holder.path}/deleteCategorySchema`)
  expect((await holder.versions()).map(({ version, author }) => [version, author])).toEqual([
    [3, 'manager'],
    [2, 'manager'],
    [1, 'admin'],
  ])
})

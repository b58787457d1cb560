import { describe, expect, test } from 'vitest'
import { permissionDenied, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { aSchema, aSchemaOfCategories, aSchemaOfTrees, plainSchema } from '../../../support/portal/schema-builder.ts'
import { holderKinds, openHolder } from '../../../support/portal/schema-holder.ts'

const noSchema = '{"categorySchema":[]}'
const success = { success: true }

describe.each(holderKinds)('the schema (%s)', (kind) => {
  test('is an empty list where none is set', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    expect(await holder.readText()).toBe(noSchema)
  })

  test.each([
    [
      'members in the order they were sent',
      '{"categorySchema":[{"categories":[],"source":"S","description":"","title":"A"}]}',
    ],
    ['siblings in the order they were sent', '{"categorySchema":[{"title":"B"},{"title":"A"},{"title":"B"}]}'],
    ['an empty list of children', '{"categorySchema":[{"title":"A","categories":[]}]}'],
    ['spaces around titles', '{"categorySchema":[{"title":"  A  ","description":"  "}]}'],
    [
      'a ready-made set without titles',
      '{"categorySchema":[{"source":"ISO 19115","categories":[{"source":"farming"}]}]}',
    ],
    [
      'characters that need no escape',
      '{"categorySchema":[{"title":"<b>\u2028\u200b🗺ü\'&+%","description":"/,\u0085"}]}',
    ],
    ['characters that need one', '{"categorySchema":[{"title":"\\"\\\\","description":"\\u0000\\n\\ud800"}]}'],
    ['the largest schema', JSON.stringify(aSchemaOfCategories(200))],
  ])('is read back byte for byte: %s', async (_what, document) => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    expect(await holder.assign(document)).toEqual(success)
    expect(await holder.readText()).toBe(document)
    expect((await holder.versions())[0]?.document).toBe(document)
  })

  test('loses what is no member of a category, and layout', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    const sent =
      '{ "v": 1, "categorySchema": [ {"id": "7", "title": "\\u0041", "__proto__": {"title": "B"}, "constructor": 1} ] }'
    expect(await holder.assign(sent)).toEqual(success)
    expect(await holder.readText()).toBe('{"categorySchema":[{"title":"A"}]}')
  })

  test('is the same value by GET and POST, in json and pjson', async () => {
    await using portal = await startPortal()
    const { client, path, assign } = await openHolder(portal, kind)
    await assign(plainSchema)
    expect(await client.post(`${path}/categorySchema`)).toEqual(plainSchema)
    const response = await portal.inject({
      url: `${path}/categorySchema?f=pjson`,
      headers: { 'x-esri-authorization': `Bearer ${client.token}` },
    })
    expect(response.body).toBe(JSON.stringify(plainSchema, null, 2))
  })

  test('is replaced as a whole', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(aSchemaOfTrees(5))
    expect(await holder.assign(plainSchema)).toEqual(success)
    expect(await holder.readText()).toBe(JSON.stringify(plainSchema))
  })

  test('is gone after it was deleted', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    await holder.assign(plainSchema)
    expect(await holder.remove()).toEqual(success)
    expect(await holder.readText()).toBe(noSchema)
    expect(await holder.remove()).toEqual(resourceNotFound)
    expect(await holder.assign(aSchema({ title: 'B' }))).toEqual(success)
    expect(await holder.readText()).toBe('{"categorySchema":[{"title":"B"}]}')
  })

  test('cannot be deleted where none is set', async () => {
    await using portal = await startPortal()
    const holder = await openHolder(portal, kind)
    expect(await holder.remove()).toEqual(resourceNotFound)
    expect(await holder.versions()).toEqual([])
  })

  test('is kept in every version, with its author and time, deletions too', async () => {
    await using portal = await startPortal()
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

test('versions name the user who assigned them', async () => {
  await using portal = await startPortal()
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

test('the versions of a group outlive the group', async () => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, 'group')
  await holder.assign(plainSchema)
  const kept = await holder.versions()
  expect(await holder.client.post(`${holder.path}/delete`)).toMatchObject(success)
  expect(kept).toHaveLength(1)
  expect(await holder.versions()).toEqual(kept)
  expect(await holder.client.get(`${holder.path}/categorySchema`)).toMatchObject({ error: { messageCode: 'COM_0003' } })
})

test('groups and the organization have schemas of their own', async () => {
  await using portal = await startPortal()
  const group = await openHolder(portal, 'group')
  const otherGroup = await openHolder(portal, 'group')
  const organization = await openHolder(portal, 'organization')
  await group.assign(aSchema({ title: 'Of the group' }))
  expect(await organization.readText()).toBe(noSchema)
  expect(await organization.remove()).toEqual(resourceNotFound)
  await organization.assign(aSchema({ title: 'Of the organization' }))
  expect(await otherGroup.readText()).toBe(noSchema)
  expect(await organization.remove()).toEqual(success)
  expect(await group.readText()).toBe('{"categorySchema":[{"title":"Of the group"}]}')
})

test('organizations have schemas of their own', async () => {
  await using portal = await startPortal()
  const organization = await openHolder(portal, 'organization')
  const outsider = await portal.otherOrganization()
  await organization.assign(plainSchema)
  expect(await outsider.get('/portals/self/categorySchema')).toEqual({ categorySchema: [] })
  expect(await outsider.post('/portals/self/deleteCategorySchema')).toEqual(resourceNotFound)
  await outsider.post('/portals/self/assignCategorySchema', { categorySchema: aSchemaOfTrees(3) })
  expect(await organization.readText()).toBe(JSON.stringify(plainSchema))
})

test('self stands for the organization of the caller', async () => {
  await using portal = await startPortal()
  const { client, readText } = await openHolder(portal, 'organization')
  expect(await client.post('/portals/self/assignCategorySchema', { categorySchema: plainSchema })).toEqual(success)
  expect(await readText()).toBe(JSON.stringify(plainSchema))
  expect(await client.post('/portals/self/deleteCategorySchema')).toEqual(success)
  expect(await readText()).toBe(noSchema)
})

test('callers who may not delete a schema do not learn whether there is one', async () => {
  await using portal = await startPortal()
  const { path } = await openHolder(portal, 'organization')
  const user = await portal.user('anna')
  expect(await user.post(`${path}/deleteCategorySchema`)).toEqual(permissionDenied)
})

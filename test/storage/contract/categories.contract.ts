import { expect } from 'vitest'
import type { PresentSchema, SchemaOwner } from '../../../src/categories/store.ts'
import {
  addPeople,
  aGroup,
  anId,
  endOfTime,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
  testOn,
} from './records.ts'

const group: SchemaOwner = { kind: 'group', groupId: anId(100) }
const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }

/** Five trees of forty categories each: the most there may be, with the longest titles and descriptions. */
function largestSchema(): string {
  const texts = { title: '🗺'.repeat(50), description: '界'.repeat(300) }
  const tree = { ...texts, categories: Array.from({ length: 39 }, () => texts) }
  return JSON.stringify({ categorySchema: Array.from({ length: 5 }, () => tree) })
}

/** Category schemas and their versions. */
function textOf(present: PresentSchema | undefined): string | undefined {
  return present && Buffer.from(present.document).toString()
}

export function categoriesContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('no document is undefined, and has no versions', async ({ categories, storage }) => {
    expect(await categories.findDocument(group)).toBeUndefined()
    expect(await storage.recorded.versions(group)).toEqual([])
  })

  test('a document is given back to the letter', async ({ categories }) => {
    for (const document of ['{"categorySchema":[ ]}', ...strangeTexts]) {
      await categories.putDocument(group, document, 'anna', noon)
      expect(textOf(await categories.findDocument(group))).toBe(document)
    }
  })

  test('a schema of 200 categories is given back to the letter', async ({ categories }) => {
    const document = largestSchema()
    await categories.putDocument(portal, document, 'anna', noon)
    expect(textOf(await categories.findDocument(portal))).toBe(document)
  })

  test('a group is found with its schema and the membership of a user', async ({ categories, directory }) => {
    await directory.addGroup(aGroup({ groupId: anId(100) }))
    const find = (userId?: string) => categories.findGroupSchema(anId(100), userId)
    const found = await directory.findGroupFor(anId(100), anId(1))
    expect(await find(anId(1))).toEqual({ ...found, present: undefined })
    await directory.putMember(anId(100), { userId: anId(1), memberType: 'admin', joinedAt: noon })
    await categories.putDocument(group, 'one', 'anna', noon)
    const present = { document: Buffer.from('one'), version: 1, assignedAt: noon }
    expect(await find(anId(1))).toEqual({ ...found, memberType: 'admin', present })
    expect(await find()).toEqual({ ...found, present })
    await categories.removeDocument(group, 'anna', noon)
    expect(await find()).toEqual({ ...found, present: undefined })
    expect(await categories.findGroupSchema(anId(101), undefined)).toBeUndefined()
  })

  test('another document replaces it, as the next version', async ({ storage }) => {
    const put = await storage.write(async ({ categories }) => [
      await categories.putDocument(group, 'one', 'anna', noon),
      await categories.putDocument(group, 'two', 'bert', noon + 1),
    ])
    expect(put.map(({ version }) => version)).toEqual([1, 2])
    expect(textOf(await storage.categories.findDocument(group))).toBe('two')
    expect(await storage.recorded.versions(group)).toEqual([
      { version: 2, document: 'two', author: 'bert', assignedAt: noon + 1 },
      { version: 1, document: 'one', author: 'anna', assignedAt: noon },
    ])
  })

  test('a document comes with its version and the time of its assignment', async ({ categories }) => {
    const find = () => categories.findDocument(group)
    await categories.putDocument(group, 'one', 'anna', noon)
    expect(await find()).toEqual({ document: Buffer.from('one'), version: 1, assignedAt: noon })
    await categories.removeDocument(group, 'anna', noon + 1)
    await categories.putDocument(group, 'one', 'anna', endOfTime)
    expect(await find()).toEqual({ document: Buffer.from('one'), version: 3, assignedAt: endOfTime })
  })

  test('a removal is a version without a document', async ({ categories, storage }) => {
    await categories.putDocument(group, 'one', 'anna', noon)
    expect(await categories.removeDocument(group, 'bert', noon + 1)).toBe(2)
    expect(await categories.findDocument(group)).toBeUndefined()
    const versions = await storage.recorded.versions(group)
    expect(versions[0]).toStrictEqual({ version: 2, document: undefined, author: 'bert', assignedAt: noon + 1 })
  })

  test('a removal where nothing is set is undefined, and no version', async ({ categories, storage }) => {
    expect(await categories.removeDocument(group, 'anna', noon)).toBeUndefined()
    await categories.putDocument(group, 'one', 'anna', noon)
    await categories.removeDocument(group, 'anna', noon)
    expect(await categories.removeDocument(group, 'anna', noon)).toBeUndefined()
    expect(await storage.recorded.versions(group)).toHaveLength(2)
  })

  test('numbers go on after a removal', async ({ categories }) => {
    await categories.putDocument(group, 'one', 'anna', noon)
    await categories.removeDocument(group, 'anna', noon)
    expect(await categories.putDocument(group, 'three', 'anna', noon)).toMatchObject({
      version: 3,
    })
    expect(textOf(await categories.findDocument(group))).toBe('three')
  })

  test('concurrent documents get numbers of their own, and the highest is the one that is set', async ({
    categories,
  }) => {
    const documents = Array.from({ length: 40 }, (_, index) => `document ${index}`)
    const put = await Promise.all(documents.map((document) => categories.putDocument(group, document, 'anna', noon)))
    const numbers = put.map(({ version }) => version)
    expect(numbers.toSorted((one, other) => one - other)).toEqual(documents.map((_, index) => index + 1))
    const last = documents[numbers.indexOf(documents.length)]
    expect(textOf(await categories.findDocument(group))).toBe(last)
  })

  test('of racing removals one removes', async ({ categories, storage }) => {
    await categories.putDocument(group, 'one', 'anna', noon)
    const removals = await Promise.all([1, 2, 3].map(() => categories.removeDocument(group, 'anna', noon)))
    expect(removals.filter((version) => version !== undefined)).toEqual([2])
    expect(await storage.recorded.versions(group)).toHaveLength(2)
  })

  test('owners do not see each other, even under the same id', async ({ categories }) => {
    const namesake: SchemaOwner = { kind: 'portal', portalId: anId(100) }
    await categories.putDocument(group, 'of the group', 'anna', noon)
    for (const owner of [namesake, portal, { kind: 'portal', portalId: otherPortal.portalId } as const]) {
      expect(await categories.findDocument(owner)).toBeUndefined()
      expect(await categories.removeDocument(owner, 'anna', noon)).toBeUndefined()
    }
    expect(textOf(await categories.findDocument(group))).toBe('of the group')
  })

  test('groups and portals say whether a schema is set', async ({ categories, directory }) => {
    await directory.addGroup(aGroup())
    const flags = async () => [
      (await directory.findGroup(anId(100)))?.hasCategorySchema,
      (await directory.findPortal('PortalOfMaps0001'))?.hasCategorySchema,
      (await directory.findPortal(otherPortal.portalId))?.hasCategorySchema,
    ]
    expect(await flags()).toEqual([false, false, false])
    await categories.putDocument(group, 'one', 'anna', noon)
    expect(await flags()).toEqual([true, false, false])
    await categories.putDocument(portal, 'one', 'anna', noon)
    expect(await flags()).toEqual([true, true, false])
    await categories.removeDocument(group, 'anna', noon)
    expect(await flags()).toEqual([false, true, false])
  })

  test('the versions of a group outlive the group', async ({ categories, directory, storage }) => {
    await directory.addGroup(aGroup())
    await categories.putDocument(group, 'one', 'anna', noon)
    await directory.removeGroup(anId(100), noon)
    expect(await categories.findDocument(group)).toBeUndefined()
    const versions = await storage.recorded.versions(group)
    expect(versions.map(({ document }) => document)).toEqual(['one'])
  })
}

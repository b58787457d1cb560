import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, aGroup, anId, noon, type OpenStorage, otherPortal } from './records.ts'

const group: SchemaOwner = { kind: 'group', groupId: anId(100) }
const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }

/** Texts of 600 characters that differ in one of them, few of which a checksum looks at. */
const likely = [...'abcdefghijkl'].map((letter) => `${'x'.repeat(301)}${letter}${'x'.repeat(298)}`)

function putAll(storage: WorkStorage, documents: readonly (string | undefined)[], owner: SchemaOwner = group) {
  return storage.write(async ({ categories }) => {
    for (const [index, document] of documents.entries()) {
      if (document === undefined) await categories.removeDocument(owner, 'anna', noon + index)
      else await categories.putDocument(owner, document, 'anna', noon + index)
    }
  })
}

const textOf = async (storage: WorkStorage, owner: SchemaOwner = group) => {
  const present = await storage.read(({ categories }) => categories.findDocument(owner))
  return present && Buffer.from(present.document).toString()
}

const keptOf = async (storage: WorkStorage, owner: SchemaOwner = group) => {
  const kept = await storage.read(({ categories }) => categories.findKept(owner))
  return kept && { versions: kept.versions, bytes: kept.bytes }
}

const versionsOf = async (storage: WorkStorage, owner: SchemaOwner = group) =>
  (await storage.recorded.versions(owner)).map(({ version, document }) => [version, document])

/** What is kept of the versions of category schemas, and what is removed. */
export function growthContract(open: OpenStorage): void {
  test('the room that the database takes is measured, and grows with what is stored', async () => {
    const storage = await open()
    await addPeople(storage)
    const { used } = await storage.measure()
    expect(used).toBeGreaterThan(0)
    // Random, as an engine may compress what repeats.
    await putAll(
      storage,
      Array.from({ length: 20 }, () => randomBytes(50_000).toString('hex')),
      portal,
    )
    expect((await storage.measure()).used - used).toBeGreaterThanOrEqual(20 * 50_000)
  })

  test('a document that equals the present one is a version without bytes', async () => {
    const storage = await open()
    const put = (document: string, at: number) =>
      storage.write(({ categories }) => categories.putDocument(group, document, 'bert', at))
    expect(await put('one', noon)).toEqual({ version: 1, versions: 1, bytes: 3, addedBytes: 3 })
    expect(await put('one', noon + 1)).toEqual({ version: 2, versions: 2, bytes: 3, addedBytes: 0 })
    expect(await put('one', noon + 2)).toEqual({ version: 3, versions: 3, bytes: 3, addedBytes: 0 })
    expect(await put('zwölf', noon + 3)).toEqual({ version: 4, versions: 4, bytes: 9, addedBytes: 6 })
    expect(await storage.read(({ categories }) => categories.findDocument(group))).toMatchObject({ version: 4 })
    expect(await storage.recorded.versions(group)).toEqual(
      ['zwölf', 'one', 'one', 'one'].map((document, index) => {
        return { version: 4 - index, document, author: 'bert', assignedAt: noon + 3 - index }
      }),
    )
    expect(await storage.recorded.storedBytes()).toBe(9)
  })

  test('an equal document is read with the number and the time of its own version', async () => {
    const storage = await open()
    await putAll(storage, ['one', 'one'])
    expect(await storage.read(({ categories }) => categories.findDocument(group))).toEqual({
      document: Buffer.from('one'),
      version: 2,
      assignedAt: noon + 1,
    })
  })

  test('documents that only seem equal are compared in full', async () => {
    const storage = await open()
    for (const document of likely) {
      await putAll(storage, [document])
      expect(await textOf(storage)).toBe(document)
    }
    expect(await keptOf(storage)).toEqual({ versions: likely.length, bytes: likely.length * 600 })
    expect(await storage.recorded.storedBytes()).toBe(likely.length * 600)
    await putAll(storage, [likely.at(-1)!])
    expect(await keptOf(storage)).toEqual({ versions: likely.length + 1, bytes: likely.length * 600 })
  })

  test('a document that was set before a removal is stored again', async () => {
    const storage = await open()
    await putAll(storage, ['one', undefined, 'one'])
    expect(await versionsOf(storage)).toEqual([
      [3, 'one'],
      [2, undefined],
      [1, 'one'],
    ])
    expect(await keptOf(storage)).toEqual({ versions: 3, bytes: 6 })
  })

  const remove = (storage: WorkStorage, versions: number, bytes = 0, owner: SchemaOwner = group) =>
    storage.write(({ categories }) => categories.removeOldVersions(owner, { versions, bytes }))

  test('the oldest versions are removed, so many or of so many bytes', async () => {
    const storage = await open()
    await putAll(storage, ['1', '22', '333', '4444', '55555'])
    expect(await remove(storage, 1)).toEqual({ versions: 1, bytes: 1 })
    expect(await keptOf(storage)).toEqual({ versions: 4, bytes: 14 })
    expect(await remove(storage, 0, 3)).toEqual({ versions: 2, bytes: 5 })
    expect(await versionsOf(storage)).toEqual([
      [5, '55555'],
      [4, '4444'],
    ])
    expect(await keptOf(storage)).toEqual({ versions: 2, bytes: 9 })
  })

  test('versions are removed that were replaced before a time, and no other', async () => {
    const storage = await open()
    await putAll(storage, ['one', 'same', 'same', 'four', undefined, 'six'])
    const removeReplaced = (replacedBefore: number) =>
      storage.write(({ categories }) => categories.removeOldVersions(group, { versions: 0, bytes: 0, replacedBefore }))
    const replacedAt = async () => {
      const kept = await storage.read(({ categories }) => categories.findKept(group, true))
      const [listed] = await storage.read(({ categories }) => categories.listKept(undefined, 10, true))
      expect(listed).toEqual(kept)
      return kept?.replacedAt
    }
    expect((await storage.read(({ categories }) => categories.findKept(group)))?.replacedAt).toBeUndefined()
    expect(await replacedAt()).toBe(noon + 1)
    expect(await removeReplaced(noon + 1)).toEqual({ versions: 0, bytes: 0 })
    // Version 2 has the document of version 3, which was replaced later.
    expect(await removeReplaced(noon + 3)).toEqual({ versions: 1, bytes: 3 })
    expect(await replacedAt()).toBe(noon + 3)
    expect(await removeReplaced(noon + 4)).toEqual({ versions: 2, bytes: 4 })
    expect(await versionsOf(storage)).toEqual([
      [6, 'six'],
      [5, undefined],
      [4, 'four'],
    ])
    expect(await removeReplaced(noon + 99)).toEqual({ versions: 2, bytes: 4 })
    expect(await keptOf(storage)).toEqual({ versions: 1, bytes: 3 })
    expect([await replacedAt(), await removeReplaced(noon + 99)]).toEqual([undefined, { versions: 0, bytes: 0 }])
  })

  test('where the oldest version has the document of the next, that is not removable', async () => {
    const storage = await open()
    await putAll(storage, ['same', 'same'])
    const replacedAt = async () =>
      (await storage.read(({ categories }) => categories.findKept(group, true)))?.replacedAt
    expect(await replacedAt()).toBeUndefined()
    await storage.write(({ categories }) => categories.putDocument(group, 'same', 'anna', noon + 2))
    expect(await replacedAt()).toBe(noon + 2)
  })

  test('the latest version is never removed, be it a removal', async () => {
    const storage = await open()
    await putAll(storage, ['one', 'two'])
    expect(await remove(storage, 99, 99)).toEqual({ versions: 1, bytes: 3 })
    expect(await remove(storage, 99, 99)).toEqual({ versions: 0, bytes: 0 })
    expect(await textOf(storage)).toBe('two')
    await putAll(storage, [undefined])
    await remove(storage, 99)
    expect(await versionsOf(storage)).toEqual([[3, undefined]])
    expect(await keptOf(storage)).toEqual({ versions: 1, bytes: 0 })
  })

  test('the version with the document of a later one stays as long as that one', async () => {
    const storage = await open()
    await putAll(storage, ['one', 'same', 'same', 'same'])
    expect(await remove(storage, 2)).toEqual({ versions: 2, bytes: 3 })
    expect(await versionsOf(storage)).toEqual([
      [4, 'same'],
      [2, 'same'],
    ])
    expect(await textOf(storage)).toBe('same')
    await putAll(storage, ['other', 'last'])
    expect(await remove(storage, 1)).toEqual({ versions: 2, bytes: 4 })
    expect(await versionsOf(storage)).toEqual([
      [6, 'last'],
      [5, 'other'],
    ])
    expect(await keptOf(storage)).toEqual({ versions: 2, bytes: 9 })
  })

  test('one call removes a bounded number of versions', async () => {
    const storage = await open()
    await putAll(
      storage,
      Array.from({ length: 300 }, (_, index) => (index < 150 ? 'same' : `${index}`)),
    )
    const removed = []
    for (let times = 0; times < 4; times += 1) removed.push((await remove(storage, 1_000)).versions)
    expect(removed).toEqual([128, 128, 43, 0])
    expect(await versionsOf(storage)).toEqual([[300, '299']])
    expect(await keptOf(storage)).toEqual({ versions: 1, bytes: 3 })
  })

  test('versions of others stay', async () => {
    const storage = await open()
    await putAll(storage, ['one', 'two'])
    await putAll(storage, ['three', 'four'], portal)
    await remove(storage, 99, 99, portal)
    expect(await versionsOf(storage)).toHaveLength(2)
    expect(await textOf(storage, portal)).toBe('four')
  })

  test('versions of a deleted group count to its organization, and can all be removed', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ directory }) => directory.addGroup(aGroup()))
    await putAll(storage, ['one', 'two', 'two'])
    const listed = async () => storage.read(({ categories }) => categories.listKept(undefined, 10))
    const kept = { owner: group, portalId: 'PortalOfMaps0001', versions: 3, bytes: 6 }
    expect(await listed()).toEqual([{ ...kept, deletedAt: undefined, formerOwnerId: undefined }])
    await storage.write(({ directory }) => directory.removeGroup(anId(100), noon + 9))
    expect(await listed()).toEqual([{ ...kept, deletedAt: noon + 9, formerOwnerId: aGroup().ownerId }])
    expect(await textOf(storage)).toBeUndefined()
    expect(await remove(storage, 3, 6)).toEqual({ versions: 3, bytes: 6 })
    expect(await listed()).toEqual([])
    expect(await storage.recorded.versions(group)).toEqual([])
  })

  test('the bytes of the other groups of the same owner are summed up', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ directory }) => {
      for (const number of [100, 101, 102]) await directory.addGroup(aGroup({ groupId: anId(number) }))
    })
    const sum = (number: number) => storage.read(({ categories }) => categories.sumBytesBeside(anId(number)))
    expect(await sum(100)).toBe(0)
    await putAll(storage, ['one', 'two'])
    await putAll(storage, ['three'], { kind: 'group', groupId: anId(101) })
    await putAll(storage, ['of the organization'], portal)
    await putAll(storage, ['of no group that exists'], { kind: 'group', groupId: anId(103) })
    expect([await sum(100), await sum(101), await sum(102)]).toEqual([5, 6, 11])
    await storage.write(({ directory }) => directory.removeGroup(anId(101), noon))
    expect(await sum(102)).toBe(6)
  })

  test('what is kept of the deleted groups of a user is summed up, with the group that was deleted first', async () => {
    const storage = await open()
    await addPeople(storage)
    const find = (userId = aGroup().ownerId) => storage.read(({ categories }) => categories.findFormer(userId))
    expect(await find()).toEqual({ bytes: 0, oldest: undefined })
    for (const [number, deletedAt] of [
      [100, noon + 5],
      [101, noon],
      [102, undefined],
    ] as const) {
      const groupId = anId(number)
      await storage.write(({ directory }) => directory.addGroup(aGroup({ groupId })))
      await putAll(storage, ['x'.repeat(number)], { kind: 'group', groupId })
      if (deletedAt) await storage.write(({ directory }) => directory.removeGroup(groupId, deletedAt))
    }
    expect(await find()).toMatchObject({ bytes: 201, oldest: { owner: { groupId: anId(101) }, bytes: 101 } })
    expect(await find(anId(2))).toEqual({ bytes: 0, oldest: undefined })
  })

  test('owners are listed in slices that miss none', async () => {
    const storage = await open()
    const owners: SchemaOwner[] = [portal, { kind: 'portal', portalId: otherPortal.portalId }]
    for (let number = 1; number <= 20; number += 1) owners.push({ kind: 'group', groupId: anId(number) })
    for (const [index, owner] of owners.entries()) await putAll(storage, ['x'.repeat(index + 1)], owner)
    const found = []
    for (let after: SchemaOwner | undefined; ; ) {
      const slice = await storage.read(({ categories }) => categories.listKept(after, 7))
      found.push(...slice)
      if (slice.length < 7) break
      after = slice.at(-1)!.owner
    }
    expect(found).toHaveLength(owners.length)
    expect(new Set(found.map(({ owner }) => JSON.stringify(owner)))).toEqual(
      new Set(owners.map((owner) => JSON.stringify(owner))),
    )
    const largest = await storage.read(({ categories }) => categories.listLargest(2))
    expect(largest.map(({ owner, bytes }) => [owner, bytes])).toEqual([
      [owners[21], 22],
      [owners[20], 21],
    ])
  })

  test('what organizations keep is as it was put last', async () => {
    const storage = await open()
    await addPeople(storage)
    const sum = () => storage.read(({ categories }) => categories.sumUsage())
    const find = (portalId: string) => storage.read(({ categories }) => categories.findUsage(portalId))
    expect(await sum()).toEqual({ versions: 0, bytes: 0 })
    expect(await find('PortalOfMaps0001')).toEqual({ versions: 0, bytes: 0 })
    const largest = { versions: 2 ** 33, bytes: 2 ** 50 }
    for (const usage of [{ versions: 1, bytes: 2 }, largest, largest]) {
      await storage.write(({ categories }) => categories.putUsage('PortalOfMaps0001', usage))
    }
    await storage.write(({ categories }) => categories.putUsage(otherPortal.portalId, { versions: 1, bytes: 2 }))
    expect(await find('PortalOfMaps0001')).toEqual(largest)
    expect(await sum()).toEqual({ versions: largest.versions + 1, bytes: largest.bytes + 2 })
    expect(await storage.read(({ categories }) => categories.listCounted())).toHaveLength(2)
  })
}

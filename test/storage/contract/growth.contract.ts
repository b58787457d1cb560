import { expect } from 'vitest'
import type { Bounds, SchemaOwner } from '../../../src/categories/store.ts'
import type { Stores } from '../../../src/storage/storage.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf } from '../../support/length.ts'
import type { WorkStorage } from '../work-storage.ts'
import { aDraft, addPeople, aGroup, aJob, anId, noon, type OpenStorage, testOn } from './records.ts'

const group: SchemaOwner = { kind: 'group', groupId: anId(100) }
const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }

/** Texts of 600 characters and of one CRC-32: it is the same whichever of the two words is at a place. */
const likely = [...Array(12).keys()].map((number) => {
  const words = [1, 2, 4, 8].map((bit) => (number & bit ? 'plumless' : 'buckeroo'))
  return `${words.join('')}${'x'.repeat(568)}`
})

function putAll(storage: WorkStorage, documents: readonly (string | undefined)[], owner: SchemaOwner = group) {
  return storage.write(async ({ categories }) => {
    for (const [index, document] of documents.entries()) {
      if (document === undefined) await categories.removeDocument(owner, 'anna', noon + index)
      else await categories.putDocument(owner, document, 'anna', noon + index)
    }
  })
}

const textOf = async (storage: WorkStorage, owner: SchemaOwner = group) => {
  const present = await storage.categories.findDocument(owner)
  return present && Buffer.from(present.document).toString()
}

const keptOf = async (storage: WorkStorage, owner: SchemaOwner = group) => {
  return (await storage.categories.findKept(owner))?.versions
}

const versionsOf = async (storage: WorkStorage, owner: SchemaOwner = group) =>
  (await storage.recorded.versions(owner)).map(({ version, document }) => [version, document])

const countOfAll = (storage: WorkStorage) => storage.categories.countVersions()

class NotMeant extends Error {}

/** Whether a version of the group can be removed that was replaced before a time; removes none. */
async function removesAny(storage: WorkStorage, replacedBefore: number): Promise<boolean> {
  let removed = 0
  const attempt = storage.write(async ({ categories }) => {
    removed = await categories.removeOldVersions(group, { versions: 0, replacedBefore })
    throw new NotMeant()
  })
  await expect(attempt).rejects.toThrow(NotMeant)
  return removed > 0
}

/** Retention of the versions of category schemas. */
export function growthContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('a document that equals the present one is a version without bytes', async ({ categories, storage }) => {
    const put = (document: string, at: number) => categories.putDocument(group, document, 'bert', at)
    expect(await put('one', noon)).toEqual({ version: 1, versions: 1 })
    expect(await put('one', noon + 1)).toEqual({ version: 2, versions: 2 })
    expect(await put('one', noon + 2)).toEqual({ version: 3, versions: 3 })
    expect([await keptOf(storage), await storage.recorded.storedBytes()]).toEqual([3, 3])
    expect(await put('zwölf', noon + 3)).toEqual({ version: 4, versions: 4 })
    expect(await keptOf(storage)).toBe(4)
    expect(await categories.findDocument(group)).toMatchObject({ version: 4 })
    expect(await storage.recorded.versions(group)).toEqual(
      ['zwölf', 'one', 'one', 'one'].map((document, index) => {
        return { version: 4 - index, document, author: 'bert', assignedAt: noon + 3 - index }
      }),
    )
    expect(await storage.recorded.storedBytes()).toBe(9)
  })

  test('an equal document is read with the number and the time of its own version', async ({ categories, storage }) => {
    await putAll(storage, ['one', 'one'])
    expect(await categories.findDocument(group)).toEqual({
      document: Buffer.from('one'),
      version: 2,
      assignedAt: noon + 1,
    })
  })

  test('documents that only seem equal are compared in full', async ({ storage }) => {
    for (const document of likely) {
      await putAll(storage, [document])
      expect(await textOf(storage)).toBe(document)
    }
    const stored = async () => [await keptOf(storage), await storage.recorded.storedBytes()]
    expect(await stored()).toEqual([likely.length, likely.length * 600])
    await putAll(storage, [likely.at(-1)!])
    expect(await stored()).toEqual([likely.length + 1, likely.length * 600])
  })

  test('a document that was set before a removal is stored again', async ({ storage }) => {
    await putAll(storage, ['one', undefined, 'one'])
    expect(await versionsOf(storage)).toEqual([
      [3, 'one'],
      [2, undefined],
      [1, 'one'],
    ])
    expect([await keptOf(storage), await storage.recorded.storedBytes()]).toEqual([3, 6])
  })

  const remove = (storage: WorkStorage, versions: number, owner: SchemaOwner = group) =>
    storage.categories.removeOldVersions(owner, { versions })

  test('the oldest versions are removed, so many', async ({ storage }) => {
    await putAll(storage, ['1', '22', '333', '4444', '55555'])
    expect([await remove(storage, 1), await keptOf(storage)]).toEqual([1, 4])
    expect([await remove(storage, 2), await keptOf(storage)]).toEqual([2, 2])
    expect(await versionsOf(storage)).toEqual([
      [5, '55555'],
      [4, '4444'],
    ])
  })

  test('versions are removed that were replaced before a time, and no other', async ({ categories, storage }) => {
    await putAll(storage, ['one', 'same', 'same', 'four', undefined, 'six'])
    const removeReplaced = (replacedBefore: number) =>
      categories.removeOldVersions(group, { versions: 0, replacedBefore })
    const replacedAt = async () => {
      const kept = await categories.findKept(group)
      const at = kept?.replacedAt
      const before = (replacedBefore: number) => categories.listOutdated({ replacedBefore }, 10)
      if (at !== undefined) expect([await before(at), await before(at + 1)]).toEqual([[], [kept]])
      else expect(await before(noon + 1_000)).toEqual([])
      return at
    }
    expect(await replacedAt()).toBe(noon + 1)
    expect(await removeReplaced(noon + 1)).toBe(0)
    // Version 2 has the document of version 3, which was replaced later.
    expect(await removeReplaced(noon + 3)).toBe(1)
    expect(await replacedAt()).toBe(noon + 3)
    expect(await removeReplaced(noon + 4)).toBe(2)
    expect(await versionsOf(storage)).toEqual([
      [6, 'six'],
      [5, undefined],
      [4, 'four'],
    ])
    expect([await removeReplaced(noon + 99), await keptOf(storage)]).toEqual([2, 1])
    expect([await replacedAt(), await removeReplaced(noon + 99)]).toEqual([undefined, 0])
  })

  test('it is known since when a version can be removed, however versions come and go, and how many there are', async ({
    categories,
    directory,
    storage,
  }) => {
    await directory.addGroup(aGroup())
    const random = seededRandom(7)
    const below = (end: number) => Math.floor(random() * end)
    const steps = countOf({ sample: 60, system: 150, long: 150 })
    let removable = 0
    for (let step = 0; step < steps; step += 1) {
      const at = noon + step
      if (below(3) === 0) await remove(storage, [0, 1, 2, 99][below(4)]!)
      else if (below(5) === 0) await categories.removeDocument(group, 'anna', at)
      // Texts that only seem equal are among them.
      else await categories.putDocument(group, likely[below(3)]!, 'anna', at)
      const kept = await categories.findKept(group)
      const replacedAt = kept?.replacedAt
      const isLonger = (replacedBefore: number) => removesAny(storage, replacedBefore)
      if (replacedAt === undefined) expect(await isLonger(Number.MAX_SAFE_INTEGER), `step ${step}`).toBe(false)
      else expect([await isLonger(replacedAt), await isLonger(replacedAt + 1)], `step ${step}`).toEqual([false, true])
      if (replacedAt !== undefined) removable += 1
      const { length } = await versionsOf(storage)
      expect([kept?.versions ?? 0, await countOfAll(storage)], `step ${step}`).toEqual([length, length])
    }
    expect(Math.min(removable, steps - removable)).toBeGreaterThan(steps / 8)
  })

  test('where the oldest version has the document of the next, that is not removable', async ({
    categories,
    storage,
  }) => {
    await putAll(storage, ['same', 'same'])
    const replacedAt = async () => (await categories.findKept(group))?.replacedAt
    expect(await replacedAt()).toBeUndefined()
    await categories.putDocument(group, 'same', 'anna', noon + 2)
    expect(await replacedAt()).toBe(noon + 2)
  })

  test('the latest version is never removed, be it a removal', async ({ storage }) => {
    await putAll(storage, ['one', 'two'])
    expect([await remove(storage, 99), await remove(storage, 99)]).toEqual([1, 0])
    expect(await textOf(storage)).toBe('two')
    await putAll(storage, [undefined])
    await remove(storage, 99)
    expect(await versionsOf(storage)).toEqual([[3, undefined]])
    expect(await keptOf(storage)).toBe(1)
  })

  test('the version with the document of a later one stays as long as that one', async ({ storage }) => {
    await putAll(storage, ['one', 'same', 'same', 'same'])
    expect(await remove(storage, 2)).toBe(2)
    expect(await versionsOf(storage)).toEqual([
      [4, 'same'],
      [2, 'same'],
    ])
    expect(await textOf(storage)).toBe('same')
    await putAll(storage, ['other', 'last'])
    expect(await remove(storage, 1)).toBe(2)
    expect(await versionsOf(storage)).toEqual([
      [6, 'last'],
      [5, 'other'],
    ])
    expect(await keptOf(storage)).toBe(2)
  })

  test('one call removes a bounded number of versions', async ({ storage }) => {
    await putAll(
      storage,
      Array.from({ length: 300 }, (_, index) => (index < 150 ? 'same' : `${index}`)),
    )
    const removed = []
    for (let times = 0; times < 4; times += 1) removed.push(await remove(storage, 1_000))
    expect(removed).toEqual([128, 128, 43, 0])
    expect(await versionsOf(storage)).toEqual([[300, '299']])
    expect(await keptOf(storage)).toBe(1)
  })

  test('versions of others stay', async ({ storage }) => {
    await putAll(storage, ['one', 'two'])
    await putAll(storage, ['three', 'four'], portal)
    await remove(storage, 99, portal)
    expect(await versionsOf(storage)).toHaveLength(2)
    expect(await textOf(storage, portal)).toBe('four')
  })

  test('versions of a deleted group can all be removed', async ({ categories, directory, storage }) => {
    await directory.addGroup(aGroup())
    await putAll(storage, ['one', 'two', 'two'])
    const found = () => categories.findKept(group)
    const kept = { owner: group, versions: 3, replacedAt: noon + 1 }
    expect(await found()).toEqual({ ...kept, deletedAt: undefined })
    await directory.removeGroup(anId(100), noon + 9)
    expect(await found()).toEqual({ ...kept, deletedAt: noon + 9 })
    const before = (deletedBefore: number) => categories.listOutdated({ deletedBefore }, 10)
    expect([await before(noon + 9), await before(noon + 10)]).toEqual([[], [await found()]])
    expect(await textOf(storage)).toBeUndefined()
    expect(await countOfAll(storage)).toBe(3)
    expect(await remove(storage, 3)).toBe(3)
    expect(await found()).toBeUndefined()
    expect(await storage.recorded.versions(group)).toEqual([])
    expect(await countOfAll(storage)).toBe(0)
  })

  test('owners with more versions, or older ones, are found once', async ({ categories, storage }) => {
    await putAll(storage, ['one', 'two', 'three'])
    await putAll(storage, ['one', 'two'], portal)
    const find = async (bounds: Bounds, num = 10) =>
      (await categories.listOutdated(bounds, num)).map(({ owner }) => owner)
    expect(await find({})).toEqual([])
    expect(await find({ moreVersionsThan: 3 })).toEqual([])
    expect(await find({ moreVersionsThan: 2 })).toEqual([group])
    const both = { moreVersionsThan: 1, replacedBefore: noon + 2 }
    expect(new Set(await find(both))).toEqual(new Set([group, portal]))
    expect(await find({ moreVersionsThan: 1 }, 1)).toEqual([portal])
  })

  test('versions, drafts and jobs count for who made them, those of others for the organization, as soon as they are written', async ({
    storage,
  }) => {
    const userId = anId(1)
    const count = async () => {
      const [ofUser, ofPortal] = await storage.read(({ items }) =>
        Promise.all([items.countItemsOwnedBy(userId), items.countItemsOwnedBy('PortalOfMaps0001')]),
      )
      return [ofUser.bytes, ofPortal.bytes]
    }
    const counted = async (work: (stores: Stores) => Promise<unknown>) => {
      await storage.write(work)
      const before = await count()
      await storage.items.mergeItemCounts()
      expect(await count()).toEqual(before)
      return before
    }
    const put = (text: string, author: string, at: number) =>
      counted(({ categories }) => categories.putDocument(portal, text, author, at))
    expect(await put('12345', 'anna', noon)).toEqual([5, 0])
    expect(await put('12345', 'anna', noon + 1)).toEqual([5, 0])
    expect(await put('1234567', 'app:maps', noon + 2)).toEqual([5, 7])
    const noted = { action: 'assign', comment: 'ünd' } as const
    expect(await counted(({ schemaHistory }) => schemaHistory.noteVersion(portal, 3, noted))).toEqual([5, 11])
    // A user of that name who was not there yet.
    expect(await put('1', 'anna', -1)).toEqual([5, 12])
    expect(await counted(({ categories }) => categories.removeOldVersions(portal, { versions: 2 }))).toEqual([0, 12])
    const draft = aDraft({
      document: '123',
      moves: [],
      comment: undefined,
      note: undefined,
      savedBy: 'anna',
      savedAt: noon,
    })
    expect(await counted(({ drafts }) => drafts.addDraft(draft))).toEqual([5, 12])
    expect(await counted(({ drafts }) => drafts.putDraft({ ...draft, document: '1', savedBy: 'gone' }))).toEqual([
      0, 15,
    ])
    expect(await counted(({ drafts }) => drafts.putDraft({ ...draft, document: '1234' }))).toEqual([6, 12])
    const job = aJob({ starterId: userId })
    expect(await counted(({ jobs }) => jobs.addJob(job, {}))).toEqual([8, 12])
    expect(await counted(({ jobs }) => jobs.addJobItems(job.jobId, [{ row: 1, data: {} }]))).toEqual([10, 12])
    expect(await counted(({ jobs }) => jobs.putJob({ ...job, state: 'failed', endedAt: noon }))).toEqual([6, 12])
    // The organization gets the bytes of a user who goes.
    expect(await counted(({ directory }) => directory.removeUser(userId))).toEqual([0, 18])
    expect(await counted(({ drafts }) => drafts.removeDraft(draft.draftId))).toEqual([0, 12])
  })

  test('what a write counts that fails is not counted', async ({ storage }) => {
    await putAll(storage, ['one'], portal)
    const failing = storage.write(async ({ categories }) => {
      await categories.putDocument(portal, 'two', 'anna', noon + 1)
      throw new Error('It fails.')
    })
    await expect(failing).rejects.toThrow('It fails.')
    expect(await countOfAll(storage)).toBe(1)
  })
}

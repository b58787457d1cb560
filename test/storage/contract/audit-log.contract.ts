import { describe, expect } from 'vitest'
import type { AuditFilter } from '../../../src/audit/filter.ts'
import type { AuditEntry, StoredEntry } from '../../../src/call/audit-entry.ts'
import { drawFilter, findNaively } from '../../support/audit/naive-log.ts'
import { type DrawnEntry, drawEntry, portals } from '../../support/audit/random-log.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf } from '../../support/length.ts'
import { Draw } from '../../support/search/random-items.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addGroups,
  addMorePeople,
  aGroup,
  anAuditEntry,
  anItem,
  endOfTime,
  type OpenStorage,
  otherPortal,
  testOn,
} from './records.ts'

/** Adds steps to the index, as housekeeping does; resolves with how many. */
export async function indexSteps(storage: WorkStorage, max = Number.MAX_SAFE_INTEGER): Promise<number> {
  for (let steps = 0; steps < max; steps += 1) {
    if ((await storage.audit.indexEntries(1_000)) === 0) return steps
  }
  return max
}

/** Every entry of a search, a page at a time. */
async function readAll(
  storage: WorkStorage,
  portalId: string,
  filter: AuditFilter,
  order: 'asc' | 'desc',
  max: number,
): Promise<readonly string[]> {
  const found: StoredEntry[] = []
  while (true) {
    const after = found.at(-1)?.number
    const page = await storage.audit.listEntries({ portalId, filter, order, after, max })
    expect(page.length).toBeLessThanOrEqual(max)
    found.push(...page)
    if (page.length < max) return found.map(({ requestId }) => requestId)
  }
}

const [portalId] = portals
const entriesOfWrite = 100

/** Searches of the log, and its index. */
export function auditLogContract(open: OpenStorage): void {
  const test = testOn(open)

  test('a search finds what a naive one finds, however much of the log is indexed', async ({ storage }) => {
    const draw = new Draw(seededRandom(20261122))
    const drawn: DrawnEntry[] = []
    // A transaction of all of them could take longer than the database waits for one.
    async function add(count: number): Promise<void> {
      for (let left = count; left > 0; left -= entriesOfWrite) {
        await storage.write(async ({ audit }) => {
          for (let at = 0; at < Math.min(left, entriesOfWrite); at += 1) {
            const next = drawEntry(draw, drawn.length)
            drawn.push(next)
            await audit.add(next.entry)
          }
        })
      }
    }
    async function compare(filters: number): Promise<number> {
      let sum = 0
      for (let at = 0; at < filters; at += 1) {
        const filter = drawFilter(draw, drawn.length)
        const order = draw.one(['asc', 'desc'] as const)
        const max = draw.one([100, 1_000, 5_000])
        const portal = draw.one(portals)
        const expected = findNaively(drawn, portal, filter, order).map(({ entry }) => entry.requestId)
        expect(await readAll(storage, portal, filter, order, max), JSON.stringify({ filter, order, max })).toEqual(
          expected,
        )
        sum += expected.length
      }
      return sum
    }
    const filters = countOf({ sample: 8, system: 10, long: 20 })
    const later = countOf({ sample: 1_200, system: 2_000, long: 3_500 })
    await add(2_300)
    expect(await compare(filters)).toBeGreaterThan(100)
    expect(await indexSteps(storage, 1)).toBe(1)
    expect(await compare(filters)).toBeGreaterThan(100)
    expect(await indexSteps(storage)).toBe(1)
    await add(later)
    expect(await indexSteps(storage)).toBe(Math.floor(later / 1_000))
    expect(await compare(5 * filters)).toBeGreaterThan(500)
  })

  test('an entry of an operation that is unknown to this version is found by its name', async ({ audit }) => {
    await audit.add(anAuditEntry({ operation: 'formerOperation' }))
    const find = (filter: AuditFilter) =>
      audit.listEntries({ portalId: 'PortalOfMaps0001', filter, order: 'asc', max: 9 })
    expect(await find({ actions: ['formeroperation'] })).toHaveLength(1)
    expect(await find({ words: ['formerOperation'] })).toHaveLength(1)
    expect(await find({ types: ['g', 'a'] })).toEqual([])
  })

  test('a word names people, groups and items of the organization whose names have it, a hundred of each', async ({
    audit,
    storage,
  }) => {
    await addMorePeople(storage)
    await addGroups(storage, [{ title: 'Alm lakes' }, { portalId: otherPortal.portalId, title: 'Alm' }])
    await storage.items.addItem(anItem({ title: 'Deep lakes' }), undefined)
    const find = async (word: string) => (await audit.findNamed(portalId, word)).toSorted()
    expect(await find('ALM')).toEqual([aGroup().groupId, 'Bert', 'anna'])
    expect(await find('bert')).toEqual(['Bert'])
    expect(await find('lak')).toEqual([aGroup().groupId, anItem().itemId])
    expect([...(await find('akes')), ...(await find('-'))]).toEqual([])
    const more = Array.from({ length: 101 }, (_, at) => ({ groupId: (at + 9_000).toString(16).padStart(32, '0') }))
    await addGroups(storage, more)
    expect(await find('land')).toHaveLength(100)
  })

  describe('the index', () => {
    const ofThree = (at: number): Partial<AuditEntry> => ({ username: `user${at % 3}`, operation: 'updateGroup' })
    async function addEntries(storage: WorkStorage, count: number, from = 0, entryOf = ofThree): Promise<void> {
      for (let begin = from; begin < from + count; begin += entriesOfWrite) {
        await storage.write(async ({ audit }) => {
          for (let at = begin; at < Math.min(from + count, begin + entriesOfWrite); at += 1) {
            await audit.add(anAuditEntry({ at: at + 1, portalId, ...entryOf(at) }))
          }
        })
      }
    }
    const find = async (storage: WorkStorage, filter: AuditFilter) =>
      (await storage.audit.listEntries({ portalId, filter, order: 'asc', max: 10_000 })).map(({ at }) => at)
    const countUnindexed = (storage: WorkStorage) => storage.recorded.countUnindexed()

    test('takes entries in whole steps, and leaves what is less than one', async ({ audit, storage }) => {
      await addEntries(storage, 999)
      await audit.add(anAuditEntry({ portalId: undefined }))
      expect(await indexSteps(storage)).toBe(0)
      await addEntries(storage, 1_101, 999)
      expect(await indexSteps(storage)).toBe(2)
      expect(await countUnindexed(storage)).toBe(100)
      expect(await find(storage, {})).toHaveLength(2_100)
      expect(await find(storage, { actors: ['user1'] })).toHaveLength(700)
    })

    test('leads to what is rare, to what is common and long ago, and to what has both words but never together', async ({
      audit,
      storage,
    }) => {
      await addEntries(storage, 5_000, 0, (at) => ({
        username: at < 1_500 ? 'early' : 'late',
        operation: at % 1_700 === 0 ? 'deleteGroup' : at < 1_500 ? 'updateGroup' : 'leaveGroup',
      }))
      expect(await indexSteps(storage)).toBe(5)
      expect(await find(storage, { actors: ['early'] })).toHaveLength(1_500)
      expect(await find(storage, { actions: ['delete'] })).toEqual([1, 1_701, 3_401])
      expect(await find(storage, { actors: ['early'], actions: ['leave'] })).toEqual([])
      expect(await find(storage, { actors: ['early'], without: ['update'] })).toEqual([1])
      expect(await find(storage, { from: 1_400, to: 1_402 })).toEqual([1_400, 1_401, 1_402])
      const latest = await audit.listEntries({ portalId, filter: { actors: ['early'] }, order: 'desc', max: 2 })
      expect(latest.map(({ at }) => at)).toEqual([1_500, 1_499])
    })

    test('loses what is removed, and nothing else', async ({ audit, storage }) => {
      await addEntries(storage, 2_600)
      await indexSteps(storage)
      const remove = (before: number) => audit.removeEntries(before)
      expect(await remove(501)).toBe(500)
      expect(await find(storage, { actors: ['user0'] })).toHaveLength(700)
      expect(await remove(1_501)).toBe(1_000)
      expect(await find(storage, {})).toHaveLength(1_100)
      expect(await remove(2_301)).toBe(800)
      expect(await countUnindexed(storage)).toBe(300)
      while ((await remove(endOfTime)) > 0);
      expect(await countUnindexed(storage)).toBe(0)
      await addEntries(storage, 2_100)
      expect(await indexSteps(storage)).toBe(2)
      expect(await find(storage, {})).toHaveLength(2_100)
    })
  })
}

import { describe, expect, test } from 'vitest'
import type { AuditFilter } from '../../../src/audit/filter.ts'
import { indexBlock } from '../../../src/audit/log-index.ts'
import type { StoredEntry } from '../../../src/call/audit-entry.ts'
import { drawFilter, findNaively } from '../../support/audit/naive-log.ts'
import { type DrawnEntry, drawEntry, portals } from '../../support/audit/random-log.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { Draw } from '../../support/search/random-items.ts'
import type { WorkStorage } from '../work-storage.ts'
import { anAuditEntry, endOfTime, type OpenStorage } from './records.ts'

/** Adds blocks to the index, as housekeeping does; resolves with how many. */
export async function indexBlocks(storage: WorkStorage, most = Number.MAX_SAFE_INTEGER): Promise<number> {
  const { last } = await storage.read(({ audit }) => audit.findEnd())
  for (let blocks = 0; blocks < most; blocks += 1) {
    const block = await storage.read(({ audit }) => audit.findUnindexed(last))
    if (!block) return blocks
    const isAdded = await storage.write(({ audit }) => audit.addBlock(indexBlock(block)))
    expect(isAdded).toBe(true)
  }
  return most
}

/** Every entry of a search, a page at a time. */
async function readAll(
  storage: WorkStorage,
  portalId: string,
  filter: AuditFilter,
  order: 'asc' | 'desc',
  most: number,
): Promise<readonly string[]> {
  const found: StoredEntry[] = []
  while (true) {
    const after = found.at(-1)?.number
    const page = await storage.read(({ audit }) => audit.listEntries({ portalId, filter, order, after, most }))
    expect(page.length).toBeLessThanOrEqual(most)
    found.push(...page)
    if (page.length < most) return found.map(({ requestId }) => requestId)
  }
}

const [portalId] = portals
const entriesOfWrite = 100

/** What is found in the log, and how it is indexed. */
export function auditLogContract(open: OpenStorage): void {
  test('a search finds what a naive one finds, however much of the log is indexed', async () => {
    const storage = await open()
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
        const most = draw.one([30, 300, 5_000])
        const portal = draw.one(portals)
        const expected = findNaively(drawn, portal, filter, order).map(({ entry }) => entry.requestId)
        expect(await readAll(storage, portal, filter, order, most), JSON.stringify({ filter, order, most })).toEqual(
          expected,
        )
        sum += expected.length
      }
      return sum
    }
    await add(2_500)
    expect(await compare(20)).toBeGreaterThan(500)
    expect(await indexBlocks(storage, 1)).toBe(1)
    expect(await compare(20)).toBeGreaterThan(500)
    expect(await indexBlocks(storage)).toBe(1)
    await add(900)
    expect(await compare(80)).toBeGreaterThan(2_000)
  })

  test('an entry of an operation that is unknown to this version is found by its name', async () => {
    const storage = await open()
    await storage.write(({ audit }) => audit.add(anAuditEntry({ operation: 'formerOperation' })))
    const find = (filter: AuditFilter) =>
      storage.read(({ audit }) => audit.listEntries({ portalId: 'PortalOfMaps0001', filter, order: 'asc', most: 9 }))
    expect(await find({ actions: ['formeroperation'] })).toHaveLength(1)
    expect(await find({ words: ['formerOperation'] })).toHaveLength(1)
    expect(await find({ types: ['g', 'a'] })).toEqual([])
  })

  describe('the index', () => {
    const addEntries = (storage: WorkStorage, count: number, from = 0) =>
      storage.write(async ({ audit }) => {
        for (let at = from; at < from + count; at += 1) {
          await audit.add(anAuditEntry({ at: at + 1, portalId, username: `user${at % 3}`, operation: 'updateGroup' }))
        }
      })
    const find = async (storage: WorkStorage, filter: AuditFilter) =>
      (await storage.read(({ audit }) => audit.listEntries({ portalId, filter, order: 'asc', most: 10_000 }))).map(
        ({ at }) => at,
      )
    const disagreements = (storage: WorkStorage) => storage.read(({ audit }) => audit.countDisagreements())

    test('has whole blocks only, and none that entries may still come to', async () => {
      const storage = await open()
      await addEntries(storage, 1_000)
      expect(await indexBlocks(storage)).toBe(0)
      await addEntries(storage, 1_048, 1_000)
      expect(await indexBlocks(storage)).toBe(2)
      expect(await indexBlocks(storage)).toBe(0)
      expect(await find(storage, {})).toHaveLength(2_048)
    })

    test('takes a block once, and none whose entries have changed since it was read', async () => {
      const storage = await open()
      await addEntries(storage, 2_100)
      const read = async () => indexBlock((await storage.read(({ audit }) => audit.findUnindexed(2_048)))!)
      const before = await read()
      const add = (block: typeof before) => storage.write(({ audit }) => audit.addBlock(block))
      await storage.write(({ audit }) => audit.removeEntries(11))
      expect(await add(before)).toBe(false)
      const after = await read()
      expect(await add(after)).toBe(true)
      expect(await add(after)).toBe(false)
      expect(await find(storage, { actors: ['user1'] })).toHaveLength(697)
    })

    test('loses what is removed, and nothing else', async () => {
      const storage = await open()
      await addEntries(storage, 2_600)
      await indexBlocks(storage)
      const remove = (before: number) => storage.write(({ audit }) => audit.removeEntries(before))
      expect(await remove(501)).toBe(500)
      expect(await find(storage, { actors: ['user0'] })).toHaveLength(700)
      expect(await disagreements(storage)).toBe(0)
      expect(await remove(1_501)).toBe(1_000)
      expect(await find(storage, {})).toHaveLength(1_100)
      expect(await disagreements(storage)).toBe(0)
      while ((await remove(endOfTime)) > 0);
      expect(await storage.recorded.countIndexed()).toBe(0)
      await addEntries(storage, 2_100)
      expect(await indexBlocks(storage)).toBeGreaterThan(0)
      expect(await find(storage, {})).toHaveLength(2_100)
    })
  })
}

import { expect } from 'vitest'
import { anAuditEntry, endOfTime, type OpenStorage, testOn } from './records.ts'

/** Contract of the audit. */
export function auditContract(open: OpenStorage): void {
  const test = testOn(open)

  test('entries are numbered in the order of addition and not of the clock', async ({ audit, storage }) => {
    for (const at of [5, 9, 7]) await audit.add(anAuditEntry({ at }))
    const entries = await storage.recorded.entries()
    expect(entries.map(({ at }) => at)).toEqual([5, 9, 7])
  })

  test('the oldest entries from before a time are removed, a thousand at a time', async ({ storage }) => {
    // A transaction of all of them could take longer than the database waits for one.
    for (let from = 1; from <= 1_500; from += 100) {
      await storage.write(async ({ audit }) => {
        for (let at = from; at < from + 100; at += 1) await audit.add(anAuditEntry({ at }))
      })
    }
    const count = async () => [await storage.audit.estimateEntries(), await storage.audit.countEntries(1_401)]
    expect(await count()).toEqual([1_500, 1_400])
    const remove = () => storage.audit.removeEntries(1_401)
    expect(await remove()).toBe(1_000)
    expect(await remove()).toBe(400)
    expect(await remove()).toBe(0)
    expect((await storage.recorded.entries()).map(({ at }) => at)).toEqual(
      Array.from({ length: 100 }, (_, index) => 1_401 + index),
    )
    expect(await count()).toEqual([100, 0])
  })

  test('an empty audit has no entries to count or to remove', async ({ audit }) => {
    expect(await audit.estimateEntries()).toBe(0)
    expect(await audit.removeEntries(endOfTime)).toBe(0)
  })
}

import { expect, test } from 'vitest'
import { anAuditEntry, anId, endOfTime, type OpenStorage, strangeTexts } from './records.ts'

/** Contract of the audit. */
export function auditContract(open: OpenStorage): void {
  test('an entry is kept as it was added', async () => {
    const storage = await open()
    const entry = anAuditEntry({ at: endOfTime, outcome: 403 })
    await storage.write(({ audit }) => audit.add(entry))
    expect(await storage.recorded.entries()).toEqual([entry])
  })

  test('an entry of an anonymous caller has neither user nor portal', async () => {
    const storage = await open()
    const entry = anAuditEntry({ username: undefined, portalId: undefined })
    await storage.write(({ audit }) => audit.add(entry))
    expect(await storage.recorded.entries()).toStrictEqual([entry])
  })

  test('an entry has the owner of its target and the data of its operation', async () => {
    const storage = await open()
    const entry = anAuditEntry({
      ownerId: anId(7),
      data: { version: 8, from: 7, moves: [{ from: '/A', to: '/Ä/\u0000' }] },
    })
    await storage.write(({ audit }) => audit.add(entry))
    expect(await storage.recorded.entries()).toStrictEqual([entry])
  })

  test('texts stay as they were, byte for byte', async () => {
    const storage = await open()
    await storage.write(async ({ audit }) => {
      for (const target of strangeTexts) await audit.add(anAuditEntry({ target }))
    })
    const entries = await storage.recorded.entries()
    expect(entries.map(({ target }) => target)).toEqual(strangeTexts)
  })

  test('entries are numbered in the order of addition and not of the clock', async () => {
    const storage = await open()
    for (const at of [5, 9, 7]) await storage.write(({ audit }) => audit.add(anAuditEntry({ at })))
    const entries = await storage.recorded.entries()
    expect(entries.map(({ at }) => at)).toEqual([5, 9, 7])
  })

  test('the oldest entries from before a time are removed, a thousand at a time', async () => {
    const storage = await open()
    // A transaction of all of them could take longer than the database waits for one.
    for (let from = 1; from <= 1_500; from += 100) {
      await storage.write(async ({ audit }) => {
        for (let at = from; at < from + 100; at += 1) await audit.add(anAuditEntry({ at }))
      })
    }
    const count = () =>
      storage.read(async ({ audit }) => [await audit.estimateEntries(), await audit.countEntries(1_401)])
    expect(await count()).toEqual([1_500, 1_400])
    const remove = () => storage.write(({ audit }) => audit.removeEntries(1_401))
    expect(await remove()).toBe(1_000)
    expect(await remove()).toBe(400)
    expect(await remove()).toBe(0)
    expect((await storage.recorded.entries()).map(({ at }) => at)).toEqual(
      Array.from({ length: 100 }, (_, index) => 1_401 + index),
    )
    expect(await count()).toEqual([100, 0])
  })

  test('an empty audit has no entries to count or to remove', async () => {
    const storage = await open()
    expect(await storage.read(({ audit }) => audit.estimateEntries())).toBe(0)
    expect(await storage.write(({ audit }) => audit.removeEntries(endOfTime))).toBe(0)
  })
}

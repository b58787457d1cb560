import { expect, test } from 'vitest'
import { anAuditEntry, endOfTime, type OpenStorage, strangeTexts } from './records.ts'

/** Who did what. */
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
}

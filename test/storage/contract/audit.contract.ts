import { expect, test } from 'vitest'
import { anAuditEntry, endOfTime, everything, type OpenStorage, strangeTexts } from './records.ts'

/** Who did what. */
export function auditContract(open: OpenStorage): void {
  test('an entry is given back as it was added', async () => {
    const storage = await open()
    const entry = anAuditEntry({ at: endOfTime, outcome: 403 })
    await storage.write(({ audit }) => audit.add(entry))
    expect(await storage.read(({ audit }) => audit.list(everything))).toEqual({ total: 1, entries: [entry] })
  })

  test('an entry of nobody has neither user nor portal', async () => {
    const storage = await open()
    const entry = anAuditEntry({ username: undefined, portalId: undefined })
    await storage.write(({ audit }) => audit.add(entry))
    const { entries } = await storage.read(({ audit }) => audit.list(everything))
    expect(entries).toStrictEqual([entry])
  })

  test('texts stay as they were, byte for byte', async () => {
    const storage = await open()
    for (const target of strangeTexts) await storage.write(({ audit }) => audit.add(anAuditEntry({ target })))
    const { entries } = await storage.read(({ audit }) => audit.list(everything))
    expect(entries.map(({ target }) => target)).toEqual([...strangeTexts].reverse())
  })

  test('the newest entry comes first, in the order of addition and not of the clock', async () => {
    const storage = await open()
    for (const at of [5, 9, 7]) await storage.write(({ audit }) => audit.add(anAuditEntry({ at })))
    const { entries } = await storage.read(({ audit }) => audit.list(everything))
    expect(entries.map(({ at }) => at)).toEqual([7, 9, 5])
  })

  test('pages follow each other without gap or overlap, and tell the total', async () => {
    const storage = await open()
    await storage.write(async ({ audit }) => {
      for (let at = 1; at <= 7; at += 1) await audit.add(anAuditEntry({ at }))
    })
    const pages = await Promise.all(
      [1, 4, 7, 8].map((start) => storage.read(({ audit }) => audit.list({ start, num: 3 }))),
    )
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7, 7])
    expect(pages.map(({ entries }) => entries.map(({ at }) => at))).toEqual([[7, 6, 5], [4, 3, 2], [1], []])
  })
}

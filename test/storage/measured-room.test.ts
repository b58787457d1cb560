import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { engine } from '../support/databases/engine.ts'
import { addPeople, aPortal } from './contract/records.ts'
import { openWorkStorage } from './work-storage.ts'

test(`on ${engine}, the room that the database takes is measured, and grows with what is stored`, async () => {
  const storage = await openWorkStorage()
  await addPeople(storage)
  const { used } = await storage.measure()
  expect(used).toBeGreaterThan(0)
  await storage.write(async ({ categories }) => {
    for (let at = 0; at < 20; at += 1) {
      // Random, as an engine may compress what repeats.
      const document = randomBytes(50_000).toString('hex')
      await categories.putDocument({ kind: 'portal', portalId: aPortal().portalId }, document, 'anna', at)
    }
  })
  expect((await storage.measure()).used - used).toBeGreaterThanOrEqual(20 * 50_000)
})

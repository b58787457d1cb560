import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPortal, openFilled } from './earlier-database.ts'

const fill = (db: Kysely<Rows>) => addPortal(db, 'p')

test(`${engine}: an earlier organization requires no categories and has no counts, and may get both`, async () => {
  const storage = await openFilled('040', fill)
  const owner = { kind: 'portal', portalId: 'p' } as const
  const read = () =>
    storage.read(async ({ directory, items }) => [
      (await directory.findPortal('p'))?.categoryPolicy,
      await items.listCoverageDays(owner),
    ])
  expect(await read()).toEqual([{ require: 'off', below: [], types: [], when: 'public' }, []])
  const categoryPolicy = { require: 'enforce', below: ['/Łódź 🌍'], types: ['Web Map'], when: 'any' } as const
  await storage.write(async ({ directory, items }) => {
    await directory.updatePortal({ ...(await directory.findPortal('p'))!, categoryPolicy })
    await items.putCoverage(owner, '2026-11-28', [{ path: '', items: 3 }])
  })
  expect(await read()).toEqual([categoryPolicy, [{ day: '2026-11-28', items: 3, uncategorized: 0 }]])
})

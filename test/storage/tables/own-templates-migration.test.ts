import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { aTemplate } from '../contract/records.ts'
import { addPortal, openFilled } from './earlier-database.ts'

async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  await sql`update portals set name = 'Maps', description = 'Łódź'`.execute(db)
}

test(`${engine}: an earlier organization has no language and no template, and may get both`, async () => {
  const storage = await openFilled('038', fill)
  const read = () =>
    storage.read(async ({ directory, templates }) => [
      await directory.findPortal('p'),
      await templates.listTemplates('p'),
    ])
  const [portal, none] = await read()
  expect([portal, none]).toMatchObject([{ name: 'Maps', description: 'Łódź', culture: '' }, []])
  await storage.write(async ({ directory, templates }) => {
    const found = await directory.findPortal('p')
    await directory.updatePortal({ ...found!, culture: 'pl' })
    await templates.addTemplate(aTemplate({ portalId: 'p' }))
  })
  expect(await read()).toMatchObject([{ name: 'Maps', culture: 'pl' }, [{ name: 'lakes' }]])
})

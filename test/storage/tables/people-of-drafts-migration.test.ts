import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPortal, openFilled } from './earlier-database.ts'

async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  await sql`insert into schema_drafts (draft_id, owner_kind, owner_id, portal_id, name, document, categories, base_version,
    revision, moves, created_by, created_at, saved_by, saved_at, state)
    values ('d', 'portal', 'p', 'p', 'Łódź', '{}', 0, 1, 3, '[]', 'anna', 1, 'bruno', 2, 'proposed')`.execute(db)
}

test(`${engine}: an earlier draft is an assign for which no person is known to answer`, async () => {
  const storage = await openFilled('043', fill)
  const draft = await storage.read(({ drafts }) => drafts.findDraft({ kind: 'portal', portalId: 'p' }, 'd'))
  const people = { savers: [] }
  expect(draft).toMatchObject({ action: 'assign', people, revision: 3, savedRevision: 3, savedBy: 'bruno' })
})

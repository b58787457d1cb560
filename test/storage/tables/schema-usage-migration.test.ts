import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPortal, addUser, openFilled } from './earlier-database.ts'

/** Owner, organization and time where the group is deleted, and versions: a document, the number of an equal one, or nothing. */
const schemas = [
  ['portal', 'p', null, null, ['one']],
  ['group', 'g', null, null, ['two', 1, 'three']],
  ['group', 'same', null, null, ['same', 1]],
  ['group', 'deleted', 'p', 50, ['four', null, 'five']],
  ['group', 'unknown', null, 60, ['six']],
] as const

async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  await addUser(db, 'p', 'u')
  for (const id of ['g', 'same']) {
    await sql`insert into groups (group_id, portal_id, owner_id, title, description, snippet, tags, title_key, access,
      sort_field, sort_order, is_view_only, is_invitation_only, auto_join, is_protected, created_at, modified_at)
      values (${id}, 'p', 'u', 'Lakes', '', '', '[]', 'lakes', 'org', 'title', 'asc', 0, 1, 0, 0, 1, 1)`.execute(db)
  }
  for (const [kind, id, portalId, deletedAt, versions] of schemas) {
    const bytes = versions.reduce((sum: number, one) => sum + (typeof one === 'string' ? one.length : 0), 0)
    await sql`insert into category_schemas (owner_kind, owner_id, version, is_set, assigned_at, document_version, checksum,
      kept_versions, kept_bytes, former_portal_id, group_deleted_at) values (${kind}, ${id}, ${versions.length}, 0, 1, 1, -1,
      ${versions.length}, ${bytes}, ${portalId}, ${deletedAt})`.execute(db)
    for (const [index, one] of versions.entries()) {
      const [document, sameAs] = typeof one === 'string' ? [one, null] : [null, one]
      await sql`insert into category_schema_versions (owner_kind, owner_id, version, document, author, assigned_at, same_as)
        values (${kind}, ${id}, ${index + 1}, ${document}, 'anna', ${10 * (index + 1)}, ${sameAs})`.execute(db)
    }
  }
  // The last count before the migration.
  await sql`insert into schema_usage (portal_id, versions, bytes) values ('p', 1, 3)`.execute(db)
}

test(`${engine}: what organizations keep is counted again, and it is known since when a version can be removed`, async () => {
  const storage = await openFilled('030', fill)
  const kept = await storage.read(async ({ categories }) => {
    const owners = await categories.listOutdated({ moreVersionsThan: 0 }, 10)
    return owners.map(({ owner, replacedAt, deletedAt }) => [Object.values(owner)[1], replacedAt, deletedAt]).sort()
  })
  expect(kept).toEqual([
    ['deleted', 20, 50],
    ['g', 30, undefined],
    ['p', undefined, undefined],
    ['same', undefined, undefined],
    ['unknown', undefined, 60],
  ])
  expect(await storage.read(({ categories }) => categories.countVersions())).toBe(10)
  await storage.write(({ categories }) => categories.putDocument({ kind: 'portal', portalId: 'p' }, 'next', 'anna', 40))
  // Anna wrote all.
  expect(await storage.read(({ items }) => items.countItemsOwnedBy('u'))).toEqual({ items: 0, bytes: 30 })
})

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { toRow } from '../../../src/storage/stores/items/item-rows.ts'
import { openStores } from '../../../src/storage/stores.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId, anItem } from '../contract/records.ts'
import { addPortal, addUser, openEarlier } from './earlier-database.ts'

test(`${engine}: items of earlier tables are shared as before, and go with their links`, async () => {
  const { db } = await openEarlier('014')
  const { itemId, portalId, ownerId } = anItem()
  const groupId = anId(100)
  await addPortal(db, portalId)
  await addUser(db, portalId, ownerId)
  await sql`insert into groups (group_id, portal_id, owner_id, title, description, snippet, tags, title_key, tags_key,
      search_text, access, sort_field, sort_order, is_view_only, is_invitation_only, auto_join, is_protected, created_at,
      modified_at) values (${groupId}, ${portalId}, ${ownerId}, 'Lakes', '', '', '[]', 'lakes', '[]', '', 'org', 'title',
      'asc', 0, 1, 0, 0, 1, 1)`.execute(db)
  const { bytes: _, checksum: __, ...row } = { ...toRow(anItem({ level: 'private' })), access: 'shared' }
  await db
    .insertInto('items')
    .values(row as ReturnType<typeof toRow>)
    .execute()
  await sql`insert into item_groups (item_number, group_id, gives_control) select id, ${groupId}, 1 from items`.execute(
    db,
  )
  await sql`insert into item_counts values ('group', ${groupId}, 1), ('user', ${ownerId}, 1)`.execute(db)
  await migrate(db)
  const { directory, items } = openStores(db)
  expect(await items.listItemLinks(itemId)).toEqual([{ groupId, givesControl: true }])
  expect((await db.selectFrom('item_counts').select('owner_kind').execute()).map((row) => row.owner_kind)).toEqual([
    'user',
  ])
  expect(await directory.findGroup(groupId)).toMatchObject({ title: 'Lakes', tags: [] })
  await items.removeItem(itemId)
  expect(await db.selectFrom('item_groups').selectAll().execute()).toEqual([])
})

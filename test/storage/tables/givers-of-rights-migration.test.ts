import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId } from '../contract/records.ts'
import { addPortal, addUser, openFilled } from './earlier-database.ts'

const itemId = anId(1)
const link = { linkHash: 'a'.repeat(64), userId: 'u', makerId: undefined, expiresAt: 2 }

/** An app of an item, one without, and a link to a new password. */
async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  await addUser(db, 'p', 'u')
  await sql`insert into items (item_id, portal_id, owner_id, level, access, is_protected, size, created_at, modified_at,
    title, title_key, type, type_keywords, tags, culture, spatial_reference, url, snippet, access_information,
    documentation, license_info, description) values (${itemId}, 'p', 'u', 'private', 'private', 0, 0, 1, 1,
    'Robot', 'robot', 'Application', '[]', '[]', '', '', '', '', '', '', '', '')`.execute(db)
  for (const [clientId, item] of [
    ['of-a-user', itemId],
    ['of-the-operator', null],
  ] as const) {
    await sql`insert into oauth_apps (client_id, portal_id, item_id, title, app_type, redirect_uris, http_referrers,
      privileges, allows_plain, cannot_prove, query_may_differ, rotates_always, asks_nothing, disabled, created_at,
      modified_at) values (${clientId}, 'p', ${item}, 'Robot', 'server', '[]', '[]', '[]', 0, 0, 0, 0, 0, 0, 1, 1)`.execute(
      db,
    )
  }
  await sql`insert into one_time_links (link_hash, user_id, expires_at) values (${link.linkHash}, 'u', 2)`.execute(db)
}

test(`${engine}: apps of earlier tables are confirmed where they have no owner, and links stay`, async () => {
  const storage = await openFilled('033', fill)
  const find = (clientId: string) => storage.read(({ oauth }) => oauth.findApp(clientId))
  expect(await find('of-a-user')).toMatchObject({ isConfirmed: false, owner: { username: 'anna' } })
  expect(await find('of-the-operator')).toMatchObject({ isConfirmed: true, owner: undefined })
  expect(await storage.read(({ oauth }) => oauth.findLink(link.linkHash))).toEqual(link)
})

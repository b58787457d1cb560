import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '../../../src/storage/tables/rows.ts'
import { engine } from '../../support/databases/engine.ts'
import { anId } from '../contract/records.ts'
import { addPortal, addUser, openFilled } from './earlier-database.ts'

/** Apps, each with a grant whose code had a proof key, one whose code had none, and one whose code was not used. */
const apps = [
  { clientId: 'server', type: 'server', cannotProve: 0, needs: [true, true, true] },
  { clientId: 'either', type: 'multiple', cannotProve: 0, needs: [false, true, false] },
  { clientId: 'unable', type: 'multiple', cannotProve: 1, needs: [false, false, false] },
  { clientId: 'browser', type: 'browser', cannotProve: 0, needs: [false, false, false] },
]

const grants = apps.flatMap(({ clientId, needs }, at) =>
  needs.map((needsSecret, number) => ({ clientId, needsSecret, number, grantId: anId(100 + at * 10 + number) })),
)

async function fill(db: Kysely<Rows>): Promise<void> {
  await addPortal(db, 'p')
  await addUser(db, 'p', 'u')
  for (const { clientId, type, cannotProve } of apps) {
    await sql`insert into oauth_apps (client_id, portal_id, title, app_type, redirect_uris, http_referrers, privileges,
      allows_plain, cannot_prove, query_may_differ, rotates_always, asks_nothing, disabled, created_at, modified_at)
      values (${clientId}, 'p', '', ${type}, '[]', '[]', '[]', 0, ${cannotProve}, 0, 0, 0, 0, 0, 0)`.execute(db)
  }
  for (const { clientId, grantId, number } of grants) {
    await sql`insert into grants (grant_id, user_id, client_id, way, address, agent, created_at, last_used_at, expires_at,
      idle_minutes, app_id) values (${grantId}, 'u', ${clientId}, 'password', '', '', 0, 0, 0, 0, ${clientId})`.execute(
      db,
    )
    await sql`insert into authorization_codes (code_hash, grant_id, client_id, redirect_uri, refresh_minutes, expires_at,
      challenge, used_at) values (${`code of ${grantId}`}, ${grantId}, ${clientId}, '', 0, 0,
      ${number === 0 ? 'a challenge' : null}, ${number === 2 ? null : 1})`.execute(db)
  }
}

test(`${engine}: grants of earlier tables need the secret where only that can have proven the code`, async () => {
  const storage = await openFilled('027', fill)
  for (const { clientId, grantId, needsSecret } of grants) {
    const grant = await storage.read(({ oauth }) => oauth.findGrant(grantId))
    expect([clientId, grant?.needsSecret]).toEqual([clientId, needsSecret])
  }
})

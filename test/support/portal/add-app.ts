import Database from 'better-sqlite3'
import { outOfBand } from './oauth.ts'
import type { TestPortal } from './portal.ts'
import { findDatabase } from './portal-database.ts'

export interface AddedApp {
  readonly clientId: string
  readonly appType?: 'browser' | 'native' | 'server' | 'multiple'
  readonly title?: string
  readonly redirectUris?: readonly string[]
  readonly secret?: string
  readonly cannotProve?: boolean
  readonly rotatesAlways?: boolean
}

/** Registers an app of the first organization, in the table itself. */
export async function addApp(portal: TestPortal, app: AddedApp): Promise<void> {
  const { id: portalId } = await portal.anonymous.get('/portals/self')
  const { random } = portal.server.dependencies
  const row = {
    client_id: app.clientId,
    portal_id: portalId,
    title: app.title ?? 'Map of the coast',
    app_type: app.appType ?? 'browser',
    redirect_uris: JSON.stringify(app.redirectUris ?? [outOfBand]),
    http_referrers: '[]',
    privileges: '[]',
    allows_plain: 0,
    cannot_prove: app.cannotProve ? 1 : 0,
    query_may_differ: 0,
    rotates_always: app.rotatesAlways ? 1 : 0,
    asks_nothing: 0,
    disabled: 0,
    created_at: portal.clock.now,
    modified_at: portal.clock.now,
    secret_hash: app.secret === undefined ? null : random.hashToken(app.secret),
  }
  const names = Object.keys(row)
  const database = findDatabase(portal.server)
  if (database.engine === 'postgres') {
    const places = names.map((_, position) => `$${position + 1}`)
    await database.connection.query(`insert into oauth_apps (${names}) values (${places})`, Object.values(row))
    return
  }
  const connection = new Database(database.file)
  try {
    connection.prepare(`insert into oauth_apps (${names}) values (${names.map((name) => `@${name}`)})`).run(row)
  } finally {
    connection.close()
  }
}

import { setImmediate } from 'node:timers/promises'
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
  readonly allowsPlain?: boolean
  readonly queryMayDiffer?: boolean
  readonly asksNothing?: boolean
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
    allows_plain: app.allowsPlain ? 1 : 0,
    cannot_prove: app.cannotProve ? 1 : 0,
    query_may_differ: app.queryMayDiffer ? 1 : 0,
    rotates_always: app.rotatesAlways ? 1 : 0,
    asks_nothing: app.asksNothing ? 1 : 0,
    disabled: 0,
    confirmed: 1,
    created_at: portal.clock.now,
    modified_at: portal.clock.now,
    secret_hash: app.secret === undefined ? null : random.hashToken(app.secret),
  }
  const names = Object.keys(row)
  const places = names.map((_, position) => `$${position + 1}`)
  await changeByHand(portal, `insert into oauth_apps (${names}) values (${places})`, Object.values(row))
}

/** Changes the app of a client id, in the table itself. */
export async function changeApp(portal: TestPortal, clientId: string, column: string, value: unknown): Promise<void> {
  await changeByHand(portal, `update oauth_apps set ${column} = $1 where client_id = $2`, [value, clientId])
}

/** Executes a statement on the tables themselves. */
export async function changeByHand(
  portal: TestPortal,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const database = findDatabase(portal.server)
  if (database.engine === 'postgres') {
    await database.connection.query(statement, [...values])
    return
  }
  // Reads of one turn of the event loop share a snapshot.
  await setImmediate()
  const connection = new Database(database.file)
  try {
    connection.prepare(statement.replace(/\$\d+/g, '?')).run(...values)
  } finally {
    connection.close()
  }
}

import { type Kysely, type SqlBool, sql } from 'kysely'
import { type AppStore, appTokenFields } from '../../../oauth/apps/app-registry.ts'
import type { Rows } from '../../tables/rows.ts'
import { mapper } from '../mapper.ts'
import { count } from '../select.ts'
import { type AppRow, fromApp, toApp } from './oauth-rows.ts'

const appTokens = mapper(appTokenFields)

/** The store of apps, of their own tokens, and of the built-in apps that organizations have switched off. */
export function appStore(db: Kysely<Rows>): AppStore {
  const apps = () =>
    db
      .selectFrom('oauth_apps')
      .leftJoin('items', 'items.item_id', 'oauth_apps.item_id')
      .leftJoin('users', 'users.user_id', 'items.owner_id')
      .selectAll('oauth_apps')
      .select(['items.title as item_title', 'users.user_id as owner_id', 'users.username as owner_username'])

  return {
    async findApp(clientId) {
      const row = await apps().where('oauth_apps.client_id', '=', clientId).executeTakeFirst()
      return row && toApp(row as AppRow)
    },
    async findAppOfItem(itemId) {
      const row = await apps().where('oauth_apps.item_id', '=', itemId).executeTakeFirst()
      return row && toApp(row as AppRow)
    },
    async listAppsOwnedBy(userId, max) {
      const owned = apps().where('items.owner_id', '=', userId).orderBy('oauth_apps.client_id').limit(max)
      return (await owned.execute()).map((row) => toApp(row as AppRow))
    },
    async listApps(portalId, { start, num }) {
      const total = await count(db.selectFrom('oauth_apps').where('portal_id', '=', portalId))
      const rows = await apps()
        .where('oauth_apps.portal_id', '=', portalId)
        .orderBy('oauth_apps.client_id')
        .limit(num)
        .offset(start - 1)
        .execute()
      return { total, entries: rows.map((row) => toApp(row as AppRow)) }
    },
    async listEndingSecrets({ from, to }, { longerThan, reminders }, max) {
      const ending = apps()
        .where('oauth_apps.secret_expires_at', '>', from)
        .where('oauth_apps.secret_expires_at', '<=', to)
        .where(sql<SqlBool>`oauth_apps.secret_expires_at - oauth_apps.secret_made_at > ${longerThan}`)
        .where('oauth_apps.disabled', '=', 0)
        .$if(reminders !== undefined, (query) => query.where('oauth_apps.reminders', '<', reminders!))
        .orderBy('oauth_apps.client_id')
        .limit(max)
      return (await ending.execute()).map((row) => toApp(row as AppRow))
    },
    async listSwitchedOff(portalId) {
      const rows = await db
        .selectFrom('switched_off_apps')
        .select('client_id')
        .where('portal_id', '=', portalId)
        .execute()
      return rows.map(({ client_id }) => client_id)
    },

    async addApp(app) {
      await db.insertInto('oauth_apps').values(fromApp(app)).execute()
    },
    async updateApp(app) {
      await db.updateTable('oauth_apps').set(fromApp(app)).where('client_id', '=', app.clientId).execute()
    },
    async removeApp(clientId) {
      await db.deleteFrom('consents').where('client_id', '=', clientId).execute()
      await db.deleteFrom('oauth_apps').where('client_id', '=', clientId).execute()
    },
    async putSwitch(portalId, clientId, isOff) {
      const of = { portal_id: portalId, client_id: clientId }
      if (isOff) {
        const put = db.insertInto('switched_off_apps').values(of)
        await put.onConflict((conflict) => conflict.doNothing()).execute()
        return
      }
      const switched = db.deleteFrom('switched_off_apps').where('portal_id', '=', portalId)
      await switched.where('client_id', '=', clientId).execute()
    },
    async removeGrantsOfApp(clientId, portalId) {
      await db
        .deleteFrom('grants')
        .where('client_id', '=', clientId)
        .where('user_id', 'in', ({ selectFrom }) =>
          selectFrom('users').select('user_id').where('portal_id', '=', portalId),
        )
        .execute()
    },
    async removeGrantsWithSecret(clientId) {
      const grants = db.deleteFrom('grants').where('client_id', '=', clientId)
      await grants.where('needs_secret', '=', 1).execute()
    },

    async disownApp(clientId, at) {
      await db
        .updateTable('oauth_apps')
        .set({ secret_hash: null, former_secret_hash: null, secret_expires_at: null, former_secret_expires_at: null })
        .set({ secret_made_at: null, reminders: 0, confirmed: 0, asks_nothing: 0, modified_at: at })
        .where('client_id', '=', clientId)
        .execute()
      for (const table of ['app_tokens', 'grants', 'consents'] as const) {
        await db.deleteFrom(table).where('client_id', '=', clientId).execute()
      }
    },

    async addAppToken(token, max) {
      const { tokenHash, clientId } = token
      await db.insertInto('app_tokens').values(appTokens.toRow(token)).execute()
      const ofApp = db.selectFrom('app_tokens').where('client_id', '=', clientId)
      const excess = (await count(ofApp)) - max
      if (excess <= 0) return
      const others = ofApp.select('token_hash').where('token_hash', '<>', tokenHash)
      const oldest = others.orderBy('created_at').orderBy('token_hash').limit(excess)
      await db.deleteFrom('app_tokens').where('token_hash', 'in', oldest).execute()
    },
    async removeAppToken(tokenHash) {
      await db.deleteFrom('app_tokens').where('token_hash', '=', tokenHash).execute()
    },
    async removeAppTokens(clientId) {
      await db.deleteFrom('app_tokens').where('client_id', '=', clientId).execute()
    },
  }
}

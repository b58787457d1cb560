import type { Kysely } from 'kysely'
import { type PasswordLink, passwordLinkFields } from '../../../directory/passwords/password.ts'
import type { OAuthStore } from '../../../oauth/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { mapper } from '../mapper.ts'
import { prepared } from '../prepared.ts'
import { type DeadlineCondition, findRow } from '../select.ts'
import { appStore } from './app-store.ts'
import { browserSessions, codes, grants, refreshTokens } from './oauth-rows.ts'
import { sessionStore } from './session-store.ts'

const links = mapper(passwordLinkFields)

const findGrant = prepared((db, { grantId }: { grantId: string }) =>
  db.selectFrom('grants').selectAll().where('grant_id', '=', grantId),
)

const findRefreshToken = prepared((db, { tokenHash }: { tokenHash: string }) =>
  db.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', tokenHash),
)

const updateLastUse = prepared((db, { grantId, usedAt }: { grantId: string; usedAt: number }) =>
  db.updateTable('grants').set({ last_used_at: usedAt }).where('grant_id', '=', grantId),
)

const endingTables = [
  'grants',
  'refresh_tokens',
  'browser_sessions',
  'app_tokens',
  'logout_tokens',
  'one_time_links',
] as const

/** The store of apps, grants and browser sessions. */
export function oauthStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): OAuthStore {
  async function addLink(link: PasswordLink): Promise<void> {
    await db.insertInto('one_time_links').values(links.toRow(link)).execute()
  }

  async function removeLinks(userId: string): Promise<void> {
    await db.deleteFrom('one_time_links').where('user_id', '=', userId).execute()
  }

  return {
    ...sessionStore(db, deadlineCondition),
    ...appStore(db),
    findCode: (codeHash) => findRow(db, 'authorization_codes', { code_hash: codeHash }, codes.toRecord),
    async findGrant(grantId) {
      const row = await findGrant.first(db, { grantId })
      return row && grants.toRecord(row)
    },
    async findGrantOfToken(tokenHash) {
      const row = await db
        .selectFrom('tokens')
        .innerJoin('grants', 'grants.grant_id', 'tokens.grant_id')
        .selectAll('grants')
        .where('tokens.token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && grants.toRecord(row)
    },
    async findRefreshToken(tokenHash) {
      const row = await findRefreshToken.first(db, { tokenHash })
      return row && refreshTokens.toRecord(row)
    },
    findSession: (hash) => findRow(db, 'browser_sessions', { session_hash: hash }, browserSessions.toRecord),
    findLink: (linkHash) => findRow(db, 'one_time_links', { link_hash: linkHash }, links.toRecord),
    async findLastLinkEnd(userId) {
      const ofUser = db.selectFrom('one_time_links').where('user_id', '=', userId)
      const row = await ofUser.select(({ fn }) => fn.max('expires_at').as('last')).executeTakeFirst()
      return row?.last ?? undefined
    },
    async findConsent(userId, clientId) {
      const row = await db
        .selectFrom('consents')
        .select('fingerprint')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .executeTakeFirst()
      return row?.fingerprint
    },

    async addGrant(grant, code) {
      await db
        .insertInto('grants')
        .values(({ selectFrom }) => ({
          ...grants.toRow(grant),
          app_id: selectFrom('oauth_apps').select('client_id').where('client_id', '=', grant.clientId),
        }))
        .execute()
      await db.insertInto('authorization_codes').values(codes.toRow(code)).execute()
    },
    async useCode(codeHash, usedAt, { grantId, expiresAt, needsSecret }) {
      await db.updateTable('authorization_codes').set({ used_at: usedAt }).where('code_hash', '=', codeHash).execute()
      await db
        .updateTable('grants')
        .set({ expires_at: expiresAt, last_used_at: usedAt, needs_secret: needsSecret ? 1 : 0 })
        .where('grant_id', '=', grantId)
        .execute()
    },
    async touchGrant(grantId, usedAt) {
      await updateLastUse.run(db, { grantId, usedAt })
    },
    async renewGrant({ grantId, lastUsedAt, expiresAt }) {
      await db
        .updateTable('grants')
        .set({ last_used_at: lastUsedAt, expires_at: expiresAt })
        .where('grant_id', '=', grantId)
        .execute()
    },
    async removeGrant({ grantId }) {
      await db.deleteFrom('grants').where('grant_id', '=', grantId).execute()
    },
    async removeTokensOfGrant({ grantId }) {
      await db.deleteFrom('tokens').where('grant_id', '=', grantId).execute()
    },
    async addRefreshToken(token) {
      await db.insertInto('refresh_tokens').values(refreshTokens.toRow(token)).execute()
    },
    async exchangeRefreshToken(tokenHash, at) {
      await db.updateTable('refresh_tokens').set({ exchanged_at: at }).where('token_hash', '=', tokenHash).execute()
    },

    async addSession(session) {
      await db.insertInto('browser_sessions').values(browserSessions.toRow(session)).execute()
    },
    async touchSession(sessionHash, usedAt) {
      await db
        .updateTable('browser_sessions')
        .set({ last_used_at: usedAt })
        .where('session_hash', '=', sessionHash)
        .execute()
    },
    async removeSession(sessionHash) {
      await db.deleteFrom('browser_sessions').where('session_hash', '=', sessionHash).execute()
    },
    async putConsent(userId, clientId, fingerprint, at) {
      await db
        .insertInto('consents')
        .values({ user_id: userId, client_id: clientId, fingerprint, given_at: at })
        .onConflict((conflict) => conflict.columns(['user_id', 'client_id']).doUpdateSet({ fingerprint, given_at: at }))
        .execute()
    },

    addLink,
    async putLink(link) {
      await removeLinks(link.userId)
      await addLink(link)
    },
    removeLinks,

    async removeEnded(before) {
      for (const table of endingTables) {
        await db.deleteFrom(table).where('expires_at', '<=', before).execute()
      }
    },
  }
}

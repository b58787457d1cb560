import type { Kysely } from 'kysely'
import { type EndedSession, type IdentityStore, identityFields } from '../../identities/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { grants } from './oauth/oauth-rows.ts'
import { findRow } from './select.ts'
import { toUser } from './user-store.ts'

const identities = mapper(identityFields)

/** The store of accounts of an identity provider. */
export function identityStore(db: Kysely<Rows>): IdentityStore {
  return {
    findIdentity: (issuer, subject) => findRow(db, 'user_identities', { issuer, subject }, identities.toRecord),
    async hasIdentity(userId) {
      const row = await db
        .selectFrom('user_identities')
        .select('subject')
        .where('user_id', '=', userId)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    async listExpected(portalId, providerUsername) {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where('provider_username', '=', providerUsername)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('user_identities')
                .select('user_identities.subject')
                .whereRef('user_identities.user_id', '=', 'users.user_id'),
            ),
          ),
        )
        .limit(2)
        .execute()
      return rows.map(toUser)
    },
    async listAwaitedByEmail(portalId, email) {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where(({ fn }) => fn<string>('lower', ['email']), '=', email)
        .where('password_hash', '=', '')
        .where('last_sign_in_at', 'is', null)
        .limit(2)
        .execute()
      return rows.map(toUser)
    },
    async listGrantsOf(issuer, ended) {
      const rows = await db
        .selectFrom('grants')
        .selectAll()
        .where('issuer', '=', issuer)
        .where(...endedWhere(ended))
        .execute()
      return rows.map(grants.toRecord)
    },

    async addIdentity(identity) {
      await db.insertInto('user_identities').values(identities.toRow(identity)).execute()
    },
    async touchIdentity({ issuer, subject, display, lastUsedAt }) {
      await db
        .updateTable('user_identities')
        .set({ display, last_used_at: lastUsedAt })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .execute()
    },
    async removeIdentitiesOf(userId) {
      await db.deleteFrom('user_identities').where('user_id', '=', userId).execute()
    },
    async removeSessionsOf(issuer, ended) {
      const rows = await db
        .deleteFrom('browser_sessions')
        .where('issuer', '=', issuer)
        .where(...endedWhere(ended))
        .returning('user_id')
        .execute()
      return rows.map(({ user_id: userId }) => userId)
    },
    async useLogoutToken(tokenHash, expiresAt) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('logout_tokens')
        .values({ token_hash: tokenHash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return Number(numInsertedOrUpdatedRows) === 1
    },
  }
}

function endedWhere(ended: EndedSession): readonly ['provider_session' | 'user_id', '=', string] {
  return 'userId' in ended ? ['user_id', '=', ended.userId] : ['provider_session', '=', ended.providerSession]
}

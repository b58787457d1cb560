import type { Kysely } from 'kysely'
import type { TokenStore } from '../tokens/store.ts'
import type { Rows } from './rows.ts'

export function tokenStore(db: Kysely<Rows>): TokenStore {
  return {
    async findTokenUser(tokenHash) {
      const row = await db
        .selectFrom('tokens')
        .innerJoin('users', 'users.user_id', 'tokens.user_id')
        .leftJoin('roles', 'roles.role_id', 'users.role')
        .select(['tokens.expires_at', 'users.user_id', 'users.username', 'users.portal_id', 'users.role'])
        .select(['users.disabled', 'roles.privileges'])
        .where('tokens.token_hash', '=', tokenHash)
        .executeTakeFirst()
      return (
        row && {
          expiresAt: row.expires_at,
          userId: row.user_id,
          username: row.username,
          portalId: row.portal_id,
          role: row.role,
          disabled: row.disabled === 1,
          customPrivileges: row.privileges === null ? undefined : JSON.parse(row.privileges),
        }
      )
    },
    async addToken({ tokenHash, userId, createdAt, expiresAt }) {
      await db
        .insertInto('tokens')
        .values({ token_hash: tokenHash, user_id: userId, created_at: createdAt, expires_at: expiresAt })
        .execute()
    },
    async removeToken(tokenHash) {
      const { numDeletedRows } = await db
        .deleteFrom('tokens')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
    async removeTokensOf(userId) {
      await db.deleteFrom('tokens').where('user_id', '=', userId).execute()
    },
    async removeExpired(before) {
      await db.deleteFrom('tokens').where('expires_at', '<=', before).execute()
    },
    async listFailures(key, address, since) {
      const rows = await db
        .selectFrom('sign_in_failures')
        .select('failed_at')
        .where('username_key', '=', key)
        .where('address', '=', address)
        .where('failed_at', '>', since)
        .orderBy('failed_at')
        .execute()
      return rows.map(({ failed_at }) => failed_at)
    },
    async addFailure(key, address, at) {
      await db.insertInto('sign_in_failures').values({ username_key: key, address, failed_at: at }).execute()
    },
    async removeFailures(before) {
      await db.deleteFrom('sign_in_failures').where('failed_at', '<=', before).execute()
    },
  }
}

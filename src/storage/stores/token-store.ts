import type { Kysely } from 'kysely'
import type { TokenStore } from '../../tokens/store.ts'
import type { Rows, SignInFailureRow, TokenRow } from '../tables/rows.ts'
import { prepared } from './prepared.ts'

const findTokenUser = prepared((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.user_id', 'tokens.user_id')
    .leftJoin('roles', 'roles.role_id', 'users.role')
    .select(['tokens.expires_at', 'users.user_id', 'users.username', 'users.portal_id', 'users.role'])
    .select(['users.disabled', 'roles.privileges'])
    .where('tokens.token_hash', '=', tokenHash),
)

const insertToken = prepared((db, { token_hash, user_id, created_at, expires_at }: TokenRow) =>
  db.insertInto('tokens').values({ token_hash, user_id, created_at, expires_at }),
)

const deleteExpired = prepared((db, { before }: { before: number }) =>
  db.deleteFrom('tokens').where('expires_at', '<=', before),
)

const selectFailures = prepared((db, { key, address, since }: { key: string; address: string; since: number }) =>
  db
    .selectFrom('sign_in_failures')
    .select('failed_at')
    .where('username_key', '=', key)
    .where('address', '=', address)
    .where('failed_at', '>', since)
    .orderBy('failed_at'),
)

const insertFailure = prepared((db, { username_key, address, failed_at }: Omit<SignInFailureRow, 'id'>) =>
  db.insertInto('sign_in_failures').values({ username_key, address, failed_at }),
)

const deleteFailures = prepared((db, { before }: { before: number }) =>
  db.deleteFrom('sign_in_failures').where('failed_at', '<=', before),
)

export function tokenStore(db: Kysely<Rows>): TokenStore {
  return {
    async findTokenUser(tokenHash) {
      const row = await findTokenUser.first(db, { tokenHash })
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
      await insertToken.run(db, {
        token_hash: tokenHash,
        user_id: userId,
        created_at: createdAt,
        expires_at: expiresAt,
      })
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
      await deleteExpired.run(db, { before })
    },
    async listFailures(key, address, since) {
      const rows = await selectFailures.all(db, { key, address, since })
      return rows.map(({ failed_at }) => failed_at)
    },
    async addFailure(key, address, at) {
      await insertFailure.run(db, { username_key: key, address, failed_at: at })
    },
    async removeFailures(before) {
      await deleteFailures.run(db, { before })
    },
  }
}

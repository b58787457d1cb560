import { type Kysely, sql } from 'kysely'
import { nameOfApp, roleOfApps } from '../../call/caller.ts'
import type { SignInFailure } from '../../tokens/sign-in-limit.ts'
import type { TokenStore, TokenUser } from '../../tokens/store.ts'
import { tokenFields } from '../../tokens/token.ts'
import type { SignInAddressRow, SignInFailureRow } from '../tables/rows/tokens.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { pick, prepared } from './prepared.ts'

/** Revision of the webhooks that collect, read with the caller; null without any. */
const hookRevision = sql<string | null>`(select revision from webhook_revision where id = 1)`.as('revision')

const findTokenUser = prepared((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.user_id', 'tokens.user_id')
    .leftJoin('roles', 'roles.role_id', 'users.role')
    .select([
      'tokens.created_at',
      'tokens.expires_at',
      'users.user_id',
      'users.username',
      'users.portal_id',
      'users.role',
    ])
    .select(['users.disabled', 'roles.privileges'])
    .select(hookRevision)
    .where('tokens.token_hash', '=', tokenHash),
)

const findApp = prepared((db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom('app_tokens')
    .innerJoin('oauth_apps', 'oauth_apps.client_id', 'app_tokens.client_id')
    .leftJoin('items', 'items.item_id', 'oauth_apps.item_id')
    .leftJoin('users', 'users.user_id', 'items.owner_id')
    .leftJoin('roles', 'roles.role_id', 'users.role')
    .select(['app_tokens.created_at', 'app_tokens.expires_at', 'app_tokens.client_id', 'oauth_apps.portal_id'])
    .select(['oauth_apps.disabled', 'oauth_apps.privileges', 'oauth_apps.confirmed'])
    .select(['users.role', 'users.disabled as owner_disabled', 'roles.privileges as owner_privileges'])
    .select(hookRevision)
    .where('app_tokens.token_hash', '=', tokenHash),
)

const tokens = mapper(tokenFields)

const insertToken = prepared((db, row: Rows['tokens']) => db.insertInto('tokens').values(pick(row, tokens.columns)))

const deleteExpired = prepared((db, { before }: { before: number }) =>
  db.deleteFrom('tokens').where('expires_at', '<=', before),
)

const deleteExpiredOfApps = prepared((db, { before }: { before: number }) =>
  db.deleteFrom('app_tokens').where('expires_at', '<=', before),
)

type SignInAddressKey = Omit<SignInAddressRow, 'signed_in_at'>
type Counted = Pick<SignInFailureRow, 'is_cross_site'> & { readonly since: number }

const failuresBy = (column: 'account_key' | 'address') =>
  prepared((db, { key, is_cross_site, since }: Counted & { key: string }) =>
    db
      .selectFrom('sign_in_failures')
      .selectAll()
      .where(column, '=', key)
      .where('is_cross_site', '=', is_cross_site)
      .where('failed_at', '>', since)
      .orderBy('failed_at'),
  )
const failuresOfAccount = failuresBy('account_key')
const failuresOfAddress = failuresBy('address')

const insertFailure = prepared(
  (db, { account_key, address, is_cross_site, origin, failed_at }: Omit<SignInFailureRow, 'id'>) =>
    db.insertInto('sign_in_failures').values({ account_key, address, is_cross_site, origin, failed_at }),
)

const deleteFailures = prepared((db, { before }: { before: number }) =>
  db.deleteFrom('sign_in_failures').where('failed_at', '<=', before),
)

const deleteFailuresOf = prepared((db, { key }: { key: string }) =>
  db.deleteFrom('sign_in_failures').where('account_key', '=', key),
)

const findSignIn = prepared((db, { user_id, address, since }: SignInAddressKey & { readonly since: number }) =>
  db
    .selectFrom('sign_in_addresses')
    .select('signed_in_at')
    .where('user_id', '=', user_id)
    .where('address', '=', address)
    .where('signed_in_at', '>', since),
)

const upsertSignIn = prepared((db, { user_id, address, signed_in_at }: SignInAddressRow) =>
  db
    .insertInto('sign_in_addresses')
    .values({ user_id, address, signed_in_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ signed_in_at })),
)

const deleteSignInsBeyond = prepared((db, { user_id, max }: { readonly user_id: string; readonly max: number }) =>
  db
    .deleteFrom('sign_in_addresses')
    .where('user_id', '=', user_id)
    .where('address', 'in', (addresses) =>
      addresses
        .selectFrom('sign_in_addresses')
        .select('address')
        .where('user_id', '=', user_id)
        .orderBy('signed_in_at', 'desc')
        .orderBy('address')
        // SQLite takes an offset only with a limit.
        .limit(1_000_000)
        .offset(max),
    ),
)

function toFailure({ account_key, address, origin, failed_at }: Omit<SignInFailureRow, 'id'>): SignInFailure {
  return { accountKey: account_key, address, crossSiteOrigin: origin ?? undefined, failedAt: failed_at }
}

/** App that acts as itself, in place of a user; unless it is confirmed, it is also disabled while the owner of its item is. */
async function findAppOfToken(db: Kysely<Rows>, tokenHash: string): Promise<TokenUser | undefined> {
  const row = await findApp.first(db, { tokenHash })
  const isConfirmed = row?.confirmed === 1
  return (
    row && {
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      userId: row.client_id,
      username: nameOfApp(row.client_id),
      portalId: row.portal_id,
      role: roleOfApps,
      disabled: row.disabled === 1 || (row.owner_disabled === 1 && !isConfirmed),
      customPrivileges: JSON.parse(row.privileges),
      hookRevision: row.revision ?? undefined,
      owner: isConfirmed
        ? undefined
        : { role: row.role ?? '', customPrivileges: parsePrivileges(row.owner_privileges) },
    }
  )
}

/** Privileges of a custom role; undefined for another one. */
function parsePrivileges(text: string | null): readonly string[] | undefined {
  return text === null ? undefined : JSON.parse(text)
}

export function tokenStore(db: Kysely<Rows>): TokenStore {
  return {
    async findTokenUser(tokenHash) {
      const row = await findTokenUser.first(db, { tokenHash })
      if (!row) return findAppOfToken(db, tokenHash)
      return {
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        userId: row.user_id,
        username: row.username,
        portalId: row.portal_id,
        role: row.role,
        disabled: row.disabled === 1,
        customPrivileges: parsePrivileges(row.privileges),
        hookRevision: row.revision ?? undefined,
      }
    },
    async addToken(token) {
      await insertToken.run(db, tokens.toRow(token))
    },
    async removeToken(tokenHash) {
      const { numDeletedRows } = await db
        .deleteFrom('tokens')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
    async removeTokensOf(userId) {
      // The tokens of apps go with the grants.
      for (const table of ['tokens', 'grants', 'browser_sessions', 'one_time_links'] as const) {
        await db.deleteFrom(table).where('user_id', '=', userId).execute()
      }
    },
    async removeOtherTokensOf(userId, kept) {
      const keptToken = 'tokenHash' in kept ? kept.tokenHash : ''
      const keptGrant = 'grantId' in kept ? kept.grantId : ''
      await db
        .deleteFrom('tokens')
        .where('user_id', '=', userId)
        .where('token_hash', '!=', keptToken)
        .where((token) => token.or([token('grant_id', 'is', null), token('grant_id', '!=', keptGrant)]))
        .execute()
      await db.deleteFrom('grants').where('user_id', '=', userId).where('grant_id', '!=', keptGrant).execute()
      for (const table of ['browser_sessions', 'one_time_links'] as const) {
        await db.deleteFrom(table).where('user_id', '=', userId).execute()
      }
    },
    async removeExpired(before) {
      await deleteExpired.run(db, { before })
      await deleteExpiredOfApps.run(db, { before })
    },
    async listFailures({ accountKey, address, crossSiteOrigin }, since) {
      const counted = { is_cross_site: crossSiteOrigin === undefined ? 0 : 1, since }
      const ofAccount = await failuresOfAccount.all(db, { ...counted, key: accountKey })
      const ofAddress = await failuresOfAddress.all(db, { ...counted, key: address })
      return { ofAccount: ofAccount.map(toFailure), ofAddress: ofAddress.map(toFailure) }
    },
    async hasSignedIn(userId, address, since) {
      return (await findSignIn.first(db, { user_id: userId, address, since })) !== undefined
    },
    async addFailure({ accountKey, address, crossSiteOrigin, failedAt }) {
      await insertFailure.run(db, {
        account_key: accountKey,
        address,
        is_cross_site: crossSiteOrigin === undefined ? 0 : 1,
        origin: crossSiteOrigin ?? null,
        failed_at: failedAt,
      })
    },
    async removeFailures(before) {
      await deleteFailures.run(db, { before })
    },
    async removeFailuresOf(accountKey) {
      await deleteFailuresOf.run(db, { key: accountKey })
    },
    async putSignIn(userId, address, at, max) {
      await upsertSignIn.run(db, { user_id: userId, address, signed_in_at: at })
      await deleteSignInsBeyond.run(db, { user_id: userId, max })
    },
  }
}

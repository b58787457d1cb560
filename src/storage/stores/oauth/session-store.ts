import { type Kysely, sql } from 'kysely'
import type { SignInMethod } from '../../../oauth/grant.ts'
import { type Session, type SessionKey, type SessionKind, sessionIdOf } from '../../../oauth/sessions/session.ts'
import type { OAuthReader } from '../../../oauth/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { type DeadlineCondition, withinDeadline } from '../select.ts'

type Sessions = 'listSessions' | 'findSessionKey'

/** Hashes that begin with the id of a session; no hexadecimal digit is behind `g`. */
const beginsWith = (sessionId: string) => [sessionId, `${sessionId}g`] as const

/** The sign-ins of a user from three tables as one list. */
export function sessionStore(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): Pick<OAuthReader, Sessions> {
  const none = sql<string | null>`cast(null as text)`

  /** Without the tokens of apps, which belong to grants. */
  function tokensOf(userId: string, now: number) {
    return withinDeadline(db.selectFrom('tokens'), deadlineCondition)
      .where('user_id', '=', userId)
      .where('grant_id', 'is', null)
      .where('expires_at', '>', now)
      .select([sql<string>`'token'`.as('kind'), 'token_hash as id', none.as('client_id'), none.as('title')])
      .select([sql<string>`'password'`.as('way'), 'tokens.address', 'tokens.agent', 'tokens.created_at'])
      .select([sql<number | null>`cast(null as bigint)`.as('last_used_at'), 'tokens.expires_at'])
  }

  function grantsOf(userId: string, now: number) {
    return withinDeadline(db.selectFrom('grants'), deadlineCondition)
      .leftJoin('oauth_apps', 'oauth_apps.client_id', 'grants.client_id')
      .leftJoin('items', 'items.item_id', 'oauth_apps.item_id')
      .where('grants.user_id', '=', userId)
      .where('grants.expires_at', '>', now)
      .where(sql<boolean>`grants.last_used_at + grants.idle_minutes * cast(60000 as bigint) > ${now}`)
      .select([sql<string>`'app'`.as('kind'), 'grants.grant_id as id', 'grants.client_id'])
      .select(({ fn }) => fn.coalesce('items.title', 'oauth_apps.title').as('title'))
      .select(['grants.way', sql<string | null>`grants.address`.as('address')])
      .select([sql<string | null>`grants.agent`.as('agent'), 'grants.created_at'])
      .select([sql<number | null>`grants.last_used_at`.as('last_used_at'), 'grants.expires_at'])
  }

  function browsersOf(userId: string, now: number, idleSince: number) {
    return withinDeadline(db.selectFrom('browser_sessions'), deadlineCondition)
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .where('last_used_at', '>', idleSince)
      .select([sql<string>`'browser'`.as('kind'), 'session_hash as id', none.as('client_id'), none.as('title')])
      .select(['way', sql<string | null>`address`.as('address'), sql<string | null>`agent`.as('agent')])
      .select(['created_at', sql<number | null>`last_used_at`.as('last_used_at'), 'expires_at'])
  }

  return {
    async listSessions(userId, { now, idleSince }, page) {
      const all = tokensOf(userId, now)
        .unionAll(grantsOf(userId, now) as never)
        .unionAll(browsersOf(userId, now, idleSince) as never)
      const { total } = await db
        .selectFrom(all.as('sessions'))
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom(all.as('sessions'))
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(page.num)
        .offset(page.start - 1)
        .execute()
      return {
        total: Number(total),
        entries: rows.map(
          (row): Session => ({
            sessionId: sessionIdOf(row.id),
            kind: row.kind as SessionKind,
            clientId: row.client_id ?? undefined,
            appTitle: row.title ?? undefined,
            way: row.way as SignInMethod,
            address: row.address ?? undefined,
            agent: row.agent ?? undefined,
            createdAt: Number(row.created_at),
            lastUsedAt: row.last_used_at === null ? undefined : Number(row.last_used_at),
            expiresAt: Number(row.expires_at),
          }),
        ),
      }
    },
    async findSessionKey(userId, sessionId): Promise<SessionKey | undefined> {
      const grant = await db
        .selectFrom('grants')
        .select(['grant_id', 'client_id'])
        .where('grant_id', '=', sessionId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (grant) return { kind: 'app', grantId: grant.grant_id, userId, clientId: grant.client_id }
      const [first, behind] = beginsWith(sessionId)
      const token = await db
        .selectFrom('tokens')
        .select('token_hash')
        .where('token_hash', '>=', first)
        .where('token_hash', '<', behind)
        .where('user_id', '=', userId)
        .where('grant_id', 'is', null)
        .executeTakeFirst()
      if (token) return { kind: 'token', tokenHash: token.token_hash }
      const session = await db
        .selectFrom('browser_sessions')
        .select('session_hash')
        .where('session_hash', '>=', first)
        .where('session_hash', '<', behind)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return session && { kind: 'browser', sessionHash: session.session_hash }
    },
  }
}

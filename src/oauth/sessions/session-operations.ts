import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { User } from '../../directory/user.ts'
import { requireGoverns, usersPath } from '../../directory/users/governing.ts'
import { requireUser } from '../../directory/users/named-user.ts'
import { resourceNotFound } from '../../errors.ts'
import type { Page, Slice } from '../../paging.ts'
import { builtInApps, withdrawnConsent } from '../apps/app.ts'
import { timesOfSessions } from '../lifetimes.ts'
import type { OAuthReaders, OAuthStores } from '../store.ts'
import { isSessionId, type Session, sessionIdOf } from './session.ts'

/** A session in a list. */
export interface ListedSession extends Session {
  /** Whether the call was made in it. */
  readonly isCurrent: boolean
}

/** A user, and the token of the call, by which its session is known. */
interface OfUser {
  readonly username: string
  /** Undefined for a call without a token, which is refused. */
  readonly tokenHash: string | undefined
}

/** The sessions of a user that have not ended, the latest first. */
export async function listSessions(
  stores: OAuthReaders,
  call: Call,
  input: OfUser & { readonly page: Parsed<Page> },
): Promise<Slice<ListedSession> & { readonly page: Page }> {
  const { user, isSelf } = await requireSessionsOf(stores, call, input.username)
  const page = unwrapParsed(input.page)
  const { total, entries } = await stores.oauth.listSessions(user.userId, timesOfSessions(call.now), page)
  const current = isSelf ? await findCurrent(stores, input.tokenHash) : undefined
  const listed = entries.map((session) => ({
    ...session,
    appTitle: session.appTitle ?? builtInApps.find(({ clientId }) => clientId === session.clientId)?.title,
    isCurrent: session.sessionId === current,
  }))
  return { total, page, entries: listed }
}

/**
 * Ends one session with its tokens; it may be that of the call. The consent to an app ends with its session, also where the app
 * asks nothing: a browser that is signed in would be sent back immediately, and the app would have another one (chosen).
 */
export async function endSession(
  stores: OAuthStores,
  call: Call,
  input: { readonly username: string; readonly sessionId: string },
): Promise<WithAuditDetails> {
  const { user } = await requireSessionsOf(stores, call, input.username)
  const { sessionId } = input
  const key = isSessionId(sessionId) ? await stores.oauth.findSessionKey(user.userId, sessionId) : undefined
  if (!key) throw resourceNotFound()
  if (key.kind === 'token') await stores.tokens.removeToken(key.tokenHash)
  else if (key.kind === 'browser') await stores.oauth.removeSession(key.sessionHash)
  else {
    await stores.oauth.removeGrant(key)
    await stores.oauth.putConsent(user.userId, key.clientId, withdrawnConsent, call.now)
  }
  return { audit: { target: `${usersPath([user.username])}/sessions/${sessionId}`, ownerId: user.userId } }
}

/** Ends all sessions of a user, but that of the call unless it is included. */
export async function endSessions(
  stores: OAuthStores,
  call: Call,
  input: OfUser & { readonly ended: Parsed<{ readonly includesCurrent: boolean }> },
): Promise<WithAuditDetails> {
  const { user, isSelf } = await requireSessionsOf(stores, call, input.username)
  const { includesCurrent } = unwrapParsed(input.ended)
  const { oauth, tokens } = stores
  const { tokenHash } = input
  if (!isSelf || includesCurrent || tokenHash === undefined) await tokens.removeTokensOf(user.userId)
  else {
    const grant = await oauth.findGrantOfToken(tokenHash)
    await tokens.removeOtherTokensOf(user.userId, grant ? { grantId: grant.grantId } : { tokenHash })
  }
  return { audit: { target: `${usersPath([user.username])}/sessions`, ownerId: user.userId } }
}

/** One's own, and those of users whom the caller may disable, which ends them too. */
async function requireSessionsOf(
  stores: OAuthReaders,
  call: Call,
  username: string,
): Promise<{ readonly user: User; readonly isSelf: boolean }> {
  const { caller, user } = await requireUser(stores, call, username)
  const isSelf = caller.userId === user.userId
  if (!isSelf) await requireGoverns(stores, caller, user, 'portal:admin:disableUsers')
  return { user, isSelf }
}

/** Id of the session of a token. */
async function findCurrent({ oauth }: OAuthReaders, tokenHash: string | undefined): Promise<string | undefined> {
  if (tokenHash === undefined) return undefined
  return (await oauth.findGrantOfToken(tokenHash))?.grantId ?? sessionIdOf(tokenHash)
}

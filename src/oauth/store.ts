import type { PasswordLink } from '../directory/passwords/password.ts'
import type { DirectoryReaders, DirectoryStores, LinksOfUsers } from '../directory/store.ts'
import type { Page, Slice } from '../paging.ts'
import type { TokenReader, TokenStore } from '../tokens/store.ts'
import type { AppReader, AppStore } from './apps/app-registry.ts'
import type { AuthorizationCode, BrowserSession, Grant, RefreshToken } from './grant.ts'
import type { Session, SessionKey } from './sessions/session.ts'

/** Reading methods; `find…` resolves with undefined for what does not exist. What has expired is still found. */
export interface OAuthReader extends AppReader {
  findCode(codeHash: string): Promise<AuthorizationCode | undefined>
  findGrant(grantId: string): Promise<Grant | undefined>
  /** Grant of an access token; undefined for one by username and password. */
  findGrantOfToken(tokenHash: string): Promise<Grant | undefined>
  findRefreshToken(tokenHash: string): Promise<RefreshToken | undefined>

  /** Sessions of all kinds, the latest first: those not expired at this time, browsers only if used since. */
  listSessions(
    userId: string,
    at: { readonly now: number; readonly idleSince: number },
    page: Page,
  ): Promise<Slice<Session>>
  /** Restricts it to this user. */
  findSessionKey(userId: string, sessionId: string): Promise<SessionKey | undefined>
  findSession(sessionHash: string): Promise<BrowserSession | undefined>
  findLink(linkHash: string): Promise<PasswordLink | undefined>
  /** When the latest of the user's links ends; undefined without one. */
  findLastLinkEnd(userId: string): Promise<number | undefined>
  /** Digest of the request that the user consented to. */
  findConsent(userId: string, clientId: string): Promise<string | undefined>
}

/** The store of apps, grants and browser sessions. */
export interface OAuthStore extends OAuthReader, AppStore, LinksOfUsers {
  addGrant(grant: Grant, code: AuthorizationCode): Promise<void>
  /** Marks the code as used, and sets when the grant ends, and what it needs. */
  useCode(codeHash: string, usedAt: number, grant: Pick<Grant, 'grantId' | 'expiresAt' | 'needsSecret'>): Promise<void>
  touchGrant(grantId: string, usedAt: number): Promise<void>
  /** Sets when it was used last, and when it ends. */
  renewGrant(grant: Pick<Grant, 'grantId' | 'lastUsedAt' | 'expiresAt'>): Promise<void>
  /** Ends it, with all that was issued under it. */
  removeGrant(grant: Pick<Grant, 'grantId' | 'userId'>): Promise<void>
  /** Ends its tokens, and not the grant. */
  removeTokensOfGrant(grant: Pick<Grant, 'grantId' | 'userId'>): Promise<void>
  addRefreshToken(token: RefreshToken): Promise<void>
  exchangeRefreshToken(tokenHash: string, at: number): Promise<void>

  addSession(session: BrowserSession): Promise<void>
  touchSession(sessionHash: string, usedAt: number): Promise<void>
  removeSession(sessionHash: string): Promise<void>
  putConsent(userId: string, clientId: string, fingerprint: string, at: number): Promise<void>

  /** Removes what ended before this time. */
  removeEnded(before: number): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface OAuthReaders extends DirectoryReaders {
  readonly tokens: TokenReader
  readonly oauth: OAuthReader
}
export interface OAuthStores extends DirectoryStores {
  readonly tokens: TokenStore
  readonly oauth: OAuthStore
}

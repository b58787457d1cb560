import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { SignInFailure, SignInFailures, SignInSource } from './sign-in-limit.ts'
import type { Token } from './token.ts'

/**
 * The user of a token with what its permissions depend on: looked up once for each request. An app that acts as itself has its
 * client id in place of the id of a user, a username with a colon, and a role of its own.
 */
export interface TokenUser {
  readonly createdAt: number
  readonly expiresAt: number
  readonly userId: string
  readonly username: string
  readonly portalId: string
  readonly role: string
  readonly disabled: boolean
  /** Privileges of the custom role; undefined if the role is built in. */
  readonly customPrivileges: readonly string[] | undefined
  /** Revision of the webhooks of the server; undefined if none collects. */
  readonly hookRevision?: string | undefined
  /** Owner of an app that no administrator has confirmed: without the owner's privileges the app has none. */
  readonly owner?: Pick<TokenUser, 'role' | 'customPrivileges'> | undefined
}

/** Reading methods of the tokens. */
export interface TokenReader {
  findTokenUser(tokenHash: string): Promise<TokenUser | undefined>

  /** Failed sign-ins that a sign-in is counted with, oldest first. */
  listFailures(source: SignInSource, since: number): Promise<SignInFailures>
  /** Whether a user signed in from an address. */
  hasSignedIn(userId: string, address: string, since: number): Promise<boolean>
}

/** The store of tokens and failed sign-ins. */
export interface TokenStore extends TokenReader {
  addToken(token: Token): Promise<void>
  removeToken(tokenHash: string): Promise<boolean>
  /** Ends every sign-in of the user: tokens, grants to apps, browser sessions, and links that are used once. */
  removeTokensOf(userId: string): Promise<void>
  /** Ends every sign-in but one token, or one grant with its tokens. */
  removeOtherTokensOf(
    userId: string,
    kept: { readonly tokenHash: string } | { readonly grantId: string },
  ): Promise<void>
  /** Removes tokens that expired before this time. */
  removeExpired(before: number): Promise<void>

  addFailure(failure: SignInFailure): Promise<void>
  removeFailures(before: number): Promise<void>
  removeFailuresOf(accountKey: string): Promise<void>

  /** Remembers the address, and of the user's addresses as many as may be. */
  putSignIn(userId: string, address: string, at: number, max: number): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface TokenReaders extends DirectoryReaders {
  readonly tokens: TokenReader
}
export interface TokenStores extends DirectoryStores {
  readonly tokens: TokenStore
}

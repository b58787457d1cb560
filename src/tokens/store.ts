import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { Token } from './token.ts'

/** The user of a token with what its permissions depend on: looked up once for each request. */
export interface TokenUser {
  readonly expiresAt: number
  readonly userId: string
  readonly username: string
  readonly portalId: string
  readonly role: string
  readonly disabled: boolean
  /** Privileges of the custom role; undefined if the role is built in. */
  readonly customPrivileges: readonly string[] | undefined
}

/** Reading methods of the tokens. */
export interface TokenReader {
  findTokenUser(tokenHash: string): Promise<TokenUser | undefined>

  /** Times of failed sign-ins for an account (`key`) from an address, oldest first. */
  listFailures(key: string, address: string, since: number): Promise<readonly number[]>
}

/** The store of tokens and failed sign-ins. */
export interface TokenStore extends TokenReader {
  addToken(token: Token): Promise<void>
  removeToken(tokenHash: string): Promise<boolean>
  removeTokensOf(userId: string): Promise<void>
  /** Removes tokens that expired before this time. */
  removeExpired(before: number): Promise<void>

  addFailure(key: string, address: string, at: number): Promise<void>
  removeFailures(before: number): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface TokenReaders extends DirectoryReaders {
  readonly tokens: TokenReader
}
export interface TokenStores extends DirectoryStores {
  readonly tokens: TokenStore
}

import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { Token } from './token.ts'

/** A token's user with what decides what it may do: one look-up for each request. */
export interface TokenUser {
  readonly expiresAt: number
  readonly userId: string
  readonly username: string
  readonly portalId: string
  readonly role: string
  readonly disabled: boolean
  /** Of the custom role; undefined where the role is built in. */
  readonly customPrivileges: readonly string[] | undefined
}

/** What reads ask of tokens. */
export interface TokenReader {
  findTokenUser(tokenHash: string): Promise<TokenUser | undefined>

  /** Failed sign-ins for an account (`key`) from an address, each with its time, oldest first. */
  listFailures(key: string, address: string, since: number): Promise<readonly number[]>
}

/** What sign-in needs remembered. */
export interface TokenStore extends TokenReader {
  addToken(token: Token): Promise<void>
  removeToken(tokenHash: string): Promise<boolean>
  removeTokensOf(userId: string): Promise<void>
  /** Those that expired before this time. */
  removeExpired(before: number): Promise<void>

  addFailure(key: string, address: string, at: number): Promise<void>
  removeFailures(before: number): Promise<void>
}

/** The stores of this room's reads, and those of its writes. */
export interface TokenReaders extends DirectoryReaders {
  readonly tokens: TokenReader
}
export interface TokenStores extends DirectoryStores {
  readonly tokens: TokenStore
}

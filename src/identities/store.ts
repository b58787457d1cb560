import type { DirectoryReaders, DirectoryStores, IdentitiesOfUsers } from '../directory/store.ts'
import type { User } from '../directory/user.ts'
import type { Grant } from '../oauth/grant.ts'
import type { OAuthStore } from '../oauth/store.ts'
import { field, type Named, type RecordOf } from '../record.ts'
import type { TokenStore } from '../tokens/store.ts'

export const identityFields = {
  issuer: field.text(),
  subject: field.text(),
  userId: field.id(),
  /** Display name at the provider. */
  display: field.text(),
  linkedAt: field.time(),
  lastUsedAt: field.time(),
}

/** An account of an identity provider that signs in as a user: known by issuer and subject, and by nothing else. */
export interface Identity extends RecordOf<typeof identityFields>, Named {}

/** Which sign-ins of a provider end: of one of its sessions, or all of a user. */
export type EndedSession = { readonly providerSession: string } | { readonly userId: string }

/** Reading methods; `find…` resolves with undefined for what does not exist. */
export interface IdentityReader {
  findIdentity(issuer: string, subject: string): Promise<Identity | undefined>
  /** Whether any account signs in as the user. */
  hasIdentity(userId: string): Promise<boolean>
  /** Two at most: users whom the provider is expected to send under this name, and has not sent yet. */
  listExpected(portalId: string, providerUsername: string): Promise<readonly User[]>
  /**
   * Two at most, by an address in lower case: of users who have no password and have never signed in, so that none of them has
   * set the address themselves.
   */
  listAwaitedByEmail(portalId: string, email: string): Promise<readonly User[]>
  listGrantsOf(issuer: string, ended: EndedSession): Promise<readonly Grant[]>
}

export interface IdentityStore extends IdentityReader, IdentitiesOfUsers {
  addIdentity(identity: Identity): Promise<void>
  /** Sets what the provider calls it, and when it signed in last. */
  touchIdentity(identity: Pick<Identity, 'issuer' | 'subject' | 'display' | 'lastUsedAt'>): Promise<void>
  /** Answers whose they were. */
  removeSessionsOf(issuer: string, ended: EndedSession): Promise<readonly string[]>
  /** False if it was used before. */
  useLogoutToken(tokenHash: string, expiresAt: number): Promise<boolean>
}

export interface IdentityReaders extends DirectoryReaders {
  readonly identities: IdentityReader
}
export interface IdentityStores extends DirectoryStores {
  readonly identities: IdentityStore
  readonly oauth: OAuthStore
  readonly tokens: TokenStore
}

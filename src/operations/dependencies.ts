import type { DocumentSigner } from '../collaborations/signature.ts'
import type { IdentityProvider } from '../identities/provider.ts'
import type { LimitCounts, Limits } from '../limits.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { TicketSeal } from '../oauth/sign-in/authorization.ts'
import type { SchemaFileReader } from '../schema-files/schema-file-reader.ts'
import type { Storage } from '../storage/storage.ts'
import type { PasswordHash } from '../tokens/password.ts'
import type { Outgoing } from '../webhooks/attempts.ts'
import type { WebhookSecrets } from '../webhooks/secrets.ts'
import type { Attention } from './attention.ts'
import type { Search, WriteCommand } from './command.ts'
import type { PullWaits } from './pull-waits.ts'
import type { RecentRequests } from './recent-requests.ts'

/** Everything that requests need. Time, ids and secrets come only from here. */
export interface Dependencies {
  readonly storage: Storage<WriteCommand, Search>
  readonly passwords: PasswordHash
  /** Whether a password is on the list of common ones, whatever its case. */
  readonly isCommonPassword: (password: string) => boolean
  readonly signer: DocumentSigner
  readonly schemaFileReader: SchemaFileReader
  readonly webhookSecrets: WebhookSecrets
  readonly pullWaits: PullWaits
  /** Undefined where no webhook is sent. */
  readonly outgoing: Outgoing | undefined
  readonly random: Random
  readonly tickets: TicketSeal
  /** Undefined where none is set. */
  readonly identityProvider: IdentityProvider | undefined
  /** Undefined where no mail server is set. */
  readonly mailer: Mailer | undefined
  /** A digest under the secret of the server: the same for the same text. */
  readonly digest: (text: string) => string
  /** Removes files that the first start has left, after their link was used. */
  readonly removeFirstRunFiles: (secret: string) => void
  readonly limits: Limits
  readonly limitCounts: LimitCounts
  readonly recentRequests: RecentRequests
  readonly attention: Attention
  /** Names of the migrations of its tables are in their order. */
  readonly database: { readonly engine: 'sqlite' | 'postgres'; readonly migrations: readonly string[] }
  /** Epoch milliseconds. */
  now(): number
}

/** Ids and secrets that cannot be guessed. */
export interface Random {
  /** 32 lower-case hex characters: groups, users, collaborations, workspaces, invitations (documented). */
  id(): string
  /** 16 letters and digits: portals and roles (documented). */
  shortId(): string
  /** 256 bits. */
  token(): string
  /** The form in which a token is stored: SHA-256 in lower-case hex. */
  hashToken(token: string): string
}

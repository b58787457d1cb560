import { isBlank } from '../plain-text.ts'
import type { CategoryPolicy } from './category-policy.ts'

/** Category schemas whose changes need a second person: none, the organization's, or those of its groups too (chosen). */
export const categoryApprovals = ['none', 'organization', 'all'] as const
export type CategoryApproval = (typeof categoryApprovals)[number]

/** An organization; "portal" on the wire. */
export interface Portal {
  /** 16 letters and digits (documented). Never reused. */
  readonly portalId: string
  readonly name: string
  readonly description: string
  /** Short name derived from the organization's name; unique. */
  readonly urlKey: string
  readonly access: PortalAccess
  /** Language, such as `en` or `pt-BR`; empty if none is set. */
  readonly culture: string
  readonly categoryPolicy: CategoryPolicy
  readonly categoryApproval: CategoryApproval
  /** Whether a category schema is set: clients read the schema only if it is (observed). */
  readonly hasCategorySchema: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

export const portalAccesses = ['private', 'public'] as const
/** `public`: its public view and its category schema are readable without a token. */
export type PortalAccess = (typeof portalAccesses)[number]

/** The Ed25519 key pair with which a portal signs invitations and responses. */
export interface PortalKey {
  /** Public key as JWK text. */
  readonly publicKey: string
  /** Private key, encrypted with a secret that is not in the database. */
  readonly sealedPrivateKey: string
}

/** The private key of a portal, as it is stored. */
export interface SealedPortalKey extends Pick<PortalKey, 'sealedPrivateKey'> {
  readonly portalId: string
}

export const portalNameLength = 250

/** Returns the problem of an organization's name (chosen). */
export function findPortalNameProblem(name: string): string | undefined {
  if (name.length > portalNameLength) {
    return `has ${name.length} characters; at most ${portalNameLength} are allowed.`
  }
  if (isBlank(name)) return 'is blank.'
  return /\p{Cc}/u.test(name) ? 'has a control character.' : undefined
}

/** `"Ministry of Maps"` → `"ministryofmaps"`; falls back to the id if no letter or digit is left. */
export function formatUrlKey(name: string, portalId: string): string {
  const key = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 60)
  return key || portalId.toLowerCase()
}

import { isBlank } from '../plain-text.ts'
import { field, type Named, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'
import type { CategoryPolicy } from './category-policy.ts'

/** Category schemas whose changes need a second person: none, the organization's, or those of its groups too (chosen). */
export const categoryApprovals = ['none', 'organization', 'all'] as const
export type CategoryApproval = (typeof categoryApprovals)[number]

/** `public`: its public view and its category schema are readable without a token. */
export const portalAccesses = ['private', 'public'] as const

export const portalFields = {
  /** 16 letters and digits (documented). Never reused. */
  portalId: field.text(),
  name: field.text(),
  description: field.text(),
  /** Short name derived from the organization's name; unique. */
  urlKey: field.text(),
  access: field.choice(portalAccesses),
  /** Language, such as `en` or `pt-BR`; empty if none is set. */
  culture: field.text(),
  categoryPolicy: field.json<CategoryPolicy>(),
  categoryApproval: field.text<CategoryApproval>(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

export interface NewPortal extends RecordOf<typeof portalFields>, Named {}

/** An organization; "portal" on the wire. */
export interface Portal extends NewPortal {
  /** Whether a category schema is set: clients read the schema only if it is (observed). */
  readonly hasCategorySchema: boolean
}

export const portalKeyFields = {
  /** Public key as JWK text. */
  publicKey: field.text(),
  /** Private key, encrypted with a secret that is not in the database. */
  sealedPrivateKey: field.text(),
}

/** The Ed25519 key pair with which a portal signs invitations and responses. */
export interface PortalKey extends RecordOf<typeof portalKeyFields>, Named {}

/** The private key of a portal, as it is stored. */
export interface SealedPortalKey extends Pick<PortalKey, 'sealedPrivateKey'> {
  readonly portalId: string
}

export const portalNameLength = 250

/** Returns the problem of an organization's name (chosen). */
export function findPortalNameProblem(name: string): string | undefined {
  if (name.length > portalNameLength) {
    return say('tooLong', { length: name.length, max: portalNameLength })
  }
  if (isBlank(name)) return say('isBlank')
  return /\p{Cc}/u.test(name) ? say('hasControl') : undefined
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

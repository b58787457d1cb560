import type { ParticipantRole } from './collaboration.ts'

/** The key by which an organization knows another portal, from the first file of it that was accepted or imported. */
export interface KnownKey {
  /** The organization that knows the key. */
  readonly portalId: string
  /** The portal that signs with it. */
  readonly signerPortalId: string
  /** JWK thumbprint of the key (RFC 7638, SHA-256). */
  readonly fingerprint: string
  /** Epoch milliseconds. */
  readonly knownSince: number
}

/** How the key of a file compares with the one that is known of its signer. */
export const keyStates = ['new', 'known', 'changed'] as const

export type KeyVerdict = { readonly state: 'new' } | { readonly state: 'known' | 'changed'; readonly known: KnownKey }

export function judgeKey(known: KnownKey | undefined, fingerprint: string): KeyVerdict {
  if (!known) return { state: 'new' }
  return { state: known.fingerprint === fingerprint ? 'known' : 'changed', known }
}

/** Why a file is refused whose signer is known by another key; undefined if it is not. */
export function findKeyProblem(role: ParticipantRole, fingerprint: string, verdict: KeyVerdict): string | undefined {
  if (verdict.state !== 'changed') return undefined
  const signer = role.toLowerCase()
  return (
    `The ${signer} is known by the key ${verdict.known.fingerprint}, and this file is signed by the key ${fingerprint}: ` +
    `ask the ${signer} for its fingerprint, and give acceptNewKey=true if that is the new one.`
  )
}

/** A key by which a portal is known. */
interface KnownKey {
  readonly fingerprint: string
  readonly fingerprintHex: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** How the portal that signed a file compares with what is known of it, and of the URL in the file. */
export interface KeyVerdict extends Partial<KnownKey> {
  readonly state: 'new' | 'known' | 'changed'
  /** The portal that is known at the URL, where another one signed the file; the members above are of the signer. */
  readonly atUrl?: KnownKey & { readonly portalId: string }
}

/** Who signed a file. */
export interface Signer {
  readonly portalId: string
  readonly fingerprint: string
  readonly fingerprintHex: string
}

/** What the person has to know before they go on; the last ones have the keys to compare, those that are known first. */
export type KeyComparison =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly since: number }
  | { readonly kind: 'otherKey'; readonly keys: readonly ComparedKey[] }
  | {
      readonly kind: 'otherPortal'
      readonly keys: readonly ComparedKey[]
      /** The portal that is known at the URL. */
      readonly known: string
      /** The signer is known too, by another key. */
      readonly hasOtherKey: boolean
    }

export interface ComparedKey {
  readonly of: 'portalAtUrl' | 'signerBefore' | 'signer'
  readonly portalId: string
  readonly fingerprint: string
  readonly fingerprintHex: string
  /** Undefined for that of the file. */
  readonly since?: number
}

export function compareKeys(verdict: KeyVerdict, signer: Signer): KeyComparison {
  const { state, atUrl, fingerprint, fingerprintHex = '', since = 0 } = verdict
  if (state === 'new') return { kind: 'new' }
  if (state === 'known') return { kind: 'known', since }
  const hasOtherKey = fingerprint !== undefined && fingerprint !== signer.fingerprint
  const keys: readonly ComparedKey[] = [
    ...(atUrl ? [{ of: 'portalAtUrl', ...atUrl } as const] : []),
    ...(hasOtherKey
      ? [{ of: 'signerBefore', portalId: signer.portalId, fingerprint, fingerprintHex, since } as const]
      : []),
    { of: 'signer', ...signer },
  ]
  return atUrl ? { kind: 'otherPortal', keys, known: atUrl.portalId, hasOtherKey } : { kind: 'otherKey', keys }
}

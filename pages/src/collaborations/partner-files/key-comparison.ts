import type { invitationVerdictShape } from '../../../../src/http/shapes/collaborations/handshake.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'

/** Comparison of the portal that signed a file with the known key, and with the portal known at the URL in the file. */
export type KeyVerdict = ValueOf<typeof invitationVerdictShape>['hostKey']

/** Signer of a file. */
export interface Signer {
  readonly portalId: string
  readonly fingerprint: string
  readonly fingerprintHex: string
}

/** Result for the person to check; the last two kinds have the keys to compare, known ones first. */
export type KeyComparison =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly since: number }
  | { readonly kind: 'otherKey'; readonly keys: readonly ComparedKey[] }
  | {
      readonly kind: 'otherPortal'
      readonly keys: readonly ComparedKey[]
      /** Id of the portal that is known at the URL. */
      readonly known: string
      /** Whether the signer is known too, by another key. */
      readonly hasOtherKey: boolean
    }

export interface ComparedKey {
  readonly of: 'portalAtUrl' | 'signerBefore' | 'signer'
  readonly portalId: string
  readonly fingerprint: string
  readonly fingerprintHex: string
  /** Undefined for the key of the file. */
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

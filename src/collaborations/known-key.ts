import { field, type Named, type RecordOf } from '../record.ts'
import type { ParticipantRole } from './collaboration.ts'

export const knownKeyFields = {
  /** The organization that knows the key. */
  portalId: field.text(),
  /** The portal that signs with it. */
  signerPortalId: field.text(),
  /** JWK thumbprint of the key (RFC 7638, SHA-256). */
  fingerprint: field.text(),
  knownSince: field.time(),
}

/** The key by which an organization knows another portal, from the first file of it that was accepted or imported. */
export interface KnownKey extends RecordOf<typeof knownKeyFields>, Named {}

/** How the signer of a file compares with what is known of it and of its URL. */
export const keyStates = ['new', 'known', 'changed'] as const

/** A file as its signer claims to be. */
export interface Claim {
  readonly signerPortalId: string
  readonly fingerprint: string
  readonly url: string
}

export interface KeyVerdict {
  readonly state: (typeof keyStates)[number]
  /** The key by which the portal that signed the file is known. */
  readonly known?: KnownKey
  /** The portal that is known at the URL in the file; undefined if it is the signer, or none. */
  readonly atUrl?: KnownKey
}

/** `here` are the portals that are known at the URL in the file, the longest known first. */
export function judgeKey(
  { signerPortalId, fingerprint }: Claim,
  known: KnownKey | undefined,
  here: readonly KnownKey[],
): KeyVerdict {
  const atUrl = here.some((one) => one.signerPortalId === signerPortalId) ? undefined : here[0]
  const isChanged = atUrl !== undefined || (known !== undefined && known.fingerprint !== fingerprint)
  return {
    state: isChanged ? 'changed' : known ? 'known' : 'new',
    ...(known && { known }),
    ...(atUrl && { atUrl }),
  }
}

/** Why a file is refused whose signer, or whose URL, is known otherwise; undefined if it is not. */
export function findKeyProblem(
  role: ParticipantRole,
  { signerPortalId, fingerprint, url }: Claim,
  { state, known, atUrl }: KeyVerdict,
): string | undefined {
  if (state !== 'changed') return undefined
  const signer = role.toLowerCase()
  if (!atUrl) {
    return (
      `The ${signer} is known by the key ${known!.fingerprint}, and this file is signed by the key ${fingerprint}: ` +
      `ask the ${signer} for its fingerprint, and give acceptNewKey=true if that is the new one.`
    )
  }
  const other = known && known.fingerprint !== fingerprint ? `, which is known by the key ${known.fingerprint}` : ''
  return (
    `At ${url}, the portal ${atUrl.signerPortalId} is known by the key ${atUrl.fingerprint}, and this file is of the portal ` +
    `${signerPortalId}${other}, and signed by the key ${fingerprint}: ask the ${signer} for its id and fingerprint, and give ` +
    'acceptNewKey=true if they are these.'
  )
}

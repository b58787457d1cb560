import type { AuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { operationRefused, refusedUnless } from '../errors.ts'
import { say } from '../sentences/say.ts'
import type { ParticipantRole } from './collaboration.ts'
import { addressOf, isSameRoot } from './known-address.ts'
import { type Claim, findKeyProblem, judgeKey, type KeyVerdict } from './known-key.ts'
import type { VerifiedFile } from './signature.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

/** A file of another portal, for an organization that judges its key. */
export interface SignedByOther {
  readonly portalId: string
  /** The public root of the organization. */
  readonly portalUrl: string
  /** The portal that the file names as its signer. */
  readonly signerPortalId: string
  /** The public root that the file names as the signer's. */
  readonly signerUrl: string
  readonly role: ParticipantRole
  readonly file: VerifiedFile
}

function claimOf({ signerPortalId, signerUrl, file }: SignedByOther): Claim {
  return { signerPortalId, fingerprint: file.fingerprint, url: signerUrl }
}

/**
 * Judges who signed a file. Refuses another key than the known one, and a URL at which another portal is known, unless the
 * caller accepts a new one; the key of a portal on this server is certain, and no other is accepted.
 */
export async function requireTrustedKey(
  { directory, collaborations }: CollaborationReaders,
  signed: SignedByOther,
  acceptNewKey: boolean,
): Promise<KeyVerdict> {
  const { portalId, portalUrl, signerPortalId, signerUrl, role, file } = signed
  const own = await directory.findPortalKey(signerPortalId)
  if (own && own.publicKey !== file.publicKey) {
    throw operationRefused(say('signedByAnother'))
  }
  if (!own && isSameRoot(signerUrl, portalUrl)) {
    throw operationRefused(`The file names the URL of this server, ${signerUrl}, and a portal that is not on it.`)
  }
  const known = await collaborations.findKnownKey(portalId, signerPortalId)
  // Organizations on this server share its URL, and are as certain as their keys.
  const here = own ? [] : await collaborations.listKnownKeysAt(portalId, addressOf(signerUrl))
  const verdict = judgeKey(claimOf(signed), known, here)
  const problem = acceptNewKey ? undefined : findKeyProblem(role, claimOf(signed), verdict)
  if (problem) throw refusedUnless('acceptNewKey', problem)
  return verdict
}

/**
 * Records the key of the signer, and the URL. Answers the audit details, which name what was known where
 * something else is accepted.
 */
export async function pinKey(
  { collaborations }: CollaborationStores,
  call: Call,
  { portalId, signerPortalId, signerUrl, file: { fingerprint } }: SignedByOther,
  { state, known, atUrl }: KeyVerdict,
  path: string,
): Promise<AuditDetails> {
  const signer = { portalId, signerPortalId, knownSince: call.now }
  if (known?.fingerprint !== fingerprint) await collaborations.putKnownKey({ ...signer, fingerprint })
  await collaborations.addKnownAddress({ ...signer, address: addressOf(signerUrl) })
  if (state !== 'changed') return {}
  const keys = [
    `signerPortalId=${signerPortalId}`,
    `newKey=${fingerprint}`,
    ...(known ? [`knownKey=${known.fingerprint}`] : []),
    ...(atUrl ? [`knownPortalId=${atUrl.signerPortalId}`, `keyOfKnownPortal=${atUrl.fingerprint}`] : []),
  ]
  return { target: `${path}?${keys.join('&')}` }
}

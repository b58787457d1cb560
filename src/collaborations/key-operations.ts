import { operationRefused, refusedUnless } from '../errors.ts'
import type { AuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import type { ParticipantRole } from './collaboration.ts'
import { findKeyProblem, judgeKey, type KeyVerdict } from './known-key.ts'
import type { VerifiedFile } from './signature.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

/** A file of another portal, for an organization that judges its key. */
export interface SignedByOther {
  readonly portalId: string
  /** The portal that the file names as its signer. */
  readonly signerPortalId: string
  readonly role: ParticipantRole
  readonly file: VerifiedFile
}

/**
 * Judges the key of a file. Refuses another key than the known one, unless the caller accepts a new one; the key of a
 * portal on this server is certain, and no other is accepted.
 */
export async function requireTrustedKey(
  { directory, collaborations }: CollaborationReaders,
  { portalId, signerPortalId, role, file }: SignedByOther,
  acceptNewKey: boolean,
): Promise<KeyVerdict> {
  const own = await directory.findPortalKey(signerPortalId)
  if (own && own.publicKey !== file.publicKey) {
    throw operationRefused('The file is signed by another key than the one of the portal that it names.')
  }
  const verdict = judgeKey(await collaborations.findKnownKey(portalId, signerPortalId), file.fingerprint)
  const problem = acceptNewKey ? undefined : findKeyProblem(role, file.fingerprint, verdict)
  if (problem) throw refusedUnless('acceptNewKey', problem)
  return verdict
}

/** From now on the signer is known by this key. Answers the audit details, which name both keys where one replaces another. */
export async function pinKey(
  { collaborations }: CollaborationStores,
  call: Call,
  { portalId, signerPortalId, file: { fingerprint } }: SignedByOther,
  verdict: KeyVerdict,
  path: string,
): Promise<AuditDetails> {
  if (verdict.state === 'known') return {}
  await collaborations.putKnownKey({ portalId, signerPortalId, fingerprint, knownSince: call.now })
  if (verdict.state === 'new') return {}
  const keys = `signerPortalId=${signerPortalId}&newKey=${fingerprint}&knownKey=${verdict.known.fingerprint}`
  return { target: `${path}?${keys}` }
}

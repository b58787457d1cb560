import type { AccessMode } from '../../../../src/collaborations/collaboration.ts'
import type { WireInvitationFile } from '../../../../src/http/shapes/collaborations/handshake.ts'
import { readFingerprint } from '../../forms/own-key.ts'
import { callForFile } from '../../session/session.ts'
import { collaborationPath } from '../records.ts'
import { completeAddress, type Scheme } from './guest-address.ts'
import { nameInvitation } from './invitation-file.ts'

/** Answers of the person. */
export interface InvitationAnswers {
  /** Address of the guest, as typed. */
  readonly address: string
  /** Scheme of the address, unless one was typed. */
  readonly scheme: Scheme
  /** Access mode of the guest by workspace. */
  readonly access: ReadonlyMap<string, AccessMode>
  readonly hours: number
}

export interface Issued {
  readonly invitationId: string
  readonly file: Blob
  readonly fileName: string
  /** Fingerprint of this organization's key, which the guest compares. */
  readonly fingerprint: string
  readonly collaborationName: string
  /** Epoch milliseconds. */
  readonly expiration: number
}

/** Creates the invitation and its file. */
export async function issueInvitation(
  collaborationId: string,
  { address, scheme, access, hours }: InvitationAnswers,
): Promise<Issued> {
  const guestPortalUrl = completeAddress(address, scheme)!
  const fingerprint = await readFingerprint()
  const file = await callForFile(
    `${collaborationPath(collaborationId)}/inviteParticipant`,
    {
      guestPortalUrl,
      collaborationWorkspacesParticipantConfigJSON: JSON.stringify([...access].map(([id, mode]) => ({ [id]: mode }))),
      expiration: hours,
    },
    { method: 'POST' },
  )
  const {
    invitationRequest: { id, collaborationName, expiration: ends },
  } = JSON.parse(await file.text()) as WireInvitationFile
  return {
    invitationId: id,
    file,
    fileName: nameInvitation(collaborationName, guestPortalUrl),
    fingerprint,
    collaborationName,
    expiration: ends,
  }
}

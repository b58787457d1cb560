import type { AccessMode } from '../../../../src/collaborations/collaboration.ts'
import { formatFileName } from '../../../../src/collaborations/invitation.ts'
import type { WireInvitationFile } from '../../../../src/http/shapes/collaborations/handshake.ts'
import { call, callForFile } from '../../session/session.ts'
import { collaborationPath } from '../records.ts'
import { completeAddress } from './guest-address.ts'

/** Answers of the person. */
export interface InvitationAnswers {
  /** Address of the guest, as typed. */
  readonly address: string
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
}

/** Creates the invitation and its file. */
export async function issueInvitation(
  collaborationId: string,
  { address, access, hours }: InvitationAnswers,
): Promise<Issued> {
  const guestPortalUrl = completeAddress(address)!
  const { fingerprintHex } = await call<{ readonly fingerprintHex: string }>('/portals/self/publicKey')
  const file = await callForFile(
    `${collaborationPath(collaborationId)}/inviteParticipant`,
    {
      guestPortalUrl,
      collaborationWorkspacesParticipantConfigJSON: JSON.stringify([...access].map(([id, mode]) => ({ [id]: mode }))),
      expiration: hours,
    },
    { method: 'POST' },
  )
  const { invitationRequest } = JSON.parse(await file.text()) as WireInvitationFile
  return {
    invitationId: invitationRequest.id,
    file,
    fileName: formatFileName(guestPortalUrl),
    fingerprint: fingerprintHex,
  }
}

import type { AuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { limitReached, operationRefused } from '../errors.ts'
import { say } from '../sentences/say.ts'
import type { Collaboration } from './collaboration.ts'
import type { Invitation } from './invitation.ts'
import { changeInvitation } from './invitation-operations.ts'
import { pinKey, requireTrustedKey, type SignedByOther } from './key-operations.ts'
import type { KeyVerdict } from './known-key.ts'
import { notifySender } from './notices.ts'
import { type CollaborationId, namedInLog, requireHostedCollaboration } from './operations.ts'
import { type InvitationResponse, judgeResponse, readResponse } from './response.ts'
import type { VerifiedFile } from './signature.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

/** The host's side of the handshake, after the guest's response. */

interface ReceivedResponse extends CollaborationId {
  /** The host's public root. */
  readonly portalUrl: string
  readonly file: Parsed<VerifiedFile>
  /** Whether a key of the guest is accepted that is not the known one. */
  readonly acceptNewKey: Parsed<boolean>
}

/** A response that the host may import; the file has the fingerprint to compare with the guest's. */
export interface ResponseVerdict {
  readonly audit: AuditDetails
  readonly caller: Caller
  readonly collaboration: Collaboration
  readonly invitation: Invitation
  /** The invitation after the import. */
  readonly imported: Invitation
  readonly response: InvitationResponse
  readonly file: VerifiedFile
  readonly key: KeyVerdict
}

/** Checks a response as importing does, without changing anything (contract §4). */
export async function validateInvitationResponse(
  stores: CollaborationReaders,
  call: Call,
  input: ReceivedResponse,
): Promise<ResponseVerdict> {
  const { caller, portal, collaboration } = await requireHostedCollaboration(stores, call, input)
  const file = unwrapParsed(input.file)
  const response = readResponse(file)
  if ('problem' in response) throw operationRefused(response.problem)
  const { collaborationId } = collaboration
  const found = await stores.collaborations.findInvitation(response.id)
  const participant = await stores.collaborations.findParticipant(collaborationId, response.guestPortalId)
  const verdict = judgeResponse(response, {
    hostPortalId: portal.portalId,
    collaborationId,
    invitation: found?.collaborationId === collaborationId ? found : undefined,
    isParticipant: participant !== undefined,
    now: call.now,
  })
  if ('problem' in verdict) throw operationRefused(verdict.problem)
  const signed = signedByGuest(input, verdict.invitation, response, file)
  const key = await requireTrustedKey(stores, signed, unwrapParsed(input.acceptNewKey))
  return { caller, collaboration, ...verdict, response, file, key, audit: namedInLog(collaboration.name) }
}

function signedByGuest(
  { portalUrl }: ReceivedResponse,
  { hostPortalId }: Invitation,
  { guestPortalId, guestPortalUrl }: InvitationResponse,
  file: VerifiedFile,
): SignedByOther {
  return {
    portalId: hostPortalId,
    portalUrl,
    signerPortalId: guestPortalId,
    signerUrl: guestPortalUrl,
    role: 'Guest',
    file,
  }
}

async function requireRoomForParticipant(
  { collaborations }: CollaborationReaders,
  call: Call,
  collaborationId: string,
): Promise<void> {
  const { participants: max } = call.limits
  const { total } = await collaborations.listParticipants(collaborationId, { start: 1, num: 0 })
  if (total < max) return
  throw limitReached('participants', say('participantsFull', { count: total, max }))
}

/** Makes the guest a participant and its invitation accepted, in one transaction. */
export async function importInvitationResponse(
  stores: CollaborationStores,
  call: Call,
  input: ReceivedResponse,
): Promise<ResponseVerdict> {
  const verdict = await validateInvitationResponse(stores, call, input)
  const { caller, collaboration, invitation, imported, response, file, key, audit } = verdict
  await requireRoomForParticipant(stores, call, invitation.collaborationId)
  await changeInvitation(stores, call, caller, 'import', invitation, imported)
  const by = caller.username
  await notifySender(stores, call, { type: 'invitation_accepted', invitation, collaboration, by })
  const { collaborationId } = invitation
  const known = new Set(
    (await stores.collaborations.listWorkspaces(collaborationId)).map(({ workspaceId }) => workspaceId),
  )
  await stores.collaborations.addParticipant(
    {
      collaborationId,
      portalId: response.guestPortalId,
      portalName: response.guestPortalName,
      portalUrl: response.guestPortalUrl,
      role: 'Guest',
      contact: {
        firstName: response.guestContactFirstname,
        lastName: response.guestContactLastname,
        email: response.guestContactEmailAddress,
      },
      createdAt: call.now,
      modifiedAt: call.now,
    },
    invitation.workspaces.filter(({ workspaceId }) => known.has(workspaceId)),
  )
  const path = `/portals/${invitation.hostPortalId}/collaborations/${collaborationId}/importInvitationResponse`
  const pinned = await pinKey(stores, call, signedByGuest(input, invitation, response, file), key, path)
  return { ...verdict, audit: { ...audit, ...pinned } }
}

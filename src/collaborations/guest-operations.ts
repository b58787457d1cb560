import type { AuditDetails, WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { Portal, PortalKey } from '../directory/portal.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Contact } from './collaboration.ts'
import { type InvitationRequest, readInvitationRequest } from './invitation.ts'
import { pinKey, requireTrustedKey, type SignedByOther } from './key-operations.ts'
import type { KeyVerdict } from './known-key.ts'
import { type CollaborationId, namedInLog, requireCollaborationManager } from './operations.ts'
import { acceptedParticipation, findInvitationProblem, type GuestSide, type Participation } from './participation.ts'
import { formatResponseName, type InvitationResponse } from './response.ts'
import type { VerifiedFile } from './signature.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

/** The guest's side of the handshake. */

interface ReceivedInvitation {
  readonly portalId: string
  readonly portalUrl: string
  readonly file: Parsed<VerifiedFile>
  /** Whether a key of the host is accepted that is not the known one. */
  readonly acceptNewKey: Parsed<boolean>
  /** Id of the participation if the guest has another host's collaboration under the invitation's. */
  readonly collaborationId: string
}

/** An invitation that the guest may accept; the file has the fingerprint to compare with the host's. */
export interface InvitationVerdict {
  readonly audit: AuditDetails
  readonly request: InvitationRequest
  readonly file: VerifiedFile
  readonly guest: GuestSide
  readonly key: KeyVerdict
}

/** Checks an invitation as accepting does, without changing anything. */
export async function validateCollaborationInvitation(
  stores: CollaborationReaders,
  call: Call,
  input: ReceivedInvitation,
): Promise<InvitationVerdict> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const file = unwrapParsed(input.file)
  const request = readInvitationRequest(file)
  if ('problem' in request) throw operationRefused(request.problem)
  const { portalId } = portal
  const { collaborationId, hostPortalId } = request
  const { collaborations } = stores
  const isTaken = (await collaborations.findParticipation(portalId, collaborationId)) !== undefined
  const guest: GuestSide = {
    portalId,
    portalUrl: input.portalUrl,
    present: await collaborations.findParticipationOf(portalId, hostPortalId, collaborationId),
    collaborationId: isTaken ? input.collaborationId : collaborationId,
    isHost: (await collaborations.findCollaboration(collaborationId))?.hostPortalId === portalId,
    now: call.now,
  }
  const problem = findInvitationProblem(request, file, guest)
  if (problem) throw operationRefused(problem)
  const key = await requireTrustedKey(stores, signedByHost(request, file, guest), unwrapParsed(input.acceptNewKey))
  return { request, file, guest, key, audit: auditOf(request) }
}

/** The path of these operations names no invitation: its id is in the file. */
function auditOf({ id, guestPortalUrl, hostPortalUrl, collaborationName }: InvitationRequest): AuditDetails {
  const { data } = namedInLog(guestPortalUrl, { name: collaborationName })
  return { data: { ...data, host: hostPortalUrl, targets: [id] } }
}

function signedByHost(
  { hostPortalId, hostPortalUrl }: InvitationRequest,
  file: VerifiedFile,
  { portalId, portalUrl }: GuestSide,
): SignedByOther {
  return { portalId, portalUrl, signerPortalId: hostPortalId, signerUrl: hostPortalUrl, role: 'Host', file }
}

/** Accepts an invitation on the guest's side; the host gets the response file that is exported next. */
export async function acceptCollaborationInvitation(
  stores: CollaborationStores,
  call: Call,
  input: ReceivedInvitation & { contact: Parsed<Contact> },
): Promise<Participation & WithAuditDetails> {
  const { request, file, guest, key, audit } = await validateCollaborationInvitation(stores, call, input)
  const participation = acceptedParticipation(request, file, guest, unwrapParsed(input.contact))
  await stores.collaborations.putParticipation(participation)
  const path = `/portals/${guest.portalId}/acceptCollaborationInvitation`
  const pinned = await pinKey(stores, call, signedByHost(request, file, guest), key, path)
  return { ...participation, audit: { ...audit, ...pinned } }
}

/** A participation of the caller's portal; 404 for any other collaboration. */
export async function requireParticipation(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId,
): Promise<{ portal: Portal; participation: Participation }> {
  const { portal } = await requireCollaborationManager(stores, call, input.portalId)
  const participation = await stores.collaborations.findParticipation(portal.portalId, input.collaborationId)
  if (!participation) throw resourceNotFound()
  return { portal, participation }
}

/** A response before it is signed, with the key to sign it. */
export interface ResponseDraft {
  readonly response: InvitationResponse
  readonly fileName: string
  readonly key: PortalKey
}

/** First half of an export: the response to the accepted invitation. Repeated exports differ only in `created`. */
export async function draftResponse(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId,
): Promise<ResponseDraft> {
  const { portal, participation } = await requireParticipation(stores, call, input)
  const key = await stores.directory.findPortalKey(portal.portalId)
  if (!key) throw resourceNotFound()
  const { guestContact, guestPortalUrl } = participation
  const response: InvitationResponse = {
    id: participation.invitationId,
    collaborationId: participation.hostCollaborationId,
    hostPortalId: participation.hostPortalId,
    guestPortalId: portal.portalId,
    guestPortalName: portal.name,
    guestPortalUrl,
    guestContactFirstname: guestContact.firstName,
    guestContactLastname: guestContact.lastName,
    guestContactEmailAddress: guestContact.email,
    invitationDigest: participation.invitationDigest,
    created: call.now,
  }
  return { response, fileName: formatResponseName(guestPortalUrl), key }
}

/** Second half of an export: writes nothing but the audit entry. */
export async function exportInvitationResponse(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId,
): Promise<WithAuditDetails> {
  const { participation } = await requireParticipation(stores, call, input)
  return { audit: namedInLog(participation.name) }
}

/** The guest leaves; the host removes the participant on its own side. */
export async function removeParticipation(
  stores: CollaborationStores,
  call: Call,
  input: CollaborationId,
): Promise<WithAuditDetails> {
  const { participation } = await requireParticipation(stores, call, input)
  await stores.collaborations.removeParticipation(participation.portalId, participation.collaborationId)
  return { audit: namedInLog(participation.name) }
}

import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { PortalKey } from '../directory/portal.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import type { Collaboration, WorkspaceAccess } from './collaboration.ts'
import {
  expiresAt,
  findTransition,
  formatFileName,
  formatInvitationRequest,
  type Invitation,
  type InvitationEvent,
  type InvitationRequest,
} from './invitation.ts'
import { isSameRoot } from './known-address.ts'
import { notifyOfEnd, notifySender } from './notices.ts'
import { type CollaborationId, namedInLog, requireHostedCollaboration } from './operations.ts'
import type { CollaborationReaders, CollaborationStores, InvitationQuery, InvitationStep } from './store.ts'

interface InvitationId extends CollaborationId {
  readonly invitationId: string
}

export interface InvitationProperties {
  readonly guestPortalUrl: string
  readonly workspaces: readonly WorkspaceAccess[]
  /** Hours; undefined for the longest time. */
  readonly expiration: number | undefined
}

type UnsignedInvitation = Omit<Invitation, 'file' | 'digest'>

/** An invitation before it is signed, with the key to sign it. */
export interface InvitationDraft {
  readonly invitation: UnsignedInvitation
  readonly request: InvitationRequest
  readonly key: PortalKey
}

/** First half of an invitation: everything but the signature, which is computed outside the transaction. */
export async function draftInvitation(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId & { invitationId: string; hostUrl: string; properties: Parsed<InvitationProperties> },
): Promise<InvitationDraft> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const properties = unwrapParsed(input.properties)
  await requireOther(stores, input.hostUrl, properties)
  const known = await stores.collaborations.listWorkspaces(collaboration.collaborationId)
  const unknown = properties.workspaces.find(({ workspaceId }) => known.every((one) => one.workspaceId !== workspaceId))
  if (unknown) {
    throw operationRefused(
      `collaborationWorkspacesParticipantConfigJSON: ${say('workspaceUnknown', { workspaceId: unknown.workspaceId })}`,
    )
  }
  const invitation: UnsignedInvitation = {
    invitationId: input.invitationId,
    collaborationId: collaboration.collaborationId,
    hostPortalId: collaboration.hostPortalId,
    guestPortalId: undefined,
    guestPortalUrl: properties.guestPortalUrl,
    state: 'host_created',
    workspaces: properties.workspaces,
    fileName: formatFileName(properties.guestPortalUrl),
    revision: 1,
    createdAt: call.now,
    modifiedAt: call.now,
    expiresAt: expiresAt(call.now, properties.expiration),
  }
  return draft(stores, collaboration, invitation, input.hostUrl)
}

/**
 * Refuses the host's own URL, unless another organization of this server can be meant. A guest that takes part already may be
 * invited again: a further invitation has what has changed since (chosen).
 */
async function requireOther(
  { directory }: CollaborationReaders,
  hostUrl: string,
  { guestPortalUrl }: InvitationProperties,
): Promise<void> {
  if (!isSameRoot(guestPortalUrl, hostUrl) || (await directory.listPortals()).length > 1) return
  throw operationRefused(`guestPortalUrl: ${say('guestIsThisServer')}`)
}

/** The draft that is signed. Deleted workspaces are left out, as in the import of the response. */
async function draft(
  { directory, collaborations }: CollaborationReaders,
  collaboration: Collaboration,
  invitation: UnsignedInvitation,
  hostUrl: string,
): Promise<InvitationDraft> {
  const portal = await directory.findPortal(collaboration.hostPortalId)
  const key = await directory.findPortalKey(collaboration.hostPortalId)
  if (!portal || !key) throw resourceNotFound()
  const workspaces = await collaborations.listWorkspaces(collaboration.collaborationId)
  const host = { portalId: portal.portalId, name: portal.name, url: hostUrl }
  const request = formatInvitationRequest(invitation, collaboration, workspaces, host)
  if (request.collaborationWorkspaces.length === 0) {
    throw operationRefused(say('noWorkspaceLeft'))
  }
  return { invitation, request, key }
}

/** Second half: stores the signed invitation. */
export async function inviteParticipant(
  stores: CollaborationStores,
  call: Call,
  input: CollaborationId & { invitation: Invitation },
): Promise<WithAuditDetails> {
  const { caller, collaboration } = await requireHostedCollaboration(stores, call, input)
  await stores.collaborations.addInvitation(input.invitation, step(call, caller, 'create', undefined, input.invitation))
  await notifyOfEnd(stores, call, { invitation: input.invitation, collaboration })
  const { collaborationId, hostPortalId } = collaboration
  const { invitationId, guestPortalUrl } = input.invitation
  const target = `/portals/${hostPortalId}/collaborations/${collaborationId}/invitations/${invitationId}`
  return { audit: { target, ...namedInLog(guestPortalUrl, collaboration) } }
}

function step(
  call: Call,
  caller: Caller,
  event: 'create' | InvitationEvent,
  from: Invitation | undefined,
  to: Pick<Invitation, 'state'>,
): InvitationStep {
  return { event, from: from?.state, to: to.state, username: caller.username, at: call.now }
}

/** An invitation of a collaboration that the caller's portal hosts. */
async function requireInvitation(
  stores: CollaborationReaders,
  call: Call,
  input: InvitationId,
): Promise<{ caller: Caller; collaboration: Collaboration; invitation: Invitation }> {
  const { caller, collaboration } = await requireHostedCollaboration(stores, call, input)
  const invitation = await stores.collaborations.findInvitation(input.invitationId)
  if (invitation?.collaborationId !== collaboration.collaborationId) throw resourceNotFound()
  return { caller, collaboration, invitation }
}

export async function listInvitations(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId & { query: Parsed<InvitationQuery>; page: Parsed<Page> },
): Promise<Slice<Invitation> & { readonly page: Page }> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const page = unwrapParsed(input.page)
  const query = unwrapParsed(input.query)
  return { ...(await stores.collaborations.listInvitations(collaboration.collaborationId, query, page)), page }
}

export interface InvitationView {
  readonly invitation: Invitation
  readonly steps: readonly InvitationStep[]
  /** Milliseconds for which a response can still be imported; 0 if none can. */
  readonly timeLeft: number
}

export async function readInvitation(
  stores: CollaborationReaders,
  call: Call,
  input: InvitationId,
): Promise<InvitationView> {
  const { invitation } = await requireInvitation(stores, call, input)
  const isOpen = 'to' in findTransition(invitation, 'import', call.now)
  return {
    invitation,
    steps: await stores.collaborations.listSteps(invitation.invitationId),
    timeLeft: isOpen ? invitation.expiresAt - call.now : 0,
  }
}

/**
 * Invalidates an invitation: a later response to it cannot be imported (description §4.4). Invalidating it again succeeds
 * and changes nothing, and is not recorded (chosen).
 */
export async function invalidateInvitation(
  stores: CollaborationStores,
  call: Call,
  input: InvitationId,
): Promise<WithAuditDetails> {
  const { caller, collaboration, invitation } = await requireInvitation(stores, call, input)
  const transition = findTransition(invitation, 'invalidate', call.now)
  if ('refused' in transition) throw operationRefused(transition.refused)
  if ('unchanged' in transition) return { audit: nothingDone }
  const invalidated: Invitation = { ...invitation, state: transition.to, modifiedAt: call.now }
  await changeInvitation(stores, call, caller, 'invalidate', invitation, invalidated)
  const by = caller.username
  await notifySender(stores, call, { type: 'invitation_invalidated', invitation, collaboration, by })
  return { audit: namedInLog(invitation.guestPortalUrl, collaboration) }
}

/** Changes an invitation by compare-and-set and adds a step to its history. */
export async function changeInvitation(
  { collaborations }: CollaborationStores,
  call: Call,
  caller: Caller,
  event: InvitationEvent,
  from: Invitation,
  to: Invitation,
): Promise<void> {
  await collaborations.changeInvitation({ from, to, step: step(call, caller, event, from, to) })
}

/** First half of a refresh: the same invitation with a new expiry, to be signed outside the transaction. */
export async function draftRefresh(
  stores: CollaborationReaders,
  call: Call,
  input: InvitationId & { hostUrl: string },
): Promise<InvitationDraft> {
  const { collaboration, invitation } = await requireInvitation(stores, call, input)
  const transition = findTransition(invitation, 'refresh', call.now)
  if ('refused' in transition) throw operationRefused(transition.refused)
  const renewed = { ...invitation, modifiedAt: call.now, expiresAt: expiresAt(call.now, undefined) }
  return draft(stores, collaboration, renewed, input.hostUrl)
}

/**
 * Second half: the new file replaces the old one, whose response can no longer be imported. If another request refreshed
 * the invitation since the draft, the result is that one's file: no caller gets a file that is already outdated.
 */
export async function refreshInvitation(
  stores: CollaborationStores,
  call: Call,
  input: InvitationId & { renewed: Invitation },
): Promise<Invitation & WithAuditDetails> {
  const { caller, collaboration, invitation } = await requireInvitation(stores, call, input)
  const transition = findTransition(invitation, 'refresh', call.now)
  if ('refused' in transition) throw operationRefused(transition.refused)
  const { renewed } = input
  const audit = namedInLog(invitation.guestPortalUrl, collaboration)
  if (invitation.revision !== renewed.revision) return { ...invitation, audit }
  await changeInvitation(stores, call, caller, 'refresh', invitation, renewed)
  await notifyOfEnd(stores, call, { invitation: renewed, collaboration })
  return { ...renewed, audit }
}

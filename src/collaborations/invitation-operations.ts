import type { Caller } from '../directory/caller.ts'
import type { PortalKey } from '../directory/portal.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Call } from '../operations/call.ts'
import type { Page, Slice } from '../paging.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
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
import { type CollaborationId, requireHostedCollaboration } from './operations.ts'
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

/** An invitation that is not signed yet, and what to sign it with. */
export interface InvitationDraft {
  readonly invitation: UnsignedInvitation
  readonly request: InvitationRequest
  readonly key: PortalKey
}

/** First half of an invitation: everything but the signature, which is made outside the transaction. */
export async function draftInvitation(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId & { invitationId: string; hostUrl: string; wish: Parsed<InvitationProperties> },
): Promise<InvitationDraft> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const wish = unwrapParsed(input.wish)
  const known = await stores.collaborations.listWorkspaces(collaboration.collaborationId)
  const unknown = wish.workspaces.find(({ workspaceId }) => known.every((one) => one.workspaceId !== workspaceId))
  if (unknown) {
    throw operationRefused(
      `collaborationWorkspacesParticipantConfigJSON: the workspace ${unknown.workspaceId} does not exist.`,
    )
  }
  const invitation: UnsignedInvitation = {
    invitationId: input.invitationId,
    collaborationId: collaboration.collaborationId,
    hostPortalId: collaboration.hostPortalId,
    guestPortalId: undefined,
    guestPortalUrl: wish.guestPortalUrl,
    state: 'host_created',
    workspaces: wish.workspaces,
    fileName: formatFileName(wish.guestPortalUrl),
    revision: 1,
    createdAt: call.now,
    modifiedAt: call.now,
    expiresAt: expiresAt(call.now, wish.expiration),
  }
  return draft(stores, collaboration, invitation, input.hostUrl)
}

/** What is signed. A workspace that was deleted since the wish is left out, as it is when the response comes. */
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
    throw operationRefused('None of the workspaces that the invitation names exists any more.')
  }
  return { invitation, request, key }
}

/** Second half: the signed invitation becomes one of the collaboration's. */
export async function inviteParticipant(
  stores: CollaborationStores,
  call: Call,
  input: CollaborationId & { invitation: Invitation },
): Promise<void> {
  const { caller } = await requireHostedCollaboration(stores, call, input)
  await stores.collaborations.addInvitation(input.invitation, step(call, caller, 'create', undefined, input.invitation))
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
  /** Milliseconds in which the guest's response may still come; 0 where none may. */
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
 * Takes an invitation back: a later response to it does not import (description §4.4).
 * Again is success, and nothing is recorded again (chosen).
 */
export async function invalidateInvitation(
  stores: CollaborationStores,
  call: Call,
  input: InvitationId,
): Promise<void> {
  const { caller, invitation } = await requireInvitation(stores, call, input)
  const transition = findTransition(invitation, 'invalidate', call.now)
  if ('refused' in transition) throw operationRefused(transition.refused)
  if ('unchanged' in transition) return
  const invalidated: Invitation = { ...invitation, state: transition.to, modifiedAt: call.now }
  await changeInvitation(stores, call, caller, 'invalidate', invitation, invalidated)
}

/** Changes an invitation by compare-and-set, with a step in its history. */
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

/** First half of a refresh: the same invitation with a new time, to be signed outside the transaction. */
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
 * Second half: the new file takes the place of the old one, whose response no longer imports. If another request
 * refreshed the invitation since the draft, its file is the answer: no caller gets a file that does not count any more.
 */
export async function refreshInvitation(
  stores: CollaborationStores,
  call: Call,
  input: InvitationId & { renewed: Invitation },
): Promise<Invitation> {
  const { caller, invitation } = await requireInvitation(stores, call, input)
  const transition = findTransition(invitation, 'refresh', call.now)
  if ('refused' in transition) throw operationRefused(transition.refused)
  const { renewed } = input
  if (invitation.revision !== renewed.revision) return invitation
  await changeInvitation(stores, call, caller, 'refresh', invitation, renewed)
  return renewed
}

import type { WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import type { Collaboration, Participant, WorkspaceAccess } from './collaboration.ts'
import { invalidateInvitation } from './invitation-operations.ts'
import {
  type CollaborationId,
  namedInLog,
  requireHostedCollaboration,
  requireKnownCollaboration,
} from './operations.ts'
import { listKnownParticipants } from './participation.ts'
import type { CollaborationReaders, CollaborationStores } from './store.ts'

interface ParticipantId extends CollaborationId {
  readonly participantId: string
}

/** On the host's side all participants, on a guest's side the host and the guest. */
export async function listParticipants(
  stores: CollaborationReaders,
  call: Call,
  input: CollaborationId & { page: Parsed<Page> },
): Promise<Slice<Participant> & { readonly page: Page }> {
  const known = await requireKnownCollaboration(stores, call, input)
  const page = unwrapParsed(input.page)
  if (known.role === 'Host') {
    return { ...(await stores.collaborations.listParticipants(known.collaboration.collaborationId, page)), page }
  }
  const both = listKnownParticipants(known.participation, known.portal.name)
  const first = page.start - 1
  return { total: both.length, entries: both.slice(first, first + page.num), page }
}

export async function readParticipant(
  stores: CollaborationReaders,
  call: Call,
  input: ParticipantId,
): Promise<Participant> {
  const known = await requireKnownCollaboration(stores, call, input)
  const found =
    known.role === 'Host'
      ? await stores.collaborations.findParticipant(known.collaboration.collaborationId, input.participantId)
      : listKnownParticipants(known.participation, known.portal.name).find(
          ({ portalId }) => portalId === input.participantId,
        )
  if (!found) throw resourceNotFound()
  return found
}

/** A participant of a collaboration that the caller's portal hosts. */
async function requireParticipant(
  stores: CollaborationReaders,
  call: Call,
  input: ParticipantId,
): Promise<{ collaboration: Collaboration; participant: Participant }> {
  const { collaboration } = await requireHostedCollaboration(stores, call, input)
  const participant = await stores.collaborations.findParticipant(collaboration.collaborationId, input.participantId)
  if (!participant) throw resourceNotFound()
  return { collaboration, participant }
}

/** Removes a guest on the host's side and invalidates its open invitations, so that only a new one brings it back. */
export async function removeParticipant(
  stores: CollaborationStores,
  call: Call,
  input: ParticipantId,
): Promise<WithAuditDetails> {
  const { collaboration, participant } = await requireParticipant(stores, call, input)
  if (participant.role === 'Host') throw operationRefused(say('hostStays'))
  const { collaborations } = stores
  const { collaborationId } = collaboration
  await collaborations.removeParticipant(collaborationId, participant.portalId)
  for (const { invitationId } of await collaborations.listOpenInvitations(collaborationId, participant.portalUrl)) {
    await invalidateInvitation(stores, call, { portalId: input.portalId, collaborationId, invitationId })
  }
  return { audit: namedInLog(participant.portalName, collaboration) }
}

/** Sets the participant's access modes in the named workspaces; the others keep theirs. */
export async function updateParticipantAccessModes(
  stores: CollaborationStores,
  call: Call,
  input: ParticipantId & { access: Parsed<readonly WorkspaceAccess[]> },
): Promise<WithAuditDetails> {
  const { collaboration, participant } = await requireParticipant(stores, call, input)
  const { collaborations } = stores
  const { collaborationId } = collaboration
  const requested = unwrapParsed(input.access)
  const workspaces = await collaborations.listWorkspaces(collaborationId)
  const links = await collaborations.listGroupLinks(collaborationId, { portalId: participant.portalId })
  for (const { workspaceId, accessMode } of requested) {
    if (!workspaces.some((workspace) => workspace.workspaceId === workspaceId)) {
      throw operationRefused(`collaborationWorkspacesAccessJSON: ${say('workspaceUnknown', { workspaceId })}`)
    }
    const link = links.find((known) => known.workspaceId === workspaceId)
    const access = { workspaceId, accessMode, groupId: link?.groupId }
    await collaborations.putWorkspaceAccess(collaborationId, participant.portalId, access)
  }
  return { audit: namedInLog(participant.portalName, collaboration) }
}

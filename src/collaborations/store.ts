import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { Page, Slice } from '../paging.ts'
import type { Collaboration, Participant, Workspace, WorkspaceAccess } from './collaboration.ts'
import type { Invitation, InvitationEvent, InvitationState } from './invitation.ts'
import type { KnownAddress } from './known-address.ts'
import type { KnownKey } from './known-key.ts'
import type { Participation } from './participation.ts'

/** One step in the history of an invitation. */
export interface InvitationStep {
  readonly event: 'create' | InvitationEvent
  /** Undefined for the first step. */
  readonly from: InvitationState | undefined
  readonly to: InvitationState
  readonly username: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A change that is made only if the invitation is still as it was read. */
export interface InvitationChange {
  readonly from: Invitation
  readonly to: Invitation
  readonly step: InvitationStep
}

/** A participant's access mode and group in a workspace. */
export interface GroupLink extends WorkspaceAccess {
  readonly portalId: string
}

/** Filter and order of a list of invitations. */
export interface InvitationQuery {
  readonly status: InvitationState | undefined
  readonly sortField: InvitationSortField
  readonly sortOrder: 'asc' | 'desc'
}

export const invitationSortFields = ['created', 'modified', 'expiration', 'status', 'guestPortalUrl'] as const
export type InvitationSortField = (typeof invitationSortFields)[number]

/** Reading methods of the collaborations. */
export interface CollaborationReader {
  findCollaboration(collaborationId: string): Promise<Collaboration | undefined>
  /** Collaborations that the portal hosts or takes part in as a guest, newest first. */
  listCollaborations(portalId: string, page: Page): Promise<Slice<Collaboration>>

  /** Oldest first. */
  listWorkspaces(collaborationId: string): Promise<readonly Workspace[]>
  /** Access modes and groups, of one workspace or one participant if it is named, sorted by portal. */
  listGroupLinks(
    collaborationId: string,
    of?: { readonly workspaceId?: string; readonly portalId?: string },
  ): Promise<readonly GroupLink[]>

  findParticipant(collaborationId: string, portalId: string): Promise<Participant | undefined>
  /** The host, then the guests, oldest first. */
  listParticipants(collaborationId: string, page: Page): Promise<Slice<Participant>>

  findParticipation(portalId: string, collaborationId: string): Promise<Participation | undefined>
  /** The guest's participation in this collaboration of this host, under whatever id the guest has it. */
  findParticipationOf(
    portalId: string,
    hostPortalId: string,
    hostCollaborationId: string,
  ): Promise<Participation | undefined>

  findKnownKey(portalId: string, signerPortalId: string): Promise<KnownKey | undefined>
  /** Keys of the portals that the organization knows at this address, the longest known there first. */
  listKnownKeysAt(portalId: string, address: string): Promise<readonly KnownKey[]>

  findInvitation(invitationId: string): Promise<Invitation | undefined>
  listInvitations(collaborationId: string, query: InvitationQuery, page: Page): Promise<Slice<Invitation>>
  /** Number of invitations of all portals in each state; states without any are missing. */
  countInvitationsByState(): Promise<ReadonlyMap<InvitationState, number>>
  /** Invitations to this guest that are neither accepted nor invalidated. */
  listOpenInvitations(collaborationId: string, guestPortalUrl: string): Promise<readonly Invitation[]>
  /** Oldest first. */
  listSteps(invitationId: string): Promise<readonly InvitationStep[]>
}

/** The store of collaborations. */
export interface CollaborationStore extends CollaborationReader {
  addCollaboration(collaboration: Collaboration): Promise<void>
  updateCollaboration(collaboration: Collaboration): Promise<void>
  /** Removes it with its workspaces, participants and invitations, and the notifications of these. */
  removeCollaboration(collaborationId: string): Promise<void>

  addWorkspace(workspace: Workspace): Promise<void>
  updateWorkspace(workspace: Workspace): Promise<void>
  removeWorkspace(workspaceId: string): Promise<void>

  /** Adds a participant with its access in each workspace. */
  addParticipant(participant: Participant, access: readonly WorkspaceAccess[]): Promise<void>
  /** Removes a participant with its access. */
  removeParticipant(collaborationId: string, portalId: string): Promise<void>
  /** Replaces a participant's access in one workspace. */
  putWorkspaceAccess(collaborationId: string, portalId: string, access: WorkspaceAccess): Promise<void>

  /** Replaces the guest's participation in the same collaboration, if there is one. */
  putParticipation(participation: Participation): Promise<void>
  removeParticipation(portalId: string, collaborationId: string): Promise<void>

  /** Replaces the key by which the organization knew the signer. It outlives participations. */
  putKnownKey(key: KnownKey): Promise<void>
  /** Changes nothing if the signer is known there already. It outlives participations. */
  addKnownAddress(address: KnownAddress): Promise<void>

  /** Adds an invitation with the first step of its history. */
  addInvitation(invitation: Invitation, step: InvitationStep): Promise<void>
  /** Compare-and-set: throws if the invitation was changed since it was read, so of two conflicting changes one is made. */
  changeInvitation(change: InvitationChange): Promise<void>
}

/** The readers of this room's queries, and the stores of its changes. */
export interface CollaborationReaders extends DirectoryReaders {
  readonly collaborations: CollaborationReader
}
export interface CollaborationStores extends DirectoryStores {
  readonly collaborations: CollaborationStore
}

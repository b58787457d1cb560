import type { DirectoryReaders, DirectoryStores } from '../directory/store.ts'
import type { Page, Slice } from '../paging.ts'
import type { Collaboration, Participant, Workspace, WorkspaceAccess } from './collaboration.ts'
import type { Invitation, InvitationEvent, InvitationState } from './invitation.ts'
import type { Participation } from './participation.ts'

/** One step in the life of an invitation. */
export interface InvitationStep {
  readonly event: 'create' | InvitationEvent
  /** Undefined for the first step. */
  readonly from: InvitationState | undefined
  readonly to: InvitationState
  readonly username: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** A change of state; made only if the invitation is still as it was found. */
export interface InvitationChange {
  readonly from: Invitation
  readonly to: Invitation
  readonly step: InvitationStep
}

/** What a workspace is linked to. */
export interface GroupLink extends WorkspaceAccess {
  readonly portalId: string
}

/** Which invitations of a collaboration are listed, and in which order. */
export interface InvitationQuery {
  readonly status: InvitationState | undefined
  readonly sortField: InvitationSortField
  readonly sortOrder: 'asc' | 'desc'
}

export const invitationSortFields = ['created', 'modified', 'expiration', 'status', 'guestPortalUrl'] as const
export type InvitationSortField = (typeof invitationSortFields)[number]

/** What reads ask of collaborations. */
export interface CollaborationReader {
  findCollaboration(collaborationId: string): Promise<Collaboration | undefined>
  /** Those that the portal hosts, and those that it takes part in as a guest, newest first. */
  listCollaborations(portalId: string, page: Page): Promise<Slice<Collaboration>>

  /** In the order in which they were made. */
  listWorkspaces(collaborationId: string): Promise<readonly Workspace[]>
  /** What each participant does in the workspaces, by portal. */
  listGroupLinks(collaborationId: string): Promise<readonly GroupLink[]>

  findParticipant(collaborationId: string, portalId: string): Promise<Participant | undefined>
  /** The host first, then the guests in the order in which they came. */
  listParticipants(collaborationId: string, page: Page): Promise<Slice<Participant>>

  findParticipation(portalId: string, collaborationId: string): Promise<Participation | undefined>

  findInvitation(invitationId: string): Promise<Invitation | undefined>
  listInvitations(collaborationId: string, query: InvitationQuery, page: Page): Promise<Slice<Invitation>>
  /** How many there are in each state, of every portal; a state that none is in is left out. */
  countInvitationsByState(): Promise<ReadonlyMap<InvitationState, number>>
  /** Those to this guest that are neither accepted nor invalidated. */
  listOpenInvitations(collaborationId: string, guestPortalUrl: string): Promise<readonly Invitation[]>
  /** Oldest first. */
  listSteps(invitationId: string): Promise<readonly InvitationStep[]>
}

/** What collaborations need remembered. */
export interface CollaborationStore extends CollaborationReader {
  addCollaboration(collaboration: Collaboration): Promise<void>
  updateCollaboration(collaboration: Collaboration): Promise<void>
  /** With its workspaces, participants and invitations. */
  removeCollaboration(collaborationId: string): Promise<void>

  addWorkspace(workspace: Workspace): Promise<void>
  updateWorkspace(workspace: Workspace): Promise<void>
  removeWorkspace(workspaceId: string): Promise<void>

  /** A participant with what it does in each workspace. */
  addParticipant(participant: Participant, access: readonly WorkspaceAccess[]): Promise<void>
  /** With what it does in the workspaces. */
  removeParticipant(collaborationId: string, portalId: string): Promise<void>
  /** What a participant does in one workspace, in place of what it did there. */
  putWorkspaceAccess(collaborationId: string, portalId: string, access: WorkspaceAccess): Promise<void>

  /** In place of the one that the guest has in the same collaboration. */
  putParticipation(participation: Participation): Promise<void>
  removeParticipation(portalId: string, collaborationId: string): Promise<void>

  /** With the first step of its history. */
  addInvitation(invitation: Invitation, step: InvitationStep): Promise<void>
  /** Compare-and-set: throws if the invitation is not as it was found. Of two that conflict, one is never done. */
  changeInvitation(change: InvitationChange): Promise<void>
}

/** The stores of this room's reads, and those of its writes. */
export interface CollaborationReaders extends DirectoryReaders {
  readonly collaborations: CollaborationReader
}
export interface CollaborationStores extends DirectoryStores {
  readonly collaborations: CollaborationStore
}

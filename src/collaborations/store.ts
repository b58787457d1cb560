import type { Page, Slice } from '../paging.ts'
import type { Collaboration, Participant, Workspace, WorkspaceAccess } from './collaboration.ts'
import type { Invitation, InvitationEvent, InvitationState } from './invitation.ts'

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

/** What collaborations need remembered. */
export interface CollaborationStore {
  addCollaboration(collaboration: Collaboration): Promise<void>
  findCollaboration(collaborationId: string): Promise<Collaboration | undefined>
  /** Those that the portal hosts, newest first. */
  listCollaborations(portalId: string, page: Page): Promise<Slice<Collaboration>>

  addWorkspace(workspace: Workspace): Promise<void>
  /** In the order in which they were made. */
  listWorkspaces(collaborationId: string): Promise<readonly Workspace[]>
  /** What each participant does in the workspaces, by portal. */
  listGroupLinks(collaborationId: string): Promise<readonly GroupLink[]>

  /** A participant with what it does in each workspace. */
  addParticipant(participant: Participant, access: readonly WorkspaceAccess[]): Promise<void>
  listParticipants(collaborationId: string): Promise<readonly Participant[]>

  /** With the first step of its history. */
  addInvitation(invitation: Invitation, step: InvitationStep): Promise<void>
  findInvitation(invitationId: string): Promise<Invitation | undefined>
  /** Newest first. */
  listInvitations(collaborationId: string, page: Page): Promise<Slice<Invitation>>
  /** Compare-and-set: answers whether this call made the change. Two racing callers never both win. */
  changeInvitation(change: InvitationChange): Promise<boolean>
  /** Oldest first. */
  listSteps(invitationId: string): Promise<readonly InvitationStep[]>
}

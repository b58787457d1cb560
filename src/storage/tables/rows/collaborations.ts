import type {
  collaborationFields,
  contactFields,
  participantFields,
  workspaceAccessFields,
  workspaceFields,
} from '../../../collaborations/collaboration.ts'
import type { invitationFields } from '../../../collaborations/invitation.ts'
import type { knownAddressFields } from '../../../collaborations/known-address.ts'
import type { knownKeyFields } from '../../../collaborations/known-key.ts'
import type { participationFields, participationWorkspaceFields } from '../../../collaborations/participation.ts'
import type { RowOf } from '../../../record.ts'

interface CollaborationRow extends RowOf<typeof collaborationFields>, RowOf<typeof contactFields, 'contact_'> {}

interface ParticipantRow extends RowOf<typeof participantFields>, RowOf<typeof contactFields, 'contact_'> {}

interface ParticipantWorkspaceRow extends RowOf<typeof workspaceAccessFields> {
  collaboration_id: string
  portal_id: string
}

interface InvitationStepRow {
  invitation_id: string
  /** From 1. */
  step: number
  event: string
  from_state: string | null
  to_state: string
  username: string
  happened_at: number
}

/** A collaboration of another portal, as stored by its guest. */
interface ParticipationRow
  extends RowOf<typeof participationFields>,
    RowOf<typeof contactFields, 'host_'>,
    RowOf<typeof contactFields, 'guest_'> {}

interface ParticipationWorkspaceRow extends RowOf<typeof participationWorkspaceFields> {
  portal_id: string
  collaboration_id: string
  /** Order in the invitation, from 0. */
  position: number
}

export interface CollaborationTables {
  collaborations: CollaborationRow
  workspaces: RowOf<typeof workspaceFields>
  participants: ParticipantRow
  participant_workspaces: ParticipantWorkspaceRow
  invitations: RowOf<typeof invitationFields>
  invitation_steps: InvitationStepRow
  participations: ParticipationRow
  participation_workspaces: ParticipationWorkspaceRow
  known_keys: RowOf<typeof knownKeyFields>
  known_addresses: RowOf<typeof knownAddressFields>
}

export interface CollaborationRow {
  collaboration_id: string
  host_portal_id: string
  name: string
  description: string
  contact_first_name: string
  contact_last_name: string
  contact_email: string
  config: string
  created_at: number
  modified_at: number
}

export interface WorkspaceRow {
  workspace_id: string
  collaboration_id: string
  name: string
  description: string
  created_at: number
  modified_at: number
}

export interface ParticipantRow {
  collaboration_id: string
  portal_id: string
  portal_name: string
  portal_url: string
  role: string
  contact_first_name: string
  contact_last_name: string
  contact_email: string
  created_at: number
  modified_at: number
}

export interface ParticipantWorkspaceRow {
  collaboration_id: string
  portal_id: string
  workspace_id: string
  access_mode: string
  group_id: string | null
}

export interface InvitationRow {
  invitation_id: string
  collaboration_id: string
  host_portal_id: string
  guest_portal_id: string | null
  guest_portal_url: string
  state: string
  /** JSON array of workspace ids with access modes. */
  workspaces: string
  file: string
  /** SHA-256 of the file, in lower-case hex. */
  digest: string
  file_name: string
  /** Number of changes, compared by compare-and-set. */
  revision: number
  created_at: number
  modified_at: number
  expires_at: number
}

export interface InvitationStepRow {
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
export interface ParticipationRow {
  portal_id: string
  /** The id on this server, mostly the host's own. */
  collaboration_id: string
  host_collaboration_id: string
  name: string
  description: string
  host_portal_id: string
  host_portal_name: string
  host_portal_url: string
  host_first_name: string
  host_last_name: string
  host_email: string
  host_fingerprint: string
  guest_first_name: string
  guest_last_name: string
  guest_email: string
  guest_portal_url: string
  invitation_id: string
  invitation_digest: string
  created_at: number
  modified_at: number
}

export interface ParticipationWorkspaceRow {
  portal_id: string
  collaboration_id: string
  workspace_id: string
  /** Order in the invitation, from 0. */
  position: number
  name: string
  description: string
  access_mode: string
  group_id: string | null
}

/** The key by which an organization knows another portal. */
export interface KnownKeyRow {
  portal_id: string
  signer_portal_id: string
  fingerprint: string
  known_since: number
}

/** An address of another portal that an organization knows. */
export interface KnownAddressRow {
  portal_id: string
  address: string
  signer_portal_id: string
  known_since: number
}

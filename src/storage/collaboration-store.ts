import type { Kysely } from 'kysely'
import type {
  AccessMode,
  Collaboration,
  Participant,
  ParticipantRole,
  Workspace,
} from '../collaborations/collaboration.ts'
import type { CollaborationStore } from '../collaborations/store.ts'
import { invitationStore } from './invitation-store.ts'
import type { CollaborationRow, ParticipantRow, Rows, WorkspaceRow } from './rows.ts'
import { count, window } from './select.ts'

export function collaborationStore(db: Kysely<Rows>): CollaborationStore {
  return {
    ...invitationStore(db),
    async addCollaboration(collaboration) {
      await db.insertInto('collaborations').values(fromCollaboration(collaboration)).execute()
    },
    async findCollaboration(collaborationId) {
      const row = await db
        .selectFrom('collaborations')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .executeTakeFirst()
      return row && toCollaboration(row)
    },
    async listCollaborations(portalId, page) {
      const hosted = db.selectFrom('collaborations').where('host_portal_id', '=', portalId)
      const rows = await window(
        hosted.selectAll().orderBy('created_at', 'desc').orderBy('collaboration_id'),
        page,
      ).execute()
      return { total: await count(hosted), entries: rows.map(toCollaboration) }
    },
    async addWorkspace(workspace) {
      await db.insertInto('workspaces').values(fromWorkspace(workspace)).execute()
    },
    async listWorkspaces(collaborationId) {
      const rows = await db
        .selectFrom('workspaces')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .orderBy('created_at')
        .orderBy('workspace_id')
        .execute()
      return rows.map(toWorkspace)
    },
    async listGroupLinks(collaborationId) {
      const rows = await db
        .selectFrom('participant_workspaces')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .orderBy('portal_id')
        .execute()
      return rows.map((row) => ({
        portalId: row.portal_id,
        workspaceId: row.workspace_id,
        accessMode: row.access_mode as AccessMode,
        groupId: row.group_id ?? undefined,
      }))
    },
    async addParticipant(participant, access) {
      await db.insertInto('participants').values(fromParticipant(participant)).execute()
      const { collaborationId, portalId } = participant
      for (const { workspaceId, accessMode, groupId } of access) {
        await db
          .insertInto('participant_workspaces')
          .values({
            collaboration_id: collaborationId,
            portal_id: portalId,
            workspace_id: workspaceId,
            access_mode: accessMode,
            group_id: groupId ?? null,
          })
          .execute()
      }
    },
    async listParticipants(collaborationId) {
      const rows = await db
        .selectFrom('participants')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .orderBy('created_at')
        .orderBy('portal_id')
        .execute()
      return rows.map(toParticipant)
    },
  }
}

function toCollaboration(row: CollaborationRow): Collaboration {
  return {
    collaborationId: row.collaboration_id,
    hostPortalId: row.host_portal_id,
    name: row.name,
    description: row.description,
    hostContact: { firstName: row.contact_first_name, lastName: row.contact_last_name, email: row.contact_email },
    config: row.config,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function fromCollaboration(collaboration: Collaboration): CollaborationRow {
  return {
    collaboration_id: collaboration.collaborationId,
    host_portal_id: collaboration.hostPortalId,
    name: collaboration.name,
    description: collaboration.description,
    contact_first_name: collaboration.hostContact.firstName,
    contact_last_name: collaboration.hostContact.lastName,
    contact_email: collaboration.hostContact.email,
    config: collaboration.config,
    created_at: collaboration.createdAt,
    modified_at: collaboration.modifiedAt,
  }
}

function toWorkspace(row: WorkspaceRow): Workspace {
  return {
    workspaceId: row.workspace_id,
    collaborationId: row.collaboration_id,
    name: row.name,
    description: row.description,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function fromWorkspace(workspace: Workspace): WorkspaceRow {
  return {
    workspace_id: workspace.workspaceId,
    collaboration_id: workspace.collaborationId,
    name: workspace.name,
    description: workspace.description,
    created_at: workspace.createdAt,
    modified_at: workspace.modifiedAt,
  }
}

function toParticipant(row: ParticipantRow): Participant {
  return {
    collaborationId: row.collaboration_id,
    portalId: row.portal_id,
    portalName: row.portal_name,
    portalUrl: row.portal_url,
    role: row.role as ParticipantRole,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function fromParticipant(participant: Participant): ParticipantRow {
  return {
    collaboration_id: participant.collaborationId,
    portal_id: participant.portalId,
    portal_name: participant.portalName,
    portal_url: participant.portalUrl,
    role: participant.role,
    created_at: participant.createdAt,
    modified_at: participant.modifiedAt,
  }
}

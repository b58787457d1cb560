import { type Kysely, sql } from 'kysely'
import type {
  AccessMode,
  Collaboration,
  Participant,
  ParticipantRole,
  Workspace,
  WorkspaceAccess,
} from '../../collaborations/collaboration.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { CollaborationRow, ParticipantRow, WorkspaceRow } from '../tables/rows/collaborations.ts'
import type { Rows } from '../tables/rows.ts'
import { invitationStore } from './invitation-store.ts'
import { participationStore } from './participation-store.ts'
import { count, paginate } from './select.ts'

export function collaborationStore(db: Kysely<Rows>): CollaborationStore {
  async function putAccess(collaborationId: string, portalId: string, access: WorkspaceAccess): Promise<void> {
    const changed = { access_mode: access.accessMode, group_id: access.groupId ?? null }
    await db
      .insertInto('participant_workspaces')
      .values({
        collaboration_id: collaborationId,
        portal_id: portalId,
        workspace_id: access.workspaceId,
        ...changed,
      })
      .onConflict((conflict) =>
        conflict.columns(['collaboration_id', 'portal_id', 'workspace_id']).doUpdateSet(changed),
      )
      .execute()
  }

  return {
    ...invitationStore(db),
    ...participationStore(db),
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
    async updateCollaboration(collaboration) {
      await db
        .updateTable('collaborations')
        .set(fromCollaboration(collaboration))
        .where('collaboration_id', '=', collaboration.collaborationId)
        .execute()
    },
    async removeCollaboration(collaborationId) {
      await db.deleteFrom('collaborations').where('collaboration_id', '=', collaborationId).execute()
    },
    async listCollaborations(portalId, page) {
      const hosted = db.selectFrom('collaborations').where('host_portal_id', '=', portalId)
      const joined = db.selectFrom('participations').where('portal_id', '=', portalId)
      const rows = await hosted
        .selectAll()
        .unionAll(joined.select(asHosted))
        .orderBy('created_at', 'desc')
        .orderBy('collaboration_id')
        .limit(page.num)
        .offset(page.start - 1)
        .execute()
      return { total: (await count(hosted)) + (await count(joined)), entries: rows.map(toCollaboration) }
    },
    async addWorkspace(workspace) {
      await db.insertInto('workspaces').values(fromWorkspace(workspace)).execute()
    },
    async updateWorkspace(workspace) {
      await db
        .updateTable('workspaces')
        .set(fromWorkspace(workspace))
        .where('workspace_id', '=', workspace.workspaceId)
        .execute()
    },
    async removeWorkspace(workspaceId) {
      await db.deleteFrom('workspaces').where('workspace_id', '=', workspaceId).execute()
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
    async listGroupLinks(collaborationId, { workspaceId, portalId } = {}) {
      const rows = await db
        .selectFrom('participant_workspaces')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .$if(workspaceId !== undefined, (all) => all.where('workspace_id', '=', workspaceId!))
        .$if(portalId !== undefined, (all) => all.where('portal_id', '=', portalId!))
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
      for (const entry of access) await putAccess(participant.collaborationId, participant.portalId, entry)
    },
    async removeParticipant(collaborationId, portalId) {
      await db
        .deleteFrom('participants')
        .where('collaboration_id', '=', collaborationId)
        .where('portal_id', '=', portalId)
        .execute()
    },
    putWorkspaceAccess: putAccess,
    async findParticipant(collaborationId, portalId) {
      const row = await db
        .selectFrom('participants')
        .selectAll()
        .where('collaboration_id', '=', collaborationId)
        .where('portal_id', '=', portalId)
        .executeTakeFirst()
      return row && toParticipant(row)
    },
    async listParticipants(collaborationId, page) {
      const all = db.selectFrom('participants').where('collaboration_id', '=', collaborationId)
      const inOrder = all.selectAll().orderBy('role', 'desc').orderBy('created_at').orderBy('portal_id')
      const rows = await paginate(inOrder, page).execute()
      return { total: await count(all), entries: rows.map(toParticipant) }
    },
  }
}

/** Columns of `participations` as those of `collaborations`, in the same order. */
const asHosted = [
  'collaboration_id',
  'host_portal_id',
  'name',
  'description',
  'host_first_name as contact_first_name',
  'host_last_name as contact_last_name',
  'host_email as contact_email',
  sql<string>`'{}'`.as('config'),
  'created_at',
  'modified_at',
] as const

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
    contact: { firstName: row.contact_first_name, lastName: row.contact_last_name, email: row.contact_email },
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
    contact_first_name: participant.contact.firstName,
    contact_last_name: participant.contact.lastName,
    contact_email: participant.contact.email,
    created_at: participant.createdAt,
    modified_at: participant.modifiedAt,
  }
}

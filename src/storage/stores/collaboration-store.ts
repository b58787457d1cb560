import { type Kysely, sql } from 'kysely'
import {
  type Collaboration,
  collaborationFields,
  contactFields,
  type Participant,
  participantFields,
  type WorkspaceAccess,
  workspaceAccessFields,
  workspaceFields,
} from '../../collaborations/collaboration.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { Rows } from '../tables/rows.ts'
import { invitationStore } from './invitation-store.ts'
import { mapper } from './mapper.ts'
import { participationStore } from './participation-store.ts'
import { count, findRow, paginate } from './select.ts'

export function collaborationStore(db: Kysely<Rows>): CollaborationStore {
  async function putAccess(collaborationId: string, portalId: string, access: WorkspaceAccess): Promise<void> {
    const row = { collaboration_id: collaborationId, portal_id: portalId, ...accesses.toRow(access) }
    const { access_mode, group_id } = row
    await db
      .insertInto('participant_workspaces')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['collaboration_id', 'portal_id', 'workspace_id']).doUpdateSet({ access_mode, group_id }),
      )
      .execute()
  }

  return {
    ...invitationStore(db),
    ...participationStore(db),
    async addCollaboration(collaboration) {
      await db.insertInto('collaborations').values(fromCollaboration(collaboration)).execute()
    },
    findCollaboration: (id) => findRow(db, 'collaborations', { collaboration_id: id }, toCollaboration),
    async updateCollaboration(collaboration) {
      await db
        .updateTable('collaborations')
        .set(fromCollaboration(collaboration))
        .where('collaboration_id', '=', collaboration.collaborationId)
        .execute()
    },
    async removeCollaboration(collaborationId) {
      const invitations = db.selectFrom('invitations').where('collaboration_id', '=', collaborationId)
      await db.deleteFrom('notifications').where('notification_id', 'in', invitations.select('invitation_id')).execute()
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
      await db.insertInto('workspaces').values(workspaces.toRow(workspace)).execute()
    },
    async updateWorkspace(workspace) {
      await db
        .updateTable('workspaces')
        .set(workspaces.toRow(workspace))
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
      return rows.map(workspaces.toRecord)
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
      return rows.map((row) => ({ portalId: row.portal_id, ...accesses.toRecord(row) }))
    },
    async addParticipant(participant, access) {
      const row = { ...participants.toRow(participant), ...contacts.toRow(participant.contact) }
      await db.insertInto('participants').values(row).execute()
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
    findParticipant: (collaborationId, portalId) =>
      findRow(db, 'participants', { collaboration_id: collaborationId, portal_id: portalId }, toParticipant),
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

const collaborations = mapper(collaborationFields)
const contacts = mapper(contactFields, 'contact_')
const workspaces = mapper(workspaceFields)
const accesses = mapper(workspaceAccessFields)
const participants = mapper(participantFields)

function toCollaboration(row: Rows['collaborations']): Collaboration {
  return { ...collaborations.toRecord(row), hostContact: contacts.toRecord(row) }
}

function fromCollaboration(collaboration: Collaboration): Rows['collaborations'] {
  return { ...collaborations.toRow(collaboration), ...contacts.toRow(collaboration.hostContact) }
}

function toParticipant(row: Rows['participants']): Participant {
  return { ...participants.toRecord(row), contact: contacts.toRecord(row) }
}

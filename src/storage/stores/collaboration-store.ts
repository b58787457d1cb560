import { type Kysely, sql } from 'kysely'
import type {
  AccessMode,
  Collaboration,
  Contact,
  Participant,
  Workspace,
  WorkspaceAccess,
} from '../../collaborations/collaboration.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { CollaborationRow, ParticipantRow, WorkspaceRow } from '../tables/rows/collaborations.ts'
import type { Rows } from '../tables/rows.ts'
import { decode } from './decode.ts'
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

type ContactColumns = Pick<CollaborationRow, 'contact_first_name' | 'contact_last_name' | 'contact_email'>

const contact = decode<ContactColumns, Contact>()({
  firstName: 'contact_first_name',
  lastName: 'contact_last_name',
  email: 'contact_email',
})

const { toValue: toCollaboration, toRow: fromCollaboration } = decode<CollaborationRow, Collaboration>()({
  collaborationId: 'collaboration_id',
  hostPortalId: 'host_portal_id',
  name: 'name',
  description: 'description',
  hostContact: contact,
  config: 'config',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

const { toValue: toWorkspace, toRow: fromWorkspace } = decode<WorkspaceRow, Workspace>()({
  workspaceId: 'workspace_id',
  collaborationId: 'collaboration_id',
  name: 'name',
  description: 'description',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

const { toValue: toParticipant, toRow: fromParticipant } = decode<ParticipantRow, Participant>()({
  collaborationId: 'collaboration_id',
  portalId: 'portal_id',
  portalName: 'portal_name',
  portalUrl: 'portal_url',
  role: 'role',
  contact,
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

import type { Kysely } from 'kysely'
import type { AccessMode } from '../../collaborations/collaboration.ts'
import type { KnownKey } from '../../collaborations/known-key.ts'
import type { Participation } from '../../collaborations/participation.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { KnownKeyRow, ParticipationRow, ParticipationWorkspaceRow } from '../tables/rows/collaborations.ts'
import type { Rows } from '../tables/rows.ts'

type Participations =
  | 'findParticipation'
  | 'findParticipationOf'
  | 'putParticipation'
  | 'removeParticipation'
  | 'findKnownKey'
  | 'listKnownKeysAt'
  | 'putKnownKey'
  | 'addKnownAddress'

/** Collaborations of other portals, as stored by their guests, and the keys by which other portals are known. */
export function participationStore(db: Kysely<Rows>): Pick<CollaborationStore, Participations> {
  const remove = (portalId: string, collaborationId: string) =>
    db
      .deleteFrom('participations')
      .where('portal_id', '=', portalId)
      .where('collaboration_id', '=', collaborationId)
      .execute()
  const withWorkspaces = async (row: ParticipationRow | undefined): Promise<Participation | undefined> => {
    if (!row) return undefined
    const workspaces = await db
      .selectFrom('participation_workspaces')
      .selectAll()
      .where('portal_id', '=', row.portal_id)
      .where('collaboration_id', '=', row.collaboration_id)
      .orderBy('position')
      .execute()
    return toParticipation(row, workspaces)
  }
  return {
    async findParticipation(portalId, collaborationId) {
      const row = await db
        .selectFrom('participations')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where('collaboration_id', '=', collaborationId)
        .executeTakeFirst()
      return withWorkspaces(row)
    },
    async findParticipationOf(portalId, hostPortalId, hostCollaborationId) {
      const row = await db
        .selectFrom('participations')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where('host_portal_id', '=', hostPortalId)
        .where('host_collaboration_id', '=', hostCollaborationId)
        .executeTakeFirst()
      return withWorkspaces(row)
    },
    async putParticipation(participation) {
      const { portalId, collaborationId, workspaces } = participation
      await remove(portalId, collaborationId)
      await db.insertInto('participations').values(toRow(participation)).execute()
      for (const [position, workspace] of workspaces.entries()) {
        await db
          .insertInto('participation_workspaces')
          .values({
            portal_id: portalId,
            collaboration_id: collaborationId,
            workspace_id: workspace.workspaceId,
            position,
            name: workspace.name,
            description: workspace.description,
            access_mode: workspace.accessMode,
            group_id: workspace.groupId ?? null,
          })
          .execute()
      }
    },
    async removeParticipation(portalId, collaborationId) {
      await remove(portalId, collaborationId)
    },
    async findKnownKey(portalId, signerPortalId) {
      const row = await db
        .selectFrom('known_keys')
        .selectAll()
        .where('portal_id', '=', portalId)
        .where('signer_portal_id', '=', signerPortalId)
        .executeTakeFirst()
      return row && toKnownKey(row)
    },
    async listKnownKeysAt(portalId, address) {
      const rows = await db
        .selectFrom('known_addresses as place')
        .innerJoin('known_keys as key', (join) =>
          join
            .onRef('key.portal_id', '=', 'place.portal_id')
            .onRef('key.signer_portal_id', '=', 'place.signer_portal_id'),
        )
        .selectAll('key')
        .where('place.portal_id', '=', portalId)
        .where('place.address', '=', address)
        .orderBy('place.known_since')
        .orderBy('place.signer_portal_id')
        .execute()
      return rows.map(toKnownKey)
    },
    async putKnownKey({ portalId, signerPortalId, fingerprint, knownSince }) {
      const changed = { fingerprint, known_since: knownSince }
      await db
        .insertInto('known_keys')
        .values({ portal_id: portalId, signer_portal_id: signerPortalId, ...changed })
        .onConflict((conflict) => conflict.columns(['portal_id', 'signer_portal_id']).doUpdateSet(changed))
        .execute()
    },
    async addKnownAddress({ portalId, signerPortalId, address, knownSince }) {
      await db
        .insertInto('known_addresses')
        .values({ portal_id: portalId, signer_portal_id: signerPortalId, address, known_since: knownSince })
        .onConflict((conflict) => conflict.columns(['portal_id', 'address', 'signer_portal_id']).doNothing())
        .execute()
    },
  }
}

function toKnownKey(row: KnownKeyRow): KnownKey {
  return {
    portalId: row.portal_id,
    signerPortalId: row.signer_portal_id,
    fingerprint: row.fingerprint,
    knownSince: row.known_since,
  }
}

function toParticipation(row: ParticipationRow, workspaces: readonly ParticipationWorkspaceRow[]): Participation {
  return {
    portalId: row.portal_id,
    collaborationId: row.collaboration_id,
    hostCollaborationId: row.host_collaboration_id,
    name: row.name,
    description: row.description,
    hostPortalId: row.host_portal_id,
    hostPortalName: row.host_portal_name,
    hostPortalUrl: row.host_portal_url,
    hostContact: { firstName: row.host_first_name, lastName: row.host_last_name, email: row.host_email },
    hostFingerprint: row.host_fingerprint,
    guestContact: { firstName: row.guest_first_name, lastName: row.guest_last_name, email: row.guest_email },
    guestPortalUrl: row.guest_portal_url,
    invitationId: row.invitation_id,
    invitationDigest: row.invitation_digest,
    workspaces: workspaces.map(({ workspace_id, name, description, access_mode, group_id }) => ({
      workspaceId: workspace_id,
      name,
      description,
      accessMode: access_mode as AccessMode,
      groupId: group_id ?? undefined,
    })),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

function toRow(participation: Participation): ParticipationRow {
  const { hostContact, guestContact } = participation
  return {
    portal_id: participation.portalId,
    collaboration_id: participation.collaborationId,
    host_collaboration_id: participation.hostCollaborationId,
    name: participation.name,
    description: participation.description,
    host_portal_id: participation.hostPortalId,
    host_portal_name: participation.hostPortalName,
    host_portal_url: participation.hostPortalUrl,
    host_first_name: hostContact.firstName,
    host_last_name: hostContact.lastName,
    host_email: hostContact.email,
    host_fingerprint: participation.hostFingerprint,
    guest_first_name: guestContact.firstName,
    guest_last_name: guestContact.lastName,
    guest_email: guestContact.email,
    guest_portal_url: participation.guestPortalUrl,
    invitation_id: participation.invitationId,
    invitation_digest: participation.invitationDigest,
    created_at: participation.createdAt,
    modified_at: participation.modifiedAt,
  }
}

import type { Kysely } from 'kysely'
import type { Contact } from '../../collaborations/collaboration.ts'
import type { KnownKey } from '../../collaborations/known-key.ts'
import type { Participation, ParticipationWorkspace } from '../../collaborations/participation.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { KnownKeyRow, ParticipationRow, ParticipationWorkspaceRow } from '../tables/rows/collaborations.ts'
import type { Rows } from '../tables/rows.ts'
import { decode, optional } from './decode.ts'

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
    return { ...toParticipation(row), workspaces: workspaces.map(toWorkspace) }
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

const { toValue: toKnownKey } = decode<KnownKeyRow, KnownKey>()({
  portalId: 'portal_id',
  signerPortalId: 'signer_portal_id',
  fingerprint: 'fingerprint',
  knownSince: 'known_since',
})

const { toValue: toParticipation, toRow } = decode<ParticipationRow, Omit<Participation, 'workspaces'>>()({
  portalId: 'portal_id',
  collaborationId: 'collaboration_id',
  hostCollaborationId: 'host_collaboration_id',
  name: 'name',
  description: 'description',
  hostPortalId: 'host_portal_id',
  hostPortalName: 'host_portal_name',
  hostPortalUrl: 'host_portal_url',
  hostContact: decode<Pick<ParticipationRow, 'host_first_name' | 'host_last_name' | 'host_email'>, Contact>()({
    firstName: 'host_first_name',
    lastName: 'host_last_name',
    email: 'host_email',
  }),
  hostFingerprint: 'host_fingerprint',
  guestContact: decode<Pick<ParticipationRow, 'guest_first_name' | 'guest_last_name' | 'guest_email'>, Contact>()({
    firstName: 'guest_first_name',
    lastName: 'guest_last_name',
    email: 'guest_email',
  }),
  guestPortalUrl: 'guest_portal_url',
  invitationId: 'invitation_id',
  invitationDigest: 'invitation_digest',
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
})

const { toValue: toWorkspace } = decode<
  Omit<ParticipationWorkspaceRow, 'portal_id' | 'collaboration_id' | 'position'>,
  ParticipationWorkspace
>()({
  workspaceId: 'workspace_id',
  name: 'name',
  description: 'description',
  accessMode: 'access_mode',
  groupId: optional('group_id'),
})

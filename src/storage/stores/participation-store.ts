import type { Kysely } from 'kysely'
import { contactFields } from '../../collaborations/collaboration.ts'
import { knownAddressFields } from '../../collaborations/known-address.ts'
import { knownKeyFields } from '../../collaborations/known-key.ts'
import {
  type Participation,
  participationFields,
  participationWorkspaceFields,
} from '../../collaborations/participation.ts'
import type { CollaborationStore } from '../../collaborations/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { findRow } from './select.ts'

type ParticipationRow = Rows['participations']

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
  const withWorkspaces = async (row: ParticipationRow): Promise<Participation> => {
    const workspaces = await db
      .selectFrom('participation_workspaces')
      .selectAll()
      .where('portal_id', '=', row.portal_id)
      .where('collaboration_id', '=', row.collaboration_id)
      .orderBy('position')
      .execute()
    return {
      ...participations.toRecord(row),
      hostContact: hosts.toRecord(row),
      guestContact: guests.toRecord(row),
      workspaces: workspaces.map(linkedWorkspaces.toRecord),
    }
  }
  return {
    findParticipation(portalId, collaborationId) {
      const key = { portal_id: portalId, collaboration_id: collaborationId }
      return findRow(db, 'participations', key, withWorkspaces)
    },
    findParticipationOf(portalId, hostPortalId, id) {
      const key = { portal_id: portalId, host_portal_id: hostPortalId, host_collaboration_id: id }
      return findRow(db, 'participations', key, withWorkspaces)
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
            position,
            ...linkedWorkspaces.toRow(workspace),
          })
          .execute()
      }
    },
    async removeParticipation(portalId, collaborationId) {
      await remove(portalId, collaborationId)
    },
    findKnownKey: (portalId, signer) =>
      findRow(db, 'known_keys', { portal_id: portalId, signer_portal_id: signer }, knownKeys.toRecord),
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
      return rows.map(knownKeys.toRecord)
    },
    async putKnownKey(key) {
      const row = knownKeys.toRow(key)
      const { fingerprint, known_since } = row
      await db
        .insertInto('known_keys')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['portal_id', 'signer_portal_id']).doUpdateSet({ fingerprint, known_since }),
        )
        .execute()
    },
    async addKnownAddress(address) {
      await db
        .insertInto('known_addresses')
        .values(knownAddresses.toRow(address))
        .onConflict((conflict) => conflict.columns(['portal_id', 'address', 'signer_portal_id']).doNothing())
        .execute()
    },
  }
}

const knownAddresses = mapper(knownAddressFields)
const knownKeys = mapper(knownKeyFields)
const participations = mapper(participationFields)
const hosts = mapper(contactFields, 'host_')
const guests = mapper(contactFields, 'guest_')
const linkedWorkspaces = mapper(participationWorkspaceFields)

function toRow(participation: Participation): ParticipationRow {
  return {
    ...participations.toRow(participation),
    ...hosts.toRow(participation.hostContact),
    ...guests.toRow(participation.guestContact),
  }
}

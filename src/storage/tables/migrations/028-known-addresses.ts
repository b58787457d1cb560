import { type Kysely, sql } from 'kysely'
import { cascade, clustered, table } from './create-table.ts'

/**
 * The addresses at which organizations know other portals: those of participations and of guests, where the key of the portal
 * is known as well. The URLs were brought into one form before they were stored; what is left is their scheme and case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await clustered(
    db,
    table(db, 'known_addresses', {
      portal_id: 'text',
      address: 'text',
      signer_portal_id: 'text',
      known_since: 'bigint',
    })
      .addPrimaryKeyConstraint('known_addresses_pk', ['portal_id', 'address', 'signer_portal_id'])
      .addForeignKeyConstraint(
        'known_addresses_key',
        ['portal_id', 'signer_portal_id'],
        'known_keys',
        ['portal_id', 'signer_portal_id'],
        cascade,
      ),
  ).execute()
  await sql`insert into known_addresses (portal_id, address, signer_portal_id, known_since)
    select place.portal_id, lower(replace(replace(place.url, 'https://', ''), 'http://', '')),
      place.signer_portal_id, min(place.known_since)
    from (
      select portal_id, host_portal_url as url, host_portal_id as signer_portal_id, created_at as known_since
        from participations
      union all
      select collaborations.host_portal_id, participants.portal_url, participants.portal_id, participants.created_at
        from participants join collaborations on collaborations.collaboration_id = participants.collaboration_id
        where participants.role = 'Guest'
    ) as place
    join known_keys on known_keys.portal_id = place.portal_id
      and known_keys.signer_portal_id = place.signer_portal_id
    group by 1, 2, 3`.execute(db)
}

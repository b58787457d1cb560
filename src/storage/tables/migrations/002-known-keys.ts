import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** The keys by which organizations know other portals, and the host's own id of a collaboration at its guest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  // Texts are compared by their bytes, as in the other tables.
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : ('text' as const)

  await schema
    .createTable('known_keys')
    .addColumn('portal_id', text, (column) => column.notNull())
    .addColumn('signer_portal_id', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('known_since', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_keys_pk', ['portal_id', 'signer_portal_id'])
    .addForeignKeyConstraint('known_keys_portal', ['portal_id'], 'portals', ['portal_id'])
    .execute()
  // The oldest key, where a host was accepted under several: a later one was accepted without a comparison with it.
  await sql`insert into known_keys (portal_id, signer_portal_id, fingerprint, known_since)
    select portal_id, host_portal_id, host_fingerprint, created_at from participations as one
    where not exists (select 1 from participations as earlier
      where earlier.portal_id = one.portal_id and earlier.host_portal_id = one.host_portal_id
      and (earlier.created_at, earlier.collaboration_id) < (one.created_at, one.collaboration_id))`.execute(db)

  await schema
    .alterTable('participations')
    .addColumn('host_collaboration_id', text, (column) => column.notNull().defaultTo(''))
    .execute()
  await sql`update participations set host_collaboration_id = collaboration_id`.execute(db)
  await schema
    .createIndex('participations_by_host')
    .unique()
    .on('participations')
    .columns(['portal_id', 'host_portal_id', 'host_collaboration_id'])
    .execute()
}

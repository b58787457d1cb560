import { type Kysely, sql } from 'kysely'

/** Bytes of items are counted for their owners and organizations, as their number is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  // Changes that are not yet summed up have no bytes.
  await sql`insert into item_counts (owner_kind, owner_id, items)
    select 'user', owner_id, sum(items) from item_count_changes where true group by owner_id
    on conflict (owner_kind, owner_id) do update set items = item_counts.items + excluded.items`.execute(db)
  await sql`delete from item_count_changes`.execute(db)
  for (const name of ['items', 'item_counts', 'item_count_changes']) {
    await schema
      .alterTable(name)
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  }
  const sum = (...texts: readonly string[]) => sql.raw(texts.map((text) => `octet_length(${text})`).join(' + '))
  const searched = sum(
    ...['title', 'type', 'snippet', 'description', 'access_information', 'license_info', 'type_keywords', 'tags'],
  )
  const others = sum('documentation', 'culture', 'spatial_reference', 'url', "coalesce(properties, '')")
  await sql`update items set bytes = 1024 + size + ${others} + 5 * (${searched})`.execute(db)
  for (const kind of ['user', 'portal']) {
    const owner = sql.ref(kind === 'user' ? 'owner_id' : 'portal_id')
    await sql`update item_counts set bytes = coalesce(
      (select sum(items.bytes) from items where items.${owner} = item_counts.owner_id), 0)
      where owner_kind = ${sql.lit(kind)}`.execute(db)
  }
  await schema.createIndex('item_counts_by_bytes').on('item_counts').columns(['owner_kind', 'bytes']).execute()
}

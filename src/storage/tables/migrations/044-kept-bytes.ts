import { type Kysely, sql } from 'kysely'
import { bytesOf, keptRows } from '../rows/kept-bytes.ts'
import { isPostgres } from './create-table.ts'

/**
 * Bytes of versions, drafts and jobs count for the same accounts as items, by triggers. On PostgreSQL, as with items, each
 * statement adds rows that housekeeping sums up. Drafts have the time at which a mail said that they end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.dropTable('schema_usage_changes').execute()
  await schema.dropTable('schema_usage').execute()
  await schema.dropIndex('category_schemas_by_bytes').execute()
  await schema
    .createIndex('category_schemas_by_bytes')
    .on('category_schemas')
    .columns(['kept_bytes', 'kept_versions'])
    .execute()
  await schema.alterTable('schema_drafts').addColumn('reminded_at', 'bigint').execute()
  await schema.createIndex('schema_drafts_by_time').on('schema_drafts').column('saved_at').execute()
  for (const kept of keptRows) {
    const { table, texts, account } = kept
    const rows = (from: string, row: string, sign = '') =>
      `select ${account(row)} as account, ${sign}(${bytesOf(texts, row)}) as bytes ${from}`
    await sql`insert into item_counts (owner_kind, owner_id, items, bytes) select 'user', account, 0, sum(bytes)
      from (${sql.raw(rows(`from ${table} as kept`, 'kept'))}) as counted where account is not null group by account
      on conflict (owner_kind, owner_id) do update set bytes = item_counts.bytes + excluded.bytes`.execute(db)
    await (isPostgres(db) ? noteChanges : follow)(db, kept, rows)
  }
}

type RowsOf = (from: string, row: string, sign?: string) => string

/** A trigger for each statement: a job has up to 10,000 rows. */
async function noteChanges(db: Kysely<unknown>, { table }: (typeof keptRows)[number], rows: RowsOf) {
  const note = (from: string) => `insert into item_count_changes (owner_id, items, bytes)
    select account, 0, sum(bytes) from (${from}) as counted where account is not null group by account having sum(bytes) <> 0`
  const [added, gone] = [rows('from added as kept', 'kept'), rows('from gone as kept', 'kept', '-')]
  const of = {
    insert: [note(added), 'new table as added'],
    delete: [note(gone), 'old table as gone'],
    update: [note(`${added} union all ${gone}`), 'new table as added old table as gone'],
  }
  for (const [event, [statement, tables]] of Object.entries(of)) {
    const name = sql.ref(`${table}_${event}_kept`)
    await sql`create function ${name}() returns trigger language plpgsql as $$ begin ${sql.raw(statement!)};
      return null; end $$`.execute(db)
    await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)} referencing ${sql.raw(tables!)}
      for each statement execute function ${name}()`.execute(db)
  }
}

async function follow(db: Kysely<unknown>, { table, texts }: (typeof keptRows)[number], rows: RowsOf) {
  const count = (from: string) => `insert into item_counts (owner_kind, owner_id, items, bytes)
    select 'user', account, 0, bytes from (${from}) where account is not null and bytes <> 0
    on conflict (owner_kind, owner_id) do update set bytes = item_counts.bytes + excluded.bytes;`
  const [added, gone] = [count(rows('', 'new')), count(rows('', 'old', '-'))]
  const of = { insert: added, delete: gone, update: added + gone }
  for (const [event, statements] of Object.entries(of)) {
    const when = event === 'update' ? `update of ${texts.join(', ')}` : event
    await sql`create trigger ${sql.ref(`${table}_${event}_kept`)} after ${sql.raw(when)} on ${sql.table(table)}
      begin ${sql.raw(statements)} end`.execute(db)
  }
}

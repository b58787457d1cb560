import type { Kysely } from 'kysely'
import { execute, isPostgres } from './statements.ts'

/** Changes of items on PostgreSQL, which servers follow with their search replicas. SQLite has its own since the foundation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return
  await execute(db, feed)
  for (const { name, table, number, events } of followed) {
    await execute(db, noting(name, number))
    for (const event of events) await execute(db, `create trigger ${name}_by_${event} ${on(table, event, name)}`)
  }
}

/**
 * Numbers of the items whose rows of the index were written or removed, and those of categories, negative, each with the id of its
 * transaction. Transactions commit in another order than that of their ids: a follower asks for those that its last snapshot did
 * not have. Rows below `floor` are forgotten. Each time that the index is filled, its version is a new row: another generation.
 */
const feed = `
create table item_changes (xid xid8 not null default pg_current_xact_id(), number bigint not null);
create index item_changes_by_xid on item_changes (xid);
alter table index_version add column generation text not null default gen_random_uuid()::text,
  add column floor xid8 not null default '0',
  add column mark xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  add column marked_at timestamptz not null default now();
create function note_item() returns trigger language plpgsql as $$ begin
    insert into item_changes (number) values (new.id); return null; end $$;
create trigger item_changes_by_place after update on items for each row
  when ((old.west, old.south, old.east, old.north, old.title_key) is distinct from
    (new.west, new.south, new.east, new.north, new.title_key)) execute function note_item();
`

const followed = [
  { name: 'item_changes', table: 'item_index', number: 'number', events: ['insert', 'update', 'delete'] },
  { name: 'category_changes', table: 'category_paths', number: '-id', events: ['insert', 'update', 'delete'] },
  { name: 'inexact_changes', table: 'inexact_categories', number: '-category_id', events: ['insert', 'delete'] },
] as const

/** Names of all triggers. */
export const feedTriggers: readonly string[] = [
  'item_changes_by_place',
  ...followed.flatMap(({ name, events }) => events.map((event) => `${name}_by_${event}`)),
]

const noting = (name: string, number: string) => `
create function note_${name}() returns trigger language plpgsql as $$ begin
    insert into item_changes (number) select ${number} from changed; return null; end $$;
`

const on = (table: string, event: 'insert' | 'update' | 'delete', name: string) =>
  `after ${event} on ${table} referencing ${event === 'delete' ? 'old' : 'new'} table as changed
  for each statement execute function note_${name}()`

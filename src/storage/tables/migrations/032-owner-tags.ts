import { type Kysely, sql } from 'kysely'
import { clustered, isPostgres, numbered, table } from './create-table.ts'

/**
 * Distinct tags of the items of each user and each organization, with the number of items that have them, kept by triggers on
 * `items`. On PostgreSQL, concurrent writers would conflict about common tags: their triggers add rows to `owner_tag_changes`,
 * which housekeeping sums up. There, a tag is stored as JSON, as a lone surrogate is no text.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tags = table(db, 'owner_tags', { owner_id: 'text', tag: 'text', items: 'integer' })
  await clustered(db, tags.addPrimaryKeyConstraint('owner_tags_pk', ['owner_id', 'tag'])).execute()
  const tag = sql.raw(isPostgres(db) ? 'json_array_elements(tags::json)::text' : 'tag.value')
  const from = sql.raw(isPostgres(db) ? 'items' : 'items join json_each(items.tags) as tag')
  for (const owner of [sql.ref('owner_id'), sql.ref('portal_id')]) {
    await sql`insert into owner_tags (owner_id, tag, items) select owner, tag, count(*)
      from (select distinct items.id, ${owner} as owner, ${tag} as tag from ${from}) as tagged group by owner, tag`.execute(
      db,
    )
  }
  await (isPostgres(db) ? noteChanges(db) : follow(db))
}

async function noteChanges(db: Kysely<unknown>): Promise<void> {
  await numbered(db, 'owner_tag_changes', { owner_id: 'text', tag: 'text', items: 'integer' }).execute()
  await sql`create index owner_tags_gone on owner_tags (owner_id) where items < 1`.execute(db)
  const note = (row: 'old' | 'new', items: number) =>
    sql.raw(`insert into owner_tag_changes (owner_id, tag, items) select distinct owner, tag::text, ${items}
      from unnest(array[${row}.owner_id, ${row}.portal_id]) as owner, json_array_elements(${row}.tags::json) as tag`)
  await sql`create function note_item_tags() returns trigger language plpgsql as $$ begin
    if tg_op <> 'DELETE' then ${note('new', 1)}; end if;
    if tg_op <> 'INSERT' then ${note('old', -1)}; end if;
    return null; end $$`.execute(db)
  await sql`create trigger item_tags_noted after insert or delete on items for each row execute function note_item_tags()`.execute(
    db,
  )
  await sql`create trigger item_tags_changed after update of tags, owner_id on items for each row
    when (${isChanged}) execute function note_item_tags()`.execute(db)
}

const isChanged = sql.raw('old.tags <> new.tags or old.owner_id <> new.owner_id')

async function follow(db: Kysely<unknown>): Promise<void> {
  const add = sql`insert into owner_tags (owner_id, tag, items) select owner.value, tag.value, 1
    from json_each(json_array(new.owner_id, new.portal_id)) as owner
    join (select distinct value from json_each(new.tags)) as tag
    where true on conflict (owner_id, tag) do update set items = items + 1`
  const isRemoved = sql`owner_id in (old.owner_id, old.portal_id) and tag in (select value from json_each(old.tags))`
  const remove = sql`update owner_tags set items = items - 1 where ${isRemoved};
    delete from owner_tags where ${isRemoved} and items < 1`
  await sql`create trigger owner_tags_by_insert after insert on items begin ${add}; end`.execute(db)
  await sql`create trigger owner_tags_by_update after update of tags, owner_id on items when ${isChanged}
    begin ${add}; ${remove}; end`.execute(db)
  await sql`create trigger owner_tags_by_delete after delete on items begin ${remove}; end`.execute(db)
}

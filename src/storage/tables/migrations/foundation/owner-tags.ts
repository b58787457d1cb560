import type { Kysely } from 'kysely'
import { execute, isPostgres } from '../statements.ts'

/**
 * Distinct tags of the items of each user and each organization, with the number of items that have them, kept by triggers on
 * `items`. On PostgreSQL, concurrent writers would conflict about common tags: their triggers add rows to `owner_tag_changes`,
 * which housekeeping sums up. There, a tag is stored as JSON, as a lone surrogate is no text.
 */
export async function makeOwnerTags(db: Kysely<unknown>): Promise<void> {
  await execute(db, tags)
  await execute(db, isPostgres(db) ? onPostgres : onSqlite)
}

const tags = `
create table owner_tags (
  owner_id text not null, tag text not null, items integer not null,
  constraint owner_tags_pk primary key (owner_id, tag)
) without rowid;
`

const isChanged = 'old.tags <> new.tags or old.owner_id <> new.owner_id'

const note = (row: 'old' | 'new', items: number) =>
  `insert into owner_tag_changes (owner_id, tag, items) select distinct owner, tag::text, ${items}
      from unnest(array[${row}.owner_id, ${row}.portal_id]) as owner, json_array_elements(${row}.tags::json) as tag`

const onPostgres = `
create table owner_tag_changes (
  id integer primary key autoincrement, owner_id text not null, tag text not null, items integer not null
);
create index owner_tags_gone on owner_tags (owner_id) where items < 1;

create function note_item_tags() returns trigger language plpgsql as $$ begin
    if tg_op <> 'DELETE' then ${note('new', 1)}; end if;
    if tg_op <> 'INSERT' then ${note('old', -1)}; end if;
    return null; end $$;
create trigger item_tags_noted after insert or delete on items for each row execute function note_item_tags();
create trigger item_tags_changed after update of tags, owner_id on items for each row
  when (${isChanged}) execute function note_item_tags();
`

const add = `insert into owner_tags (owner_id, tag, items) select owner.value, tag.value, 1
    from json_each(json_array(new.owner_id, new.portal_id)) as owner
    join (select distinct value from json_each(new.tags)) as tag
    where true on conflict (owner_id, tag) do update set items = items + 1`
const isRemoved = 'owner_id in (old.owner_id, old.portal_id) and tag in (select value from json_each(old.tags))'
const remove = `update owner_tags set items = items - 1 where ${isRemoved};
    delete from owner_tags where ${isRemoved} and items < 1`

const onSqlite = `
create trigger owner_tags_by_insert after insert on items begin ${add}; end;
create trigger owner_tags_by_update after update of tags, owner_id on items when ${isChanged}
  begin ${add}; ${remove}; end;
create trigger owner_tags_by_delete after delete on items begin ${remove}; end;
`

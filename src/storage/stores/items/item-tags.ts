import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

/** Owner of tags: a user or an organization. */
interface OfOwner {
  readonly ownerId: string
}

const countNew = prepared<OfOwner & { tags: string }, { tags: number }>((db, { ownerId, tags }) => {
  const given = isPostgres(db)
    ? sql`(select distinct json_array_elements(${tags}::json)::text as tag) as given`
    : sql`(select distinct value as tag from json_each(${tags})) as given`
  return {
    compile: () =>
      sql`select count(*) as tags from ${given} where not exists
        (select 1 from owner_tags where owner_id = ${ownerId} and owner_tags.tag = given.tag)`.compile(db) as never,
  }
})

const countAll = prepared<OfOwner, { tags: number }>((db, { ownerId }) => ({
  compile: () => sql`select count(*) as tags from owner_tags where owner_id = ${ownerId}`.compile(db) as never,
}))

/** Number of distinct tags of the owner's items, on PostgreSQL as last summed up, and number of the given ones that are new. */
export async function countTags(
  db: Kysely<Rows>,
  ownerId: string,
  more: readonly string[],
): Promise<{ readonly present: number; readonly added: number }> {
  const { tags: added } = (await countNew.first(db, { ownerId, tags: JSON.stringify(more) }))!
  // All tags are counted only if new ones are added.
  return added === 0 ? { present: 0, added } : { present: (await countAll.first(db, { ownerId }))!.tags, added }
}

/** Changes that one step sums up (chosen): its statement stays far below the time limit. */
const changesOfStep = 20_000

/** Sums up the oldest changes that the triggers of PostgreSQL recorded. False where none was left. */
export async function sumUpTags(db: Kysely<Rows>): Promise<boolean> {
  if (!isPostgres(db)) return false
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from
    (select id from owner_tag_changes order by id limit ${changesOfStep}) as oldest`.execute(db)
  const last = rows[0]!.last
  if (last === null) return false
  await sql`with taken as (delete from owner_tag_changes where id <= ${last} returning owner_id, tag, items)
    insert into owner_tags (owner_id, tag, items) select owner_id, tag, sum(items) from taken group by owner_id, tag
    on conflict (owner_id, tag) do update set items = owner_tags.items + excluded.items`.execute(db)
  await sql`delete from owner_tags where items < 1`.execute(db)
  return true
}

/** The tags that items have, as rows of `owner_tags`. */
function tagsOfItems(db: Kysely<Rows>) {
  return isPostgres(db)
    ? sql`select owner as owner_id, tag::text as tag, count(distinct id) as items from items,
        unnest(array[owner_id, portal_id]) as owner, json_array_elements(tags::json) as tag group by 1, 2`
    : sql`select owner.value as owner_id, tag.value as tag, count(distinct items.id) as items from items,
        json_each(json_array(owner_id, portal_id)) as owner, json_each(tags) as tag group by 1, 2`
}

/** Number of tags of users and organizations whose counts differ from their items. */
export async function countMiscountedTags(db: Kysely<Rows>): Promise<number> {
  const changes = sql.raw(isPostgres(db) ? 'union all select owner_id, tag, -items from owner_tag_changes' : '')
  const { rows } = await sql<{ total: number }>`select count(*) as total from (select owner_id, tag from (
    select owner_id, tag, items from (${tagsOfItems(db)}) as present
    union all select owner_id, tag, -items from owner_tags ${changes}) as counted
    group by owner_id, tag having sum(items) <> 0) as miscounted`.execute(db)
  return rows[0]!.total
}

/** Recounts the tags from the items. */
export async function recountTags(db: Kysely<Rows>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (isPostgres(db)) await sql`delete from owner_tag_changes`.execute(transaction)
    await sql`delete from owner_tags`.execute(transaction)
    await sql`insert into owner_tags (owner_id, tag, items) ${tagsOfItems(db)}`.execute(transaction)
  })
}

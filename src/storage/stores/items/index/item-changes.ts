import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../../../tables/catalog.ts'
import type { Rows } from '../../../tables/rows.ts'

/** Changes of items on PostgreSQL between two snapshots. */
export interface ItemChanges {
  /** The snapshot that they were read on, as PostgreSQL writes it. */
  readonly snapshot: string
  /** Another one where numbers of transactions begin again: of another server, another start of it, or another fill of the index. */
  readonly line: string
  /** Changes of transactions below this id are forgotten. */
  readonly floor: string
  /** Whether the former snapshot misses no forgotten change. */
  readonly isKept: boolean
  /** Items; categories have negative numbers. */
  readonly numbers: readonly number[]
}

/**
 * The changes that `since` did not see and the snapshot of this statement does, none where `since` is null. Ids of transactions are
 * no order of commits: a change may be visible after another one of a later id. Both conditions are look-ups in the index, as in
 * `batch_event_sql` of PgQ: a transaction that stays open for long makes no search read all that was changed meanwhile. Ids are
 * given as such: of ids that PostgreSQL takes from the snapshot itself, it expects that one transaction made all changes, as a rebuild
 * does, and reads the whole table.
 */
export async function readChanges(db: Kysely<Rows>, since: string | null): Promise<ItemChanges> {
  const [xmin = null, xmax = null, open = ''] = since?.split(':') ?? []
  const { rows } = await sql<ItemChanges>`select pg_current_snapshot()::text as snapshot, floor::text as floor,
    floor <= cast(${xmin} as xid8) as "isKept",
    concat_ws(' ', generation, 'item_changes'::regclass::oid, extract(epoch from pg_postmaster_start_time()),
      (select oid from pg_database where datname = current_database())) as line,
    (select coalesce(json_agg(distinct number), '[]') from item_changes
      where xid >= cast(${xmax} as xid8) or xid = any(cast(${`{${open}}`} as xid8[]))) as numbers
    from index_version`.execute(db)
  return rows[0]!
}

/** The snapshot that saw everything below a transaction id, and nothing else. Ids begin with 3; 0 is in no snapshot. */
export function snapshotAt(id: string): string {
  const from = id === '0' ? '3' : id
  return `${from}:${from}:`
}

/**
 * Begins again where changes have ids that this server has not given yet: those of a database that was copied here row by row, or set
 * back to an earlier state. They would be changes of every search, and what is forgotten would lie in the future.
 */
export async function forgetForeignChanges(db: Kysely<Rows>): Promise<void> {
  const { rows } = await sql`select from index_version where mark > pg_snapshot_xmin(pg_current_snapshot())
    or exists (select from item_changes where xid >= pg_snapshot_xmax(pg_current_snapshot()))`.execute(db)
  if (rows.length === 0) return
  await sql`with gone as (delete from item_changes)
    update index_version set generation = gen_random_uuid()::text, floor = pg_snapshot_xmin(pg_current_snapshot()),
      mark = pg_snapshot_xmin(pg_current_snapshot()), marked_at = now()`.execute(db)
}

/** Changes that are kept at least, and for how long (chosen): a server that has missed more fills its replica again. */
const maxKept = 20_000
const minutesKept = 15

/** Forgets old changes. */
export async function forgetChanges(db: Kysely<Rows>): Promise<void> {
  if (!isPostgres(db)) return
  const later = sql`select from item_changes where xid >= mark limit ${sql.lit(maxKept)}`
  await sql`with passed as (select mark from index_version
      where marked_at not between now() - make_interval(mins => ${sql.lit(minutesKept)}) and now()
      and (select count(*) from (${later}) as later) = ${sql.lit(maxKept)}),
    gone as (delete from item_changes where xid < (select mark from passed))
    update index_version set floor = passed.mark, mark = pg_snapshot_xmin(pg_current_snapshot()), marked_at = now()
      from passed`.execute(db)
}

import { type Kysely, sql } from 'kysely'
import type { Kept } from '../../../categories/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'

/** Counts the category schema versions and bytes of organizations, in the write that changes them. */

type Usage = Rows['schema_usage']

const add = prepared((db, { portal_id, versions, bytes }: Usage) =>
  db
    .insertInto('schema_usage')
    .values({ portal_id, versions, bytes })
    .onConflict((conflict) =>
      conflict.column('portal_id').doUpdateSet({
        versions: sql`schema_usage.versions + excluded.versions`,
        bytes: sql`schema_usage.bytes + excluded.bytes`,
      }),
    ),
)

const addChange = prepared((db, { portal_id, versions, bytes }: Usage) =>
  db.insertInto('schema_usage_changes').values({ portal_id, versions, bytes }),
)

const takeChanges = prepared((db) =>
  db.deleteFrom('schema_usage_changes').returning(['portal_id', 'versions', 'bytes']),
)

/** An owner whose row was changed; undefined if there was none. */
type Counted = { readonly portal_id: string | null } | undefined

/**
 * Counts versions and bytes; both are negative where versions are removed. On PostgreSQL, concurrent writes of one organization
 * would conflict about the row with the sum: there, each adds a row of its own until housekeeping.
 */
export async function countUsage(db: Kysely<Rows>, owner: Counted, { versions, bytes }: Kept): Promise<void> {
  const portal_id = owner?.portal_id ?? null
  if (portal_id !== null) await (isPostgres(db) ? addChange : add).send(db, { portal_id, versions, bytes })
}

/** Adds the rows of single writes to the sums. */
export async function mergeUsage(db: Kysely<Rows>): Promise<void> {
  const sums = new Map<string, Kept>()
  for (const { portal_id, versions, bytes } of await takeChanges.all(db, {})) {
    const sum = sums.get(portal_id) ?? { versions: 0, bytes: 0 }
    sums.set(portal_id, { versions: sum.versions + versions, bytes: sum.bytes + bytes })
  }
  for (const [portal_id, sum] of sums) await add.run(db, { portal_id, ...sum })
}

const usage = sql<Usage>`(select portal_id, versions, bytes from schema_usage
  union all select portal_id, versions, bytes from schema_usage_changes)`.as('usage')

/** PostgreSQL gives sums of bigint as decimal numbers. */
const sumOf = (column: 'versions' | 'bytes') => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`

const selectUsage = prepared((db, { portalId }: { portalId: string }) =>
  db.selectFrom(usage).select(sumOf('bytes').as('bytes')).where('portal_id', '=', portalId),
)

/** Bytes that an organization keeps now. */
export async function findUsage(db: Kysely<Rows>, portalId: string): Promise<number> {
  return (await selectUsage.first(db, { portalId }))!.bytes
}

const selectAbove = prepared((db, { bytes }: { bytes: number }) =>
  db
    .selectFrom(usage)
    .select(['portal_id', sumOf('bytes').as('bytes')])
    .groupBy('portal_id')
    .having(sumOf('bytes'), '>', bytes),
)

/** Organizations that keep more bytes. */
export async function listAbove(db: Kysely<Rows>, bytes: number) {
  const rows = await selectAbove.all(db, { bytes })
  return rows.map((row) => ({ portalId: row.portal_id, bytes: row.bytes }))
}

/** Versions and bytes that all organizations keep together. */
export async function sumUsage(db: Kysely<Rows>): Promise<Kept> {
  return db
    .selectFrom(usage)
    .select([sumOf('versions').as('versions'), sumOf('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
}

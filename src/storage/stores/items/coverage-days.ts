import { type Kysely, sql } from 'kysely'
import { type ItemStore, uncategorizedPath } from '../../../items/store.ts'
import type { Rows } from '../../tables/rows.ts'
import { toColumns, toOwner } from '../categories/kept-versions.ts'

type Methods = 'listCoverageDays' | 'listUncounted' | 'putCoverage' | 'removeCoverageBefore'

/** Counts of items by day and category. */
export function coverageDays(db: Kysely<Rows>): Pick<ItemStore, Methods> {
  return {
    async listCoverageDays(owner) {
      const { owner_kind, owner_id } = toColumns(owner)
      const rows = await db
        .selectFrom('coverage_days')
        .select(['day', 'path', 'items'])
        .where('owner_kind', '=', owner_kind)
        .where('owner_id', '=', owner_id)
        .where('path', 'in', ['', uncategorizedPath])
        .orderBy('day')
        .execute()
      const days = Map.groupBy(rows, ({ day }) => day)
      return [...days].map(([day, counts]) => {
        const itemsOf = (wanted: string) => counts.find(({ path }) => path === wanted)?.items ?? 0
        return { day, items: itemsOf(''), uncategorized: itemsOf(uncategorizedPath) }
      })
    },
    async listUncounted(day, max) {
      const counted = sql<boolean>`exists (select 1 from coverage_days
        where coverage_days.owner_kind = category_schemas.owner_kind
        and coverage_days.owner_id = category_schemas.owner_id and day = ${day} and path = '')`
      const rows = await db
        .selectFrom('category_schemas')
        .select(['owner_kind', 'owner_id'])
        .where('is_set', '=', 1)
        .where((row) => row.not(counted))
        .orderBy('owner_kind', 'desc')
        .orderBy('owner_id')
        .limit(max)
        .execute()
      return rows.map(toOwner)
    },
    async putCoverage(owner, day, counts) {
      if (counts.length === 0) return
      await db
        .insertInto('coverage_days')
        .values(counts.map(({ path, items }) => ({ ...toColumns(owner), day, path, items })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async removeCoverageBefore(day, max) {
      const { rows } = await sql`delete from coverage_days where (owner_kind, owner_id, day, path) in
        (select owner_kind, owner_id, day, path from coverage_days where day < ${day} limit ${max})
        returning day`.execute(db)
      return rows.length
    },
  }
}

import type { Kysely } from 'kysely'
import { clustered, columnType, table } from './create-table.ts'

/** The policy of an organization, which none has set yet, and how many items carried each category on each day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const policy = JSON.stringify({ require: 'off', below: [], types: [], when: 'public' })
  await db.schema
    .alterTable('portals')
    .addColumn('category_policy', columnType(db, 'text'), (column) => column.notNull().defaultTo(policy))
    .execute()
  const columns = { owner_kind: 'text', owner_id: 'text', day: 'text', path: 'text', items: 'integer' } as const
  const days = table(db, 'coverage_days', columns)
  await clustered(
    db,
    days.addPrimaryKeyConstraint('coverage_days_pk', ['owner_kind', 'owner_id', 'day', 'path']),
  ).execute()
  await db.schema.createIndex('coverage_days_by_day').on('coverage_days').column('day').execute()
}

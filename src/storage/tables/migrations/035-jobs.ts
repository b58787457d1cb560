import type { Kysely } from 'kysely'
import { cascade, table } from './create-table.ts'

/** Jobs: work in steps, after the request that started it. Its starter may be deleted while it runs: the next step ends it then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const texts = {
    job_id: 'text',
    portal_id: 'text',
    kind: 'text',
    starter_id: 'text',
    input: 'text',
    state: 'text',
  } as const
  const progress = { done: 'bigint', total: 'bigint', failures: 'text', position: 'text' } as const
  await table(db, 'jobs', { ...texts, ...progress, started_at: 'bigint', stepped_at: 'bigint' })
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('jobs_pk', ['job_id'])
    .addForeignKeyConstraint('jobs_portal', ['portal_id'], 'portals', ['portal_id'], cascade)
    .execute()
  await db.schema.createIndex('jobs_by_portal').on('jobs').columns(['portal_id', 'ended_at']).execute()
  await db.schema.createIndex('jobs_by_end').on('jobs').columns(['ended_at', 'stepped_at', 'job_id']).execute()
}

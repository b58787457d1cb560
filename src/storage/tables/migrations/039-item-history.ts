import type { Kysely } from 'kysely'
import { cascade, clustered, columnType, table } from './create-table.ts'

/** Changes of items beside the entries of the log, and the rows that a job works through. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const made = table(db, 'item_history', { entry: 'bigint', item_id: 'text', portal_id: 'text', change: 'text' })
    .addColumn('run_id', columnType(db, 'text'))
    .addColumn('reverted_at', 'bigint')
    .addPrimaryKeyConstraint('item_history_pk', ['entry', 'item_id'])
    .addForeignKeyConstraint('item_history_entry', ['entry'], 'audit', ['id'], cascade)
  await clustered(db, made).execute()
  await db.schema.createIndex('item_history_by_item').on('item_history').columns(['item_id', 'entry']).execute()
  await db.schema
    .createIndex('item_history_by_run')
    .on('item_history')
    .columns(['run_id', 'entry', 'item_id'])
    .where('run_id', 'is not', null)
    .execute()
  const rows = table(db, 'job_items', { job_id: 'text', row: 'integer', data: 'text' })
    .addPrimaryKeyConstraint('job_items_pk', ['job_id', 'row'])
    .addForeignKeyConstraint('job_items_job', ['job_id'], 'jobs', ['job_id'], cascade)
  await clustered(db, rows).execute()
}

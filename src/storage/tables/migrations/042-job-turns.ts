import { type Kysely, sql } from 'kysely'
import { columnType, isPostgres } from './create-table.ts'

/** Inputs of jobs go with their other rows when they end; jobs may wait, and are leased by the server that steps them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into job_items (job_id, row, data) select job_id, 0, input from jobs where ended_at is null`.execute(
    db,
  )
  const number = (name: string) =>
    db.schema
      .alterTable('jobs')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  await number('by_administrator')
  await number('failed_steps')
  await db.schema.alterTable('jobs').addColumn('reverts', columnType(db, 'text')).execute()
  await db.schema.alterTable('jobs').addColumn('leased_by', columnType(db, 'text')).execute()
  await db.schema.alterTable('jobs').addColumn('leased_until', 'bigint').execute()
  const input = isPostgres(db) ? sql`input::json` : sql`input`
  await sql`update jobs set reverts = ${input} ->> 'runId' where kind = 'revertItemRun'`.execute(db)
  await db.schema.alterTable('jobs').dropColumn('input').execute()
  await db.schema.createIndex('jobs_by_starter').on('jobs').columns(['starter_id', 'ended_at']).execute()
}

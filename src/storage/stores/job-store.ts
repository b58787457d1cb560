import { type Kysely, sql } from 'kysely'
import { type Job, runKinds } from '../../jobs/job.ts'
import type { JobStore } from '../../jobs/store.ts'
import type { JobRow } from '../tables/rows/jobs.ts'
import type { Rows } from '../tables/rows.ts'
import { decode, json, optional } from './decode.ts'
import { prepared } from './prepared.ts'
import { count, givenRows, paginate, toJson } from './select.ts'

const { toValue: toJob, toRow } = decode<JobRow, Job>()({
  jobId: 'job_id',
  portalId: 'portal_id',
  kind: 'kind',
  starterId: 'starter_id',
  input: json('input'),
  state: 'state',
  done: 'done',
  total: 'total',
  failures: json('failures'),
  position: 'position',
  startedAt: 'started_at',
  steppedAt: 'stepped_at',
  endedAt: optional('ended_at'),
})

/** Maximum jobs that one call removes (chosen). */
const removedAtOnce = 1_000

/** Things of a job that one statement adds (chosen): its text has about 1 MiB at most. */
const addedAtOnce = 1_000

const insertItems = prepared((db, { jobId, rows }: { readonly jobId: string; readonly rows: string }) => ({
  compile: () =>
    sql`insert into job_items (job_id, row, data) select cast(${jobId} as text), row, data
      from ${givenRows(db, rows, { row: 'integer', data: 'text' })}`.compile(db),
}))

/** The store of jobs. */
export function jobStore(db: Kysely<Rows>): JobStore {
  const jobs = () => db.selectFrom('jobs').selectAll()
  return {
    async findJob(jobId) {
      const row = await jobs().where('job_id', '=', jobId).executeTakeFirst()
      return row && toJob(row)
    },
    async listJobs(portalId, starterId, page, kinds) {
      const ofPortal = db.selectFrom('jobs').where('portal_id', '=', portalId)
      const all = kinds ? ofPortal.where('kind', 'in', kinds) : ofPortal
      const listed = starterId === undefined ? all : all.where('starter_id', '=', starterId)
      const rows = await paginate(listed.selectAll().orderBy('started_at', 'desc').orderBy('job_id'), page).execute()
      return { total: await count(listed), entries: rows.map(toJob) }
    },
    async findNextJob() {
      const row = await jobs()
        .where('ended_at', 'is', null)
        .orderBy('stepped_at')
        .orderBy('job_id')
        .limit(1)
        .executeTakeFirst()
      return row && toJob(row)
    },
    async countRunningJobs(portalId) {
      return count(db.selectFrom('jobs').where('portal_id', '=', portalId).where('ended_at', 'is', null))
    },
    async isRunning(kind, starterId) {
      const running = db.selectFrom('jobs').where('ended_at', 'is', null).where('kind', '=', kind)
      return (await count(running.where('starter_id', '=', starterId))) > 0
    },
    async listJobItems(jobId, after, max) {
      const rows = await db
        .selectFrom('job_items')
        .select(['row', 'data'])
        .where('job_id', '=', jobId)
        .where('row', '>', after)
        .orderBy('row')
        .limit(max)
        .execute()
      return rows.map(({ row, data }) => ({ row, data: JSON.parse(data) }))
    },

    async addJob(job) {
      await db.insertInto('jobs').values(toRow(job)).execute()
    },
    async putJob(job) {
      const { jobId, endedAt } = job
      await db.updateTable('jobs').set(toRow(job)).where('job_id', '=', jobId).execute()
      if (endedAt !== undefined) await db.deleteFrom('job_items').where('job_id', '=', jobId).execute()
    },
    async addJobItems(jobId, items) {
      for (let from = 0; from < items.length; from += addedAtOnce) {
        const rows = items.slice(from, from + addedAtOnce).map(({ row, data }) => ({ row, data: JSON.stringify(data) }))
        await insertItems.send(db, { jobId, rows: toJson(rows) })
      }
    },
    async removeJobs(endedBefore, runsEndedBefore) {
      const old = db
        .selectFrom('jobs')
        .select('job_id')
        .where('ended_at', '<', endedBefore)
        .where(({ eb, or }) => or([eb('kind', 'not in', runKinds), eb('ended_at', '<', runsEndedBefore)]))
        .limit(removedAtOnce)
      await db.deleteFrom('jobs').where('job_id', 'in', old).execute()
    },
  }
}

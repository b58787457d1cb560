import type { Kysely } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import type { JobStore } from '../../jobs/store.ts'
import type { JobRow } from '../tables/rows/jobs.ts'
import type { Rows } from '../tables/rows.ts'
import { decode, json, optional } from './decode.ts'
import { count, paginate } from './select.ts'

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

/** The store of jobs. */
export function jobStore(db: Kysely<Rows>): JobStore {
  const jobs = () => db.selectFrom('jobs').selectAll()
  return {
    async findJob(jobId) {
      const row = await jobs().where('job_id', '=', jobId).executeTakeFirst()
      return row && toJob(row)
    },
    async listJobs(portalId, starterId, page) {
      const all = db.selectFrom('jobs').where('portal_id', '=', portalId)
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

    async addJob(job) {
      await db.insertInto('jobs').values(toRow(job)).execute()
    },
    async putJob(job) {
      await db.updateTable('jobs').set(toRow(job)).where('job_id', '=', job.jobId).execute()
    },
    async removeJobs(endedBefore) {
      const old = db.selectFrom('jobs').select('job_id').where('ended_at', '<', endedBefore).limit(removedAtOnce)
      await db.deleteFrom('jobs').where('job_id', 'in', old).execute()
    },
  }
}

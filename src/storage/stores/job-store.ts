import { type Kysely, sql } from 'kysely'
import { jobFields, jobInTurnFields, runKinds } from '../../jobs/job.ts'
import type { JobStore } from '../../jobs/store.ts'
import type { Rows } from '../tables/rows.ts'
import { mapper } from './mapper.ts'
import { prepared } from './prepared.ts'
import { count, givenRows, paginate, toJson } from './select.ts'

const jobs = mapper(jobFields)
const jobsInTurn = mapper(jobInTurnFields)

const noLease = { leased_by: null, leased_until: null } as const

/** Row of the input, before those of the things that a job does. */
const inputRow = 0

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
  const unended = () => db.selectFrom('jobs').where('ended_at', 'is', null)
  const isRunning = sql.lit('running' as const)
  const item = (jobId: string) => db.selectFrom('job_items').select(['row', 'data']).where('job_id', '=', jobId)
  const removeItems = (jobId: string) => db.deleteFrom('job_items').where('job_id', '=', jobId).execute()
  return {
    async findJob(jobId) {
      const row = await db.selectFrom('jobs').select(jobs.columns).where('job_id', '=', jobId).executeTakeFirst()
      return row && jobs.toRecord(row)
    },
    async findJobInput(jobId) {
      const row = await item(jobId).where('row', '=', inputRow).executeTakeFirst()
      return row && JSON.parse(row.data)
    },
    async listJobs(portalId, starterId, page, kinds) {
      const ofPortal = db.selectFrom('jobs').where('portal_id', '=', portalId)
      const all = kinds ? ofPortal.where('kind', 'in', kinds) : ofPortal
      const listed = starterId === undefined ? all : all.where('starter_id', '=', starterId)
      const rows = await paginate(
        listed.select(jobs.columns).orderBy('started_at', 'desc').orderBy('job_id'),
        page,
      ).execute()
      return { total: await count(listed), entries: rows.map(jobs.toRecord) }
    },
    async listRunningJobs() {
      const rows = await unended()
        .select(jobsInTurn.columns)
        .where('state', '=', isRunning)
        .orderBy('stepped_at')
        .orderBy('job_id')
        .execute()
      return rows.map(jobsInTurn.toRecord)
    },
    async countUnendedJobs(portalId, starterId) {
      const rows = await unended()
        .select(({ fn }) => ['state', 'starter_id', fn.countAll<number>().as('jobs')])
        .where('portal_id', '=', portalId)
        .groupBy(['state', 'starter_id'])
        .execute()
      const sum = (some: typeof rows) => some.reduce((jobs, row) => jobs + row.jobs, 0)
      const running = rows.filter(({ state }) => state === 'running')
      const own = rows.filter((row) => row.starter_id === starterId)
      const [ownRunning, ownWaiting] = (['running', 'waiting'] as const).map((known) =>
        sum(own.filter(({ state }) => state === known)),
      )
      return { running: sum(running), ofPerson: { running: ownRunning!, waiting: ownWaiting! } }
    },
    async countJobs() {
      const rows = await unended()
        .select(({ fn }) => ['state', fn.countAll<number>().as('jobs'), fn.min('stepped_at').as('oldest')])
        .groupBy('state')
        .execute()
      const of = (known: string) => rows.find(({ state }) => state === known)
      return {
        running: of('running')?.jobs ?? 0,
        waiting: of('waiting')?.jobs ?? 0,
        oldestStep: of('running')?.oldest,
      }
    },
    async findWaitingJob(portalId, { maxOfPerson, byAdministrator }) {
      const found = await unended()
        .select('job_id')
        .where('portal_id', '=', portalId)
        .where('state', '=', sql.lit('waiting' as const))
        .where('by_administrator', '>=', byAdministrator ? 1 : 0)
        .where(({ eb, selectFrom }) => {
          const running = selectFrom('jobs as other')
            .select(({ fn }) => fn.countAll<number>().as('jobs'))
            .whereRef('other.starter_id', '=', 'jobs.starter_id')
            .whereRef('other.portal_id', '=', 'jobs.portal_id')
            .where('other.ended_at', 'is', null)
            .where('other.state', '=', isRunning)
          return eb(running, '<', maxOfPerson)
        })
        .orderBy('started_at')
        .orderBy('job_id')
        .executeTakeFirst()
      return found?.job_id
    },
    async isRunning(kind, starterId) {
      const running = db.selectFrom('jobs').where('ended_at', 'is', null).where('kind', '=', kind)
      return (await count(running.where('starter_id', '=', starterId))) > 0
    },
    async listJobItems(jobId, after, max) {
      const rows = await item(jobId).where('row', '>', after).orderBy('row').limit(max).execute()
      return rows.map(({ row, data }) => ({ row, data: JSON.parse(data) }))
    },
    async findJobRow(jobId, after) {
      const found = await item(jobId).where('row', '>', after).orderBy('row').executeTakeFirst()
      return found && { row: found.row, itemId: /"itemId":"([^"]*)/.exec(found.data)?.[1] ?? '' }
    },

    async addJob(job, input) {
      await db
        .insertInto('jobs')
        .values({ ...jobs.toRow(job), failed_steps: 0, ...noLease })
        .execute()
      await insertItems.send(db, {
        jobId: job.jobId,
        rows: toJson([{ row: inputRow, data: JSON.stringify(input) }]),
      })
    },
    async putJob(job) {
      const { jobId, endedAt } = job
      const row = { ...jobs.toRow(job), failed_steps: 0, ...noLease }
      await db.updateTable('jobs').set(row).where('job_id', '=', jobId).execute()
      if (endedAt !== undefined) await removeItems(jobId)
    },
    async startJob(jobId, now) {
      await db.updateTable('jobs').set({ state: 'running', stepped_at: now }).where('job_id', '=', jobId).execute()
    },
    async leaseJob(jobId, holder, now, until) {
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .set({ leased_by: holder, leased_until: until })
        .where('job_id', '=', jobId)
        .where('state', '=', isRunning)
        .where(({ eb, or }) =>
          or([eb('leased_until', 'is', null), eb('leased_until', '<=', now), eb('leased_by', '=', holder)]),
        )
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0
    },
    async addFailedStep(jobId) {
      const row = await db
        .updateTable('jobs')
        .set(({ eb }) => ({ failed_steps: eb('failed_steps', '+', 1), ...noLease }))
        .where('job_id', '=', jobId)
        .where('ended_at', 'is', null)
        .returning('failed_steps')
        .executeTakeFirst()
      return row?.failed_steps ?? 0
    },
    async failJob(jobId, failure, now) {
      const row = await db
        .updateTable('jobs')
        .set({ state: 'failed', failures: JSON.stringify([failure]), ended_at: now, ...noLease })
        .where('job_id', '=', jobId)
        .returning('portal_id')
        .executeTakeFirst()
      await removeItems(jobId)
      return row?.portal_id
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
    async removeExcessJobs(starterId, max) {
      const excess = db
        .selectFrom('jobs')
        .select('job_id')
        .where('starter_id', '=', starterId)
        .where('ended_at', 'is not', null)
        .where(({ not, exists, selectFrom }) => {
          const revertible = selectFrom('item_history')
            .select('entry')
            .whereRef('item_history.run_id', '=', 'jobs.job_id')
            .where('reverted_at', 'is', null)
          return not(exists(revertible))
        })
        .orderBy('ended_at', 'desc')
        .orderBy('job_id')
        .offset(max)
        .limit(removedAtOnce)
      await db.deleteFrom('jobs').where('job_id', 'in', excess).execute()
    },
  }
}

import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { isDefaultAdministrator } from '../directory/permissions.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import { requireMayKeep } from '../directory/quotas.ts'
import type { DirectoryReaders, KeptBytes } from '../directory/store.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import {
  type BegunJob,
  type Job,
  type JobItem,
  jobRetention,
  leaseMilliseconds,
  maxEndedOfPerson,
  maxFailedSteps,
  maxRunningJobs,
  maxRunningOfPerson,
  maxWaitingOfPerson,
  placesOfAdministrators,
  runRetention,
} from './job.ts'
import type { JobReader, JobStore } from './store.ts'

export interface NamedJob {
  readonly portalId: string
  readonly jobId: string
}

/** A job of the organization, for its starter and for administrators (chosen). */
export async function readJob(
  stores: DirectoryReaders & { readonly jobs: JobReader },
  call: Call,
  { portalId, jobId }: NamedJob,
): Promise<Job> {
  const { caller, portal } = await requireOwnPortal(stores, call, portalId)
  const found = await stores.jobs.findJob(jobId)
  const job = found?.portalId === portal.portalId ? found : undefined
  requirePermission(job?.starterId === caller.userId || isDefaultAdministrator(caller, portal.portalId))
  if (!job) throw resourceNotFound()
  return job
}

/** Jobs of the organization: all of them for administrators, for other users those that they started. */
export async function listJobs(
  stores: DirectoryReaders & { readonly jobs: JobReader },
  call: Call,
  input: { readonly portalId: string; readonly page: Parsed<Page> },
): Promise<Slice<Job> & { readonly page: Page }> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const page = unwrapParsed(input.page)
  const starterId = isDefaultAdministrator(caller, portal.portalId) ? undefined : caller.userId
  return { ...(await stores.jobs.listJobs(portal.portalId, starterId, page)), page }
}

/** Cancels a job after its present step; nothing is undone. A job that has ended stays unchanged (chosen). */
export async function cancelJob(
  stores: DirectoryReaders & { readonly jobs: JobStore },
  call: Call,
  input: NamedJob,
): Promise<void> {
  const job = await readJob(stores, call, input)
  if (job.endedAt !== undefined) throw operationRefused(say('jobEnded', { state: job.state }))
  await endJob(stores, call, { ...job, state: 'cancelled' })
}

/** Stores a job that has ended, removes what its starter has above the number that is kept, and gives its place to another one. */
export async function endJob({ jobs }: { readonly jobs: JobStore }, { now }: Call, job: Job): Promise<void> {
  await jobs.putJob({ ...job, endedAt: now })
  await jobs.removeExcessJobs(job.starterId, maxEndedOfPerson)
  await startWaiting(jobs, job.portalId, now)
}

/** Starts those that have waited longest, as long as there are places. */
async function startWaiting(jobs: JobStore, portalId: string, now: number): Promise<void> {
  while (true) {
    const { running } = await jobs.countUnendedJobs(portalId, '')
    if (running >= maxRunningJobs) return
    const place = {
      maxOfPerson: maxRunningOfPerson,
      byAdministrator: running >= maxRunningJobs - placesOfAdministrators,
    }
    const jobId = await jobs.findWaitingJob(portalId, place)
    if (jobId === undefined) return
    await jobs.startJob(jobId, now)
  }
}

/** Begins a job of the caller's organization with its rows, which may have to wait; refused where the caller has the maximum of waiting jobs. */
export async function beginJob(
  stores: { readonly jobs: JobStore; readonly items: KeptBytes },
  call: Call & { readonly caller: Caller },
  { input, ...job }: Pick<BegunJob, 'jobId' | 'portalId' | 'kind' | 'input' | 'total'> & { readonly reverts?: string },
  rows: readonly JobItem[] = [],
): Promise<void> {
  const { jobs } = stores
  const { caller, now } = call
  const starterId = caller.userId
  const byAdministrator = isDefaultAdministrator(caller, job.portalId)
  const { running, ofPerson } = await jobs.countUnendedJobs(job.portalId, starterId)
  const places = maxRunningJobs - (byAdministrator ? 0 : placesOfAdministrators)
  const waits = running >= places || ofPerson.running >= maxRunningOfPerson || ofPerson.waiting > 0
  if (waits && ofPerson.waiting >= maxWaitingOfPerson) {
    throw operationRefused(say('jobsWaiting', { count: maxWaitingOfPerson }))
  }
  await requireMayKeep(
    stores,
    call,
    caller,
    ...[input, ...rows.map(({ data }) => data)].map((one) => JSON.stringify(one)),
  )
  const begun = { reverts: undefined, ...job, starterId, byAdministrator, done: 0, failures: [], position: '' }
  const times = { startedAt: now, steppedAt: now, endedAt: undefined }
  await jobs.addJob({ ...begun, ...times, state: waits ? 'waiting' : 'running' }, input)
  if (rows.length > 0) await jobs.addJobItems(job.jobId, rows)
}

/** Leases a job to a server for its next step. */
export async function leaseJob(
  { jobs }: { readonly jobs: JobStore },
  { now }: Call,
  { jobId, holder }: { readonly jobId: string; readonly holder: string },
): Promise<WithAuditDetails & { readonly isLeased: boolean }> {
  return { isLeased: await jobs.leaseJob(jobId, holder, now, now + leaseMilliseconds), audit: nothingDone }
}

/** Counts a step that failed unexpectedly, of those since the last that was done; a job that cannot be stepped at all has failed. */
export async function recordFailedStep(
  { jobs }: { readonly jobs: JobStore },
  { now }: Call,
  { jobId, message }: { readonly jobId: string; readonly message: string },
): Promise<WithAuditDetails & { readonly failures: number }> {
  const failures = await jobs.addFailedStep(jobId)
  if (failures >= 2 * maxFailedSteps) {
    const portalId = await jobs.failJob(jobId, { code: 500, message }, now)
    if (portalId !== undefined) await startWaiting(jobs, portalId, now)
  }
  return { failures, audit: nothingDone }
}

/** Removes a bounded number of jobs that ended long ago. */
export async function removeOldJobs({ jobs }: { readonly jobs: JobStore }, { now }: Call): Promise<WithAuditDetails> {
  await jobs.removeJobs(now - jobRetention, now - runRetention)
  return { audit: nothingDone }
}

import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { isDefaultAdministrator } from '../directory/permissions.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import type { DirectoryReaders } from '../directory/store.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { type Job, maxRunningJobs } from './job.ts'
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
  if (job.state !== 'running') throw operationRefused(`The job has ended already: it is ${job.state}.`)
  await stores.jobs.putJob({ ...job, state: 'cancelled', endedAt: call.now })
}

/** Begins a job of the caller's organization; refused where that has the maximum of running jobs already. */
export async function beginJob(
  { jobs }: { readonly jobs: JobStore },
  { caller, now }: Call & { readonly caller: Caller },
  job: Pick<Job, 'jobId' | 'portalId' | 'kind' | 'input' | 'total'>,
): Promise<void> {
  if ((await jobs.countRunningJobs(job.portalId)) >= maxRunningJobs) {
    throw operationRefused(
      `${maxRunningJobs} jobs of the organization are running already; wait for one, or cancel it.`,
    )
  }
  await jobs.addJob({
    ...job,
    starterId: caller.userId,
    state: 'running',
    done: 0,
    failures: [],
    position: '',
    startedAt: now,
    steppedAt: now,
    endedAt: undefined,
  })
}

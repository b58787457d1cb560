import { ApiError } from '../../api/call.ts'
import { call, post } from '../../session/session.ts'
import { changedItems } from '../changed-items.ts'

/** Work of the server on many items, as far as it has come. */
export interface Job {
  readonly id: string
  readonly state: 'waiting' | 'running' | 'completed' | 'completed_with_failures' | 'failed' | 'cancelled'
  readonly done: number
  readonly total: number
  readonly failures: readonly JobFailure[]
}

export interface JobFailure {
  /** Absent where the job itself could not go on. */
  readonly itemId?: string
  readonly message: string
}

export interface BegunJob {
  readonly jobId: string
  readonly total: number
}

/** Times between two looks at a job, in milliseconds (chosen): a short one is seen to end immediately. */
const pauses = { first: 150, last: 1_000 } as const

/** Whether the job runs, or waits for a place. */
export function isUnended({ state }: Pick<Job, 'state'>): boolean {
  return state === 'running' || state === 'waiting'
}

/** Follows a job to its end, while the page is seen; `report` is called with each state. */
export async function followJob(jobId: string, report: (job: Job) => void, signal?: AbortSignal): Promise<Job> {
  for (let pause: number = pauses.first; ; pause = Math.min(pause * 2, pauses.last)) {
    const job = await call<Job>(`${pathOf(jobId)}`, {}, { signal })
    report(job)
    if (!isUnended(job)) return job
    await new Promise((resolve) => setTimeout(resolve, pause))
    await pageSeen()
    signal?.throwIfAborted()
  }
}

/** Cancels a job after its present step. */
export async function cancelJob(jobId: string): Promise<void> {
  await post(`${pathOf(jobId)}/cancel`)
}

/** Undoes what a run has changed; answers what is undone, and what is refused as it has changed since. */
export async function revertRun(runId: string): Promise<Job> {
  const { jobId } = await post<BegunJob>(`/content/categories/runs/${encodeURIComponent(runId)}/revert`)
  const job = await followJob(jobId, () => {})
  changedItems.emit()
  return job
}

/** Undoes what a run has changed; rejects with the first reason, if something has changed since. */
export async function undoRun(runId: string): Promise<void> {
  throwFirst((await revertRun(runId)).failures)
}

/** Throws the first of the failures, if there are any. */
export function throwFirst(failures: readonly JobFailure[]): void {
  const [first] = failures
  if (first) throw new ApiError({ code: 409, message: first.message }, undefined)
}

function pathOf(jobId: string): string {
  return `/portals/self/jobs/${encodeURIComponent(jobId)}`
}

function pageSeen(): Promise<void> {
  if (document.visibilityState === 'visible') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}

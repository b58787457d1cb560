import type { begunRunShape, WireJob } from '../../../src/http/shapes/jobs.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { ApiError } from '../api/call.ts'
import { call, post } from './session.ts'

/** Work of the server on many items, as far as it has come. */
export type Job = Pick<WireJob, 'id' | 'state' | 'done' | 'total' | 'failures'>
export type JobFailure = Job['failures'][number]
export type BegunJob = ValueOf<typeof begunRunShape>

/** Times between two looks at a job, in milliseconds (chosen): a short one is seen to end immediately. */
const pauses = { first: 150, last: 1_000 } as const

/** Whether the job runs, or waits for a place. */
export function isUnended({ state }: Pick<Job, 'state'>): boolean {
  return state === 'running' || state === 'waiting'
}

/** Follows a job to its end; `report` is called with each state. A signal that is aborted ends that, and not the job. */
export async function followJob(jobId: string, report: (job: Job) => void, signal?: AbortSignal): Promise<Job> {
  for (let pause: number = pauses.first; ; pause = Math.min(pause * 2, pauses.last)) {
    const job = await call<Job>(pathOf(jobId), {}, { signal })
    report(job)
    if (!isUnended(job)) return job
    await new Promise((resolve) => setTimeout(resolve, pause))
    signal?.throwIfAborted()
  }
}

/** Cancels a job after its present step. */
export async function cancelJob(jobId: string): Promise<void> {
  await post(`${pathOf(jobId)}/cancel`)
}

/** Throws the first of the failures, if there are any. */
export function throwFirst(failures: readonly JobFailure[]): void {
  const [first] = failures
  if (first) throw new ApiError({ code: 409, message: first.message }, undefined)
}

function pathOf(jobId: string): string {
  return `/portals/self/jobs/${encodeURIComponent(jobId)}`
}

import type { WireJob } from '../../../src/http/shapes/jobs.ts'
import { call, post } from './session.ts'

/** Milliseconds between two readings of a job. */
const readInterval = 1_000

/** Follows a job until it has ended; a signal that is aborted cancels it after its present step. */
export async function followJob(
  jobId: string,
  showProgress: (job: Pick<WireJob, 'done' | 'total'>) => void,
  signal: AbortSignal,
): Promise<WireJob> {
  const path = `/portals/self/jobs/${encodeURIComponent(jobId)}`
  for (let isCancelled = false; ; ) {
    const job = await call<WireJob>(path)
    showProgress(job)
    if (job.ended !== null) return job
    if (signal.aborted && !isCancelled) {
      isCancelled = true
      // A job that has ended meanwhile cannot be cancelled: its end is read next.
      await post(`${path}/cancel`).catch(() => {})
    }
    await new Promise((resolve) => setTimeout(resolve, readInterval))
  }
}

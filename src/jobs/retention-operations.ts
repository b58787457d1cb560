import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { jobRetention, runRetention } from './job.ts'
import type { JobStore } from './store.ts'

/** Removes a bounded number of jobs that ended long ago. */
export async function removeOldJobs({ jobs }: { readonly jobs: JobStore }, { now }: Call): Promise<WithAuditDetails> {
  await jobs.removeJobs(now - jobRetention, now - runRetention)
  return { audit: nothingDone }
}

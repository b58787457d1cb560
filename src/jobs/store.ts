import type { Page, Slice } from '../paging.ts'
import type { Job } from './job.ts'

/** Reading methods of jobs. */
export interface JobReader {
  findJob(jobId: string): Promise<Job | undefined>
  /** Those that one user began, or all of the organization; the last that began first. */
  listJobs(portalId: string, starterId: string | undefined, page: Page): Promise<Slice<Job>>
  /** The running job whose last step was longest ago. */
  findNextJob(): Promise<Job | undefined>
  countRunningJobs(portalId: string): Promise<number>
}

/** The jobs' store. */
export interface JobStore extends JobReader {
  addJob(job: Job): Promise<void>
  /** After a step, or at the end. */
  putJob(job: Job): Promise<void>
  /** Removes a bounded number of jobs that ended before then. */
  removeJobs(endedBefore: number): Promise<void>
}

import type { Page, Slice } from '../paging.ts'
import type { Job } from './job.ts'

/** Reading methods of jobs. */
export interface JobReader {
  findJob(jobId: string): Promise<Job | undefined>
  /** Jobs of one starter, or of the whole organization; the latest start first. */
  listJobs(portalId: string, starterId: string | undefined, page: Page): Promise<Slice<Job>>
  /** The running job with the oldest last step. */
  findNextJob(): Promise<Job | undefined>
  countRunningJobs(portalId: string): Promise<number>
}

/** The jobs' store. */
export interface JobStore extends JobReader {
  addJob(job: Job): Promise<void>
  /** Stores a job after a step or at its end. */
  putJob(job: Job): Promise<void>
  /** Removes a bounded number of jobs that ended before this time. */
  removeJobs(endedBefore: number): Promise<void>
}

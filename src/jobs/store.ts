import type { Page, Slice } from '../paging.ts'
import type { Job, JobItem, JobKind } from './job.ts'

/** Reading methods of jobs. */
export interface JobReader {
  findJob(jobId: string): Promise<Job | undefined>
  /** Jobs of one starter, or of the whole organization; the latest start first. */
  listJobs(portalId: string, starterId: string | undefined, page: Page, kinds?: readonly JobKind[]): Promise<Slice<Job>>
  /** The running job with the oldest last step. */
  findNextJob(): Promise<Job | undefined>
  countRunningJobs(portalId: string): Promise<number>
  /** Whether the user has started a job of the kind that still runs. */
  isRunning(kind: JobKind, starterId: string): Promise<boolean>
  /** The next things that the job does, after one of them. */
  listJobItems(jobId: string, after: number, max: number): Promise<readonly JobItem[]>
}

/** The jobs' store. */
export interface JobStore extends JobReader {
  addJob(job: Job): Promise<void>
  /** Stores a job after a step or at its end, with which the things that it did are removed. */
  putJob(job: Job): Promise<void>
  addJobItems(jobId: string, items: readonly JobItem[]): Promise<void>
  /** Removes a bounded number of jobs that ended before the time for their kind. */
  removeJobs(endedBefore: number, runsEndedBefore: number): Promise<void>
}

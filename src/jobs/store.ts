import type { Page, Slice } from '../paging.ts'
import type { Job, JobFailure, JobInTurn, JobItem, JobKind } from './job.ts'

/** Jobs that have not ended. */
export interface UnendedJobs {
  /** Running jobs of the organization. */
  readonly running: number
  /** Unended jobs of one starter. */
  readonly ofPerson: { readonly running: number; readonly waiting: number }
}

/** Figures of all organizations. */
export interface JobFigures {
  readonly running: number
  readonly waiting: number
  /** Time of the oldest last step of a running job. */
  readonly oldestStep: number | undefined
}

/** Reading methods of jobs. */
export interface JobReader {
  findJob(jobId: string): Promise<Job | undefined>
  /** Input of a job that has not ended. */
  findJobInput(jobId: string): Promise<object | undefined>
  /** Jobs of one starter, or of the whole organization; the latest start first. */
  listJobs(portalId: string, starterId: string | undefined, page: Page, kinds?: readonly JobKind[]): Promise<Slice<Job>>
  listRunningJobs(): Promise<readonly JobInTurn[]>
  countUnendedJobs(portalId: string, starterId: string): Promise<UnendedJobs>
  countJobs(): Promise<JobFigures>
  /** The job of the organization that has waited longest for one of so many places of a person. */
  findWaitingJob(
    portalId: string,
    place: { readonly maxOfPerson: number; readonly byAdministrator: boolean },
  ): Promise<string | undefined>
  /** Whether the user has started a job of the kind that has not ended. */
  isRunning(kind: JobKind, starterId: string): Promise<boolean>
  /** The next things that the job does, after one of them. */
  listJobItems(jobId: string, after: number, max: number): Promise<readonly JobItem[]>
  /** The next one, also where its data cannot be read. */
  findJobRow(jobId: string, after: number): Promise<{ readonly row: number; readonly itemId: string } | undefined>
}

/** The jobs' store. */
export interface JobStore extends JobReader {
  addJob(job: Job, input: object): Promise<void>
  /** Stores a job after a step or at its end, with which its input and the things that it did are removed. Ends its lease. */
  putJob(job: Job): Promise<void>
  /** Starts a job that has waited. */
  startJob(jobId: string, now: number): Promise<void>
  /** Leases a running job, unless another server has; returns whether it did. */
  leaseJob(jobId: string, holder: string, now: number, until: number): Promise<boolean>
  /** Records a step that failed unexpectedly, and ends the lease; returns how many did so in a row, 0 for a job that has ended. */
  addFailedStep(jobId: string): Promise<number>
  /** Ends a job without reading it; returns its organization. */
  failJob(jobId: string, failure: JobFailure, now: number): Promise<string | undefined>
  addJobItems(jobId: string, items: readonly JobItem[]): Promise<void>
  /** Removes a bounded number of jobs that ended before the time for their kind. */
  removeJobs(endedBefore: number, runsEndedBefore: number): Promise<void>
  /** Removes a bounded number of the starter's oldest ended jobs above a number; runs that can be undone do not count. */
  removeExcessJobs(starterId: string, max: number): Promise<void>
}

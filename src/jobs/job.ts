import type { AuditDetails } from '../call/audit-details.ts'

/** Work that takes longer than a request (chosen): it is done in steps, each one a transaction, and survives a restart. */

export const jobKinds = ['transferItems', 'changeItems', 'importItemCategories', 'revertItemRun'] as const
export type JobKind = (typeof jobKinds)[number]

/** Kinds whose changes of items can be undone together: runs. */
export const runKinds = ['changeItems', 'importItemCategories', 'revertItemRun'] as const satisfies readonly JobKind[]

export const jobStates = ['running', 'completed', 'completed_with_failures', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** Failure of one item, or of the job itself; an item's failure does not end the job. */
export interface JobFailure {
  /** Absent where the job itself could not go on. */
  readonly itemId?: string
  readonly code: number
  readonly message: string
}

export interface Job {
  readonly jobId: string
  readonly portalId: string
  readonly kind: JobKind
  /** User who started the job; each step runs with the present rights of this user. */
  readonly starterId: string
  /** Input of the job; its shape depends on the kind. */
  readonly input: object
  readonly state: JobState
  /** Number of items that were processed, failed ones included. */
  readonly done: number
  /** Number of items when the job started. */
  readonly total: number
  /** The first failures, at most `maxJobFailures`. */
  readonly failures: readonly JobFailure[]
  /** Cursor after which the next step begins; empty before the first step. */
  readonly position: string
  /** Epoch milliseconds, as all times. */
  readonly startedAt: number
  /** Time of the last step, or of the beginning. */
  readonly steppedAt: number
  /** Undefined while the job runs. */
  readonly endedAt: number | undefined
}

/** Result of a step. */
export interface JobStep {
  /** Number of items that were processed. */
  readonly done: number
  readonly failures: readonly JobFailure[]
  /** Cursor after which the next step begins; undefined when nothing is left. */
  readonly position: string | undefined
  /** Audit entries to write. */
  readonly entries: readonly AuditDetails[]
}

/** Maximum failures that a job lists (chosen). */
export const maxJobFailures = 100

/** Maximum jobs of an organization that run concurrently (chosen): their steps alternate. */
export const maxRunningJobs = 20

/** Milliseconds for which a job can be read after its end: 30 days, a run 90 days. */
export const jobRetention = 30 * 86_400_000
export const runRetention = 90 * 86_400_000

/** One of the things that a job does, in their order from 1; most often an item. */
export interface JobItem {
  readonly row: number
  /** JSON object; its shape depends on the kind of the job. */
  readonly data: object
}

import type { AuditDetails } from '../call/audit-details.ts'

/** Work that takes longer than a request (chosen): it is done in steps, each one a transaction, and survives a restart. */

export const jobKinds = ['transferItems'] as const
export type JobKind = (typeof jobKinds)[number]

export const jobStates = ['running', 'completed', 'completed_with_failures', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** What could not be done, and why; the rest is done nevertheless. */
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
  /** Who began it, as who each step is done. */
  readonly starterId: string
  /** What the kind needs to know. */
  readonly input: object
  readonly state: JobState
  /** How many were looked at, whatever came of them. */
  readonly done: number
  /** How many there were when it began. */
  readonly total: number
  /** The first of them, at most `maxJobFailures`. */
  readonly failures: readonly JobFailure[]
  /** After what the next step begins; empty before the first one. */
  readonly position: string
  /** Epoch milliseconds, as all times. */
  readonly startedAt: number
  /** Time of the last step, or of the beginning. */
  readonly steppedAt: number
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
}

/** What came of a step. */
export interface JobStep {
  /** How many were looked at. */
  readonly done: number
  readonly failures: readonly JobFailure[]
  /** After what the next step begins; undefined when nothing is left. */
  readonly position: string | undefined
  /** Entries of the log. */
  readonly entries: readonly AuditDetails[]
}

/** Most failures that a job names (chosen). */
export const maxJobFailures = 100

/** Most jobs of an organization that run at once (chosen): they take turns. */
export const maxRunningJobs = 20

/** Milliseconds for which a job can be read after its end (chosen). */
export const jobRetention = 30 * 86_400_000

import type { AuditDetails } from '../call/audit-details.ts'
import { field, type Named, pickFields, type RecordOf } from '../record.ts'

/** Work that takes longer than a request (chosen): it is done in steps, each one a transaction, and survives a restart. */

export const jobKinds = ['transferItems', 'changeItems', 'importItemCategories', 'revertItemRun'] as const
export type JobKind = (typeof jobKinds)[number]

/** Kinds whose changes of items can be undone together: runs. */
export const runKinds = ['changeItems', 'importItemCategories', 'revertItemRun'] as const satisfies readonly JobKind[]

export const jobStates = ['waiting', 'running', 'completed', 'completed_with_failures', 'failed', 'cancelled'] as const

/** Failure of one item, or of the job itself; an item's failure does not end the job. */
export interface JobFailure {
  /** Absent where the job itself could not go on. */
  readonly itemId?: string
  readonly code: number
  readonly message: string
}

export const jobFields = {
  jobId: field.id(),
  portalId: field.text(),
  kind: field.choice(jobKinds),
  /** User who started the job; each step runs with the present rights of this user. */
  starterId: field.id(),
  /** Whether that was an administrator of the organization, for whom places are kept. */
  byAdministrator: field.flag(),
  /** Run that it undoes. */
  reverts: field.id().optional(),
  state: field.choice(jobStates),
  /** Number of items that were processed, failed ones included. */
  done: field.number(),
  /** Number of items when the job started. */
  total: field.number(),
  /** The first failures, at most `maxJobFailures`. */
  failures: field.json<readonly JobFailure[]>(),
  /** Cursor after which the next step begins; empty before the first step. */
  position: field.text(),
  startedAt: field.time(),
  /** Time of the last step, or of the beginning. */
  steppedAt: field.time(),
  /** Undefined while the job runs or waits. */
  endedAt: field.time().optional(),
}

export interface Job extends RecordOf<typeof jobFields>, Named {}

/** A job with its input, which is kept until it ends; the shape depends on the kind. */
export interface BegunJob extends Job {
  readonly input: object
}

export const jobInTurnFields = {
  ...pickFields(jobFields, ['jobId', 'portalId', 'starterId', 'steppedAt']),
  /** Steps that failed unexpectedly since the last one that was done. */
  failedSteps: field.number(),
  /** Server that takes the present step, until when. */
  leasedBy: field.text().optional(),
  leasedUntil: field.time().optional(),
}

/** A running job as it takes turns with others. */
export interface JobInTurn extends RecordOf<typeof jobInTurnFields>, Named {}

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

/** Maximum characters of the message of one. */
export const maxFailureLength = 250

/** Maximum jobs of an organization that run concurrently (chosen): their steps alternate. */
export const maxRunningJobs = 20
/** Places among these that are kept for administrators. */
export const placesOfAdministrators = 2
/** Maximum jobs of one person that run, and that wait for a place. */
export const maxRunningOfPerson = 2
export const maxWaitingOfPerson = 20

/** Steps that may fail unexpectedly, one after the other, before their item is given up; twice as many end the job. */
export const maxFailedSteps = 3
/** Items that are given up so before the job fails as a whole (chosen): they may all have the same reason. */
export const maxUnexpectedFailures = 10

/** Milliseconds after which a step that a server has begun may be taken by another one (chosen): longer than any step. */
export const leaseMilliseconds = 10_000

/** Maximum ended jobs of a person that are kept, beside the runs that can still be undone. */
export const maxEndedOfPerson = 200

/** Milliseconds for which a job can be read after its end: 30 days, a run 90 days. */
export const jobRetention = 30 * 86_400_000
export const runRetention = 90 * 86_400_000

/** One of the things that a job does, in their order from 1; most often an item. */
export interface JobItem {
  readonly row: number
  /** JSON object; its shape depends on the kind of the job. */
  readonly data: object
}

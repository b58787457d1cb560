import type { JobKind, JobState } from '../../../jobs/job.ts'

export interface JobRow {
  job_id: string
  portal_id: string
  kind: JobKind
  starter_id: string
  /** JSON. */
  input: string
  state: JobState
  done: number
  total: number
  /** JSON. */
  failures: string
  position: string
  started_at: number
  /** Time of the last step, or of the beginning. */
  stepped_at: number
  /** Null while the job runs. */
  ended_at: number | null
}

/** A row that a job works through: one item, for the most part. */
export interface JobItemRow {
  job_id: string
  /** From 1, in the order in which they are done. */
  row: number
  /** JSON. */
  data: string
}

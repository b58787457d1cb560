import type { JobKind, JobState } from '../../../jobs/job.ts'

export interface JobRow {
  job_id: string
  portal_id: string
  kind: JobKind
  starter_id: string
  /** 1 or 0. */
  by_administrator: number
  /** Id of the run that it undoes. */
  reverts: string | null
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
  /** Steps that failed unexpectedly since the last one that was done. */
  failed_steps: number
  /** Server that takes the present step, until when. */
  leased_by: string | null
  leased_until: number | null
}

/** A row that a job works through: one item, for the most part. Row 0 is the input of the job. */
export interface JobItemRow {
  job_id: string
  /** Position in the order in which rows are done; 0 has the input of the job. */
  row: number
  /** JSON. */
  data: string
}

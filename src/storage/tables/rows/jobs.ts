import type { jobFields, jobInTurnFields } from '../../../jobs/job.ts'
import type { RowOf } from '../../../record.ts'

interface JobRow extends RowOf<typeof jobFields>, RowOf<typeof jobInTurnFields> {}

/** A row that a job works through: one item, for the most part. Row 0 is the input of the job. */
interface JobItemRow {
  job_id: string
  /** Position in the order in which rows are done; 0 has the input of the job. */
  row: number
  /** JSON. */
  data: string
}

export interface JobTables {
  jobs: JobRow
  job_items: JobItemRow
}

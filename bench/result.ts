/** Rows, figures, and whether these meet their goals. */

export interface Row {
  readonly name: string
  /** Undefined for a figure without a goal. */
  readonly goal?: number
  readonly direction: 'at least' | 'at most'
  /** Unit of the figure, such as `ms` or `× floor`. */
  readonly unit: string
  measure(run: Run): Promise<Figure>
}

/** Selection of the rows, and the time that is spent on a figure. */
export interface Run {
  readonly rounds: number
  readonly milliseconds: number
  readonly warmMilliseconds: number
  /** Seconds before a server is called idle. */
  readonly idleSeconds: number
  /** Seconds of load before memory is measured. */
  readonly loadSeconds: number
  /** Maximum rows that a database is filled with. */
  readonly maxRows: number
  /** Folder of the checkout whose server is measured. */
  readonly checkout: string
  /** Substring of the names of the rows that are measured. */
  readonly only: string
}

/** Cost of a request on one server. */
export interface Cost {
  /** Processor time, all threads together. */
  readonly microseconds: number
  /** Microseconds of all processes of its PostgreSQL. */
  readonly ofPostgres?: number
  readonly perSecond: number
}

/** Median of all rounds, with the minimum and the maximum. */
export interface Figure {
  readonly value: number
  readonly min: number
  readonly max: number
  /** Costs from which the figure is computed, by server. */
  readonly costs?: Readonly<Record<string, Cost>>
  readonly remark?: string
}

/** A row with its figure, as it is kept in results.json. */
export interface Result extends Partial<Figure>, Omit<Row, 'measure'> {
  readonly verdict: Verdict
}

export type Verdict = 'met' | 'missed' | 'no goal' | 'not measured'

/** Reason, as one sentence, why a row cannot be measured here. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured'
}

export async function resultOf({ measure, ...row }: Row, run: Run): Promise<Result> {
  try {
    const figure = await measure(run)
    return { ...row, ...figure, verdict: judge(row, figure.value) }
  } catch (error) {
    if (error instanceof NotMeasured) return { ...row, remark: error.message, verdict: 'not measured' }
    throw error
  }
}

function judge({ goal, direction }: Omit<Row, 'measure'>, value: number): Verdict {
  if (goal === undefined) return 'no goal'
  return (direction === 'at least' ? value >= goal : value <= goal) ? 'met' : 'missed'
}

/** A row whose figure is derived from a shared measurement. */
export interface Part<Seen> extends Omit<Row, 'measure'> {
  figure(seen: Seen): Figure
}

/** Measures once for several rows, and only if one of them is selected. */
export async function* resultsOf<Seen>(
  parts: readonly Part<Seen>[],
  run: Run,
  measure: () => Promise<Seen>,
): AsyncIterable<Result> {
  const wanted = parts.filter(({ name }) => name.includes(run.only))
  if (wanted.length === 0) return
  const seen = measure()
  for (const { figure, ...row } of wanted) {
    yield await resultOf({ ...row, measure: async () => figure(await seen) }, run)
  }
}

export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((one, other) => one - other)
  return { value: sorted[Math.floor(sorted.length / 2)]!, min: sorted[0]!, max: sorted.at(-1)! }
}

export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Median; the upper one of the two middle values. */
export function medianOf(values: readonly number[]): number {
  return figureOf(values).value
}

/** Welch's t of two samples. */
export function welchOf(one: readonly number[], other: readonly number[]): number {
  const [first, second] = [one, other].map((values) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
    return { mean, error: variance / values.length }
  })
  return (first!.mean - second!.mean) / Math.sqrt(first!.error + second!.error)
}

/** What is measured, what came out, and whether that is enough. */

export interface Row {
  readonly name: string
  readonly goal: number
  readonly direction: 'at least' | 'at most'
  readonly unit: Unit
  /** Where the goal is out of reach: what was reached instead, and why no more. */
  readonly reached?: { readonly value: number; readonly because: string }
  /** Left out of the short form, for the time that it takes. */
  readonly isLong?: true
  measure(run: Run): Promise<Figure>
}

export type Unit =
  | '× floor'
  | '× the other'
  | '× assign'
  | '× alone'
  | '× without items'
  | '× 1,000 groups'
  | 'ms'
  | 'µs'
  | 's'
  | 'MB'
  | 'packages'

/** How much time is taken for a figure. */
export interface Run {
  readonly rounds: number
  readonly milliseconds: number
  readonly warmMilliseconds: number
  /** Seconds before a server is called idle. */
  readonly idleSeconds: number
}

/** The median of all rounds, with the least and the most. */
export interface Figure {
  readonly value: number
  readonly least: number
  readonly most: number
  /** What the ratio was made of, per second. */
  readonly parts?: { readonly service: number; readonly floor: number }
  readonly remark?: string
}

/** A row with what came out of it, as it is kept in results.json. */
export interface Result extends Partial<Figure> {
  readonly name: string
  readonly goal: number
  readonly direction: Row['direction']
  readonly unit: Unit
  readonly reached?: Row['reached']
  readonly verdict: Verdict
}

export type Verdict = 'met' | 'missed' | 'not measured'

/** One sentence: why a row cannot be measured here. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured'
}

export async function resultOf({ measure, isLong: _, ...row }: Row, run: Run): Promise<Result> {
  try {
    const figure = await measure(run)
    const isMet = row.direction === 'at least' ? figure.value >= row.goal : figure.value <= row.goal
    return { ...row, ...figure, verdict: isMet ? 'met' : 'missed' }
  } catch (error) {
    if (error instanceof NotMeasured) return { ...row, remark: error.message, verdict: 'not measured' }
    throw error
  }
}

/** Not even half of what was wanted, or of what was reached where that is less. */
export function isFarOff({ value, goal, reached, direction }: Result): boolean {
  if (value === undefined) return false
  const wanted = reached?.value ?? goal
  return direction === 'at least' ? value < wanted / 2 : value > wanted * 2
}

export function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((one, other) => one - other)
  return { value: sorted[Math.floor(sorted.length / 2)]!, least: sorted[0]!, most: sorted.at(-1)! }
}

/** The middle one, or the upper of both. */
export function medianOf(values: readonly number[]): number {
  return figureOf(values).value
}

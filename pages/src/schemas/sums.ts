import type { DiffSummary } from '../../../src/categories/diff/change.ts'

/** Sums of a change of a schema, in display order. */
const sumNames = [
  'added',
  'removed',
  'renamed',
  'moved',
  'merged',
  'changed',
  'reordered',
] as const satisfies readonly (keyof DiffSummary)[]

export type SumName = (typeof sumNames)[number]

/** Names of the sums that are not 0. */
export function presentSums(counts: Readonly<Partial<Record<SumName, number>>>): readonly SumName[] {
  return sumNames.filter((name) => (counts[name] ?? 0) > 0)
}

/** Whether a value of the log has only sums that this version knows. */
export function areSums(value: unknown): value is Readonly<Partial<Record<SumName, number>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names: readonly string[] = sumNames
  return Object.entries(value).every(([name, count]) => names.includes(name) && Number.isSafeInteger(count))
}

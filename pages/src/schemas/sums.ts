import type { DiffSummary } from '../../../src/categories/diff/change.ts'

/** The sums of a change of a schema, in the order in which they are said. */
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

/** Those that are not 0. */
export function presentSums(counts: Readonly<Partial<Record<SumName, number>>>): readonly SumName[] {
  return sumNames.filter((name) => (counts[name] ?? 0) > 0)
}

/** Whether what was written to the log has the sums that this version knows, and nothing else. */
export function areSums(value: unknown): value is Readonly<Partial<Record<SumName, number>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names: readonly string[] = sumNames
  return Object.entries(value).every(([name, count]) => names.includes(name) && Number.isSafeInteger(count))
}

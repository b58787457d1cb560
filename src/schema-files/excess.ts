import type { SchemaLimits } from '../categories/limits.ts'
import { say } from '../sentences/say.ts'
import type { Branch } from './schema-file.ts'

/** Sentences on files that are larger than a category schema, and the parts of them that are not. */

/** Levels and branches that a sentence lists. */
const maxListed = 20
/** Branches that a refusal carries (chosen). */
export const maxBranches = 200

/** Categories on each level, from the roots down. */
export type LevelCounts = readonly number[]

export function isWithin(counts: LevelCounts, limits: SchemaLimits): boolean {
  return counts.length <= limits.levels && sumOf(counts) <= limits.categories
}

export function sumOf(counts: LevelCounts): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The refusal of a file that is too deep or too large, with what to do about it. `subject` is what would be too large. */
export function describeExcess(
  counts: LevelCounts,
  branches: readonly Branch[],
  {
    limits,
    subject,
    maxCounted = Number.POSITIVE_INFINITY,
    cure,
  }: {
    readonly limits: SchemaLimits
    readonly subject: string
    readonly maxCounted?: number
    /** A further way out, which only the format has. */
    readonly cure?: string | undefined
  },
): string {
  const levels = `${counts.length}${counts.length === maxCounted ? ' or more' : ''}`
  const listed = counts.slice(0, maxListed).map(formatCount).join(', ')
  const rest = counts.length > maxListed ? ', …' : ''
  const cures = [
    ...(branches.length > 0 ? ['root=<id> takes one branch'] : []),
    ...(counts.length > limits.levels ? ['depth=cut leaves out what is too deep'] : []),
    ...(cure === undefined ? [] : [cure]),
  ]
  const branched = branches.length > 0 ? ` ${describeBranches(branches)}` : ''
  return say('excess', {
    subject,
    count: formatCount(sumOf(counts)),
    levels,
    listed: listed + rest,
    max: limits.categories,
    maxLevels: limits.levels,
    cures: branched + (cures.length > 0 ? ` ${cures.join(', ')}.` : ''),
  })
}

/** Doubled at each level, a number may exceed what can be counted. */
function formatCount(count: number): string {
  return count > 1_000_000_000 ? 'more than a billion' : String(count)
}

function describeBranches(branches: readonly Branch[]): string {
  const listed = branches.slice(0, maxListed).map(({ id, label, categories }) => `${label} ${id} (${categories})`)
  const rest = branches.length - listed.length
  return `Branches that fit: ${listed.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`
}

/** Branches by their labels, as many as a refusal carries. */
export function sortBranches(branches: readonly Branch[]): readonly Branch[] {
  const { compare } = new Intl.Collator('en', { numeric: true })
  return branches.slice(0, maxBranches).sort((one, other) => compare(one.label, other.label))
}

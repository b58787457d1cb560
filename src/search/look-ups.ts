import type { Condition, SearchFields } from './condition.ts'

/**
 * Index look-ups of a query, limited so that no query takes seconds: both engines compare each record that they find with all
 * look-ups, and can be interrupted only between records.
 */

/** Maximum, above what real queries have: hundreds of ids and types, or 170 words without a field (chosen). */
export const maxLookUps = 1_024

/** Look-ups of a prefix, which stands for any number of values, and of a pattern or range, which is evaluated for each record. */
const lookUpsOfWildcard = 8

/** Counts look-ups; repeated ones count once. */
export function countLookUps<Fields extends SearchFields>(condition: Condition<Fields>): number {
  const counts = new Map<string, number>()
  const waiting: Condition[] = [condition as Condition]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'and' || next.kind === 'or') waiting.push(...next.of)
    else if (next.kind === 'not') waiting.push(next.of)
    else counts.set(JSON.stringify(next), lookUpsOf(next))
  }
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function lookUpsOf(leaf: Condition): number {
  switch (leaf.kind) {
    case 'words':
      return leaf.fields.length * (leaf.words.length - 1 + (leaf.isPrefix ? lookUpsOfWildcard : 1))
    case 'key':
      return leaf.isPrefix ? lookUpsOfWildcard : 1
    case 'pattern':
    case 'between':
      return lookUpsOfWildcard
    default:
      return 1
  }
}

import type { Condition, SearchFields } from './condition.ts'

/**
 * What a query makes the index look up, so that none takes seconds whatever it says: both engines compare each record that they
 * find with everything that is looked up, and can be interrupted only in between.
 */

/** More than real queries have: hundreds of ids and types, or 170 words without a field (chosen). */
export const mostLookUps = 1_024

/** Of the beginning of a word or value: it stands for any number of them. And of what is asked of each record by itself. */
const lookUpsOfWildcard = 8

/** What is repeated counts once. */
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

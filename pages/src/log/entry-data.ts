import { areSums, presentSums, type SumName } from '../schemas/sums.ts'

/** What a member of the `data` of an entry says. */
export type EntryData =
  | { readonly kind: 'sums'; readonly sums: readonly { readonly name: SumName; readonly count: number }[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }

/** Usernames, or ids of groups. */
const lists: ReadonlySet<string> = new Set(['users', 'groups'])

/** What this version does not know by its name, or otherwise, is shown as it was written. */
export function readEntryData(name: string, value: unknown): EntryData {
  if (name === 'summary' && areSums(value)) {
    return { kind: 'sums', sums: presentSums(value).map((name) => ({ name, count: value[name]! })) }
  }
  if (lists.has(name) && areTexts(value)) return { kind: 'names', names: value }
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

import { areSums, presentSums, type SumName } from '../schemas/sums.ts'

/** Parsed field of the `data` of an entry. */
export type EntryData =
  | { readonly kind: 'sums'; readonly sums: readonly { readonly name: SumName; readonly count: number }[] }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }

/** Fields that list usernames or ids of groups. */
const lists: ReadonlySet<string> = new Set(['users', 'groups'])

/** Parses a field; one with an unknown name or form is shown as it was written. */
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

import { findTextProblem } from '../../../plain-text.ts'
import { say } from '../../../sentences/say.ts'
import { type Parameter, Wrong } from '../parameter-types.ts'

/** Conjunction of lists: each list holds if one of its entries does. */
export type ListsOfEntries = readonly (readonly string[])[]

interface Rules {
  /** Maximum number of lists. */
  readonly lists: number
  /** Maximum number of entries in one list. */
  readonly entries: number
}

/** Maximum lengths of one parameter and of one entry, in UTF-16 code units. */
const maxValueLength = 10_240
const maxEntryLength = 1_000

/**
 * Lists as clients write them: repeated parameters of comma lists, a JSON string of a comma list, a JSON array of entries, or
 * a JSON array of such lists (observed).
 */
export function optionalLists(meaning: string, rules: Rules): Parameter<ListsOfEntries> {
  return {
    type: 'list',
    isRequired: false,
    meaning,
    read: (given) => readLists(given === undefined ? [] : [given], rules),
    readRepeated: (given) => readLists(given, rules),
  }
}

function readLists(values: readonly string[], { lists: maxLists, entries: maxEntries }: Rules): ListsOfEntries | Wrong {
  const lists: (readonly string[])[] = []
  for (const value of values) {
    const read = readValue(value.trim())
    if (read instanceof Wrong) return read
    lists.push(...read.map(tidy).filter((list) => list.length > 0))
  }
  if (lists.length > maxLists) return new Wrong(`has ${lists.length} lists; at most ${maxLists} are allowed.`)
  for (const list of lists) {
    if (list.length > maxEntries) return new Wrong(`has a list of ${list.length}; at most ${maxEntries} are allowed.`)
    const problem = list.map((entry) => findTextProblem(entry, maxEntryLength)).find((found) => found !== undefined)
    if (problem !== undefined) return new Wrong(say('entryWrong', { problem }))
  }
  return lists
}

/** Entries have no commas: neither paths nor titles may have one. */
function tidy(list: readonly string[]): readonly string[] {
  const entries = list.flatMap((text) => text.split(',')).map((entry) => entry.trim())
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

function readValue(value: string): ListsOfEntries | Wrong {
  if (value.length > maxValueLength) {
    return new Wrong(say('tooLong', { length: value.length, max: maxValueLength }))
  }
  if (!value.startsWith('[') && !value.startsWith('"')) return [[value]]
  const json = parseJson(value)
  if (typeof json === 'string') return [[json]]
  if (!Array.isArray(json)) return new Wrong('begins like JSON, and is none.')
  const entries: readonly unknown[] = json
  if (entries.every((entry) => typeof entry === 'string')) return [entries]
  if (entries.every(isList)) return entries.map((entry) => [entry].flat())
  return new Wrong('has to be a list of texts, or a list of such lists.')
}

function isList(entry: unknown): entry is string | readonly string[] {
  return typeof entry === 'string' || (Array.isArray(entry) && entry.every((text) => typeof text === 'string'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

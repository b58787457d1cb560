import { type EntryRules, findEntriesProblem, trimEntries } from '../../../plain-text.ts'
import { type Parameter, Wrong } from '../parameter-types.ts'

/** Texts with commas between them, or a JSON array of texts: clients write either (observed). */
export function optionalEntries(meaning: string, rules: EntryRules): Parameter<readonly string[] | undefined> {
  return {
    type: 'list',
    isRequired: false,
    meaning,
    read: (given) => (given === undefined ? undefined : readEntries(given.trim(), rules)),
  }
}

/** Empty and repeated entries do not count, so a few more are read than are allowed. */
const readForEach = 10

function readEntries(given: string, { max, maxLength }: EntryRules): readonly string[] | Wrong {
  const maxRead = readForEach * max
  const listed = given.startsWith('[') ? readArray(given, maxRead * (maxLength + 3)) : given.split(',', maxRead + 1)
  if (listed instanceof Wrong) return listed
  if (listed.length > maxRead) return new Wrong(`has more than ${maxRead} entries; at most ${max} are allowed.`)
  const entries = trimEntries(listed)
  const problem = findEntriesProblem(entries, { max, maxLength })
  return problem === undefined ? entries : new Wrong(problem)
}

function readArray(given: string, longest: number): readonly string[] | Wrong {
  if (given.length > longest) return new Wrong(`has ${given.length} characters; at most ${longest} are read.`)
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch {
    return new Wrong('begins with a bracket and is not JSON.')
  }
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string')
  return isList ? (value as readonly string[]) : new Wrong('is not a list of texts.')
}

/** A list like `optionalEntries`, with at least one entry. */
export function requiredEntries(meaning: string, rules: EntryRules): Parameter<readonly string[]> {
  return {
    type: 'list',
    isRequired: true,
    meaning,
    read(given = '') {
      const entries = readEntries(given.trim(), rules)
      return entries instanceof Wrong || entries.length > 0 ? entries : new Wrong('give a value.')
    },
  }
}

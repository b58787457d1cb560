import { fold } from '../../../src/search/folding.ts'
import { findNearest } from '../../../src/spelling.ts'

/** Things by their ids and names. */
export type NamedThings = readonly (readonly [id: string, name: string])[]

interface Named {
  readonly id?: string
  readonly meant?: string
}

/** Finds the id of what a cell names by its name or id; where there is none, the name that was probably meant. */
export function findingNamed(things: NamedThings): (given: string) => Named {
  const folded = things.map(([id, name]) => ({ id, name, key: fold(name) }))
  const names = things.map(([, name]) => name)
  // Cells of a column repeat few names.
  const known = new Map<string, Named>()
  const find = (given: string): Named => {
    const wanted = fold(given.trim())
    const found = folded.find(({ id, key }) => key === wanted || id.toLowerCase() === wanted)
    if (found) return { id: found.id }
    const begun = folded.filter(({ key }) => wanted !== '' && (key.startsWith(wanted) || wanted.startsWith(key)))
    const meant = begun.length === 1 ? begun[0]!.name : findNearest(given, names)
    return meant === undefined ? {} : { meant }
  }
  return (given) => {
    const named = known.get(given) ?? find(given)
    known.set(given, named)
    return named
  }
}

/** Roles also by the English words of their ids, which files of any language have: `publisher` of `org_publisher`. */
export function withEnglish(roles: NamedThings): NamedThings {
  return [...roles, ...roles.map(([id]) => [id, id.replace(/^org_/, '')] as const)]
}

import { fold } from '../../../src/search/folding.ts'
import { findNearest } from '../../../src/spelling.ts'

/** Things by their ids and names. */
export type NamedThings = readonly (readonly [id: string, name: string])[]

/** The id of what a cell names by its name or id; where there is none, the name that was probably meant. */
export function findNamed(given: string, things: NamedThings): { readonly id?: string; readonly meant?: string } {
  const wanted = fold(given.trim())
  const found = things.find(([id, name]) => fold(name) === wanted || id.toLowerCase() === wanted)
  if (found) return { id: found[0] }
  const names = things.map(([, name]) => name)
  const begun = names.filter(
    (name) => wanted !== '' && (fold(name).startsWith(wanted) || wanted.startsWith(fold(name))),
  )
  const meant = begun.length === 1 ? begun[0] : findNearest(given, names)
  return meant === undefined ? {} : { meant }
}

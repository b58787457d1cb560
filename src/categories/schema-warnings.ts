import { isObject } from '../json-text.ts'
import { say } from '../sentences/say.ts'
import { findNearest, withHint } from '../spelling.ts'
import type { CategorySchema } from './schema.ts'
import { listPaths } from './schema-paths.ts'

/** Warnings about a category schema that is accepted and was perhaps not meant (chosen). */

/** One sentence for each path that several categories have. */
export function findTwins(paths: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count > 1)
    .map(([path, count]) => say('twinPaths', { count: count === 2 ? 'Two' : count, path }))
}

const members: ReadonlySet<string> = new Set(['title', 'description', 'categories', 'source'])

/** Maximum number of sentences, and most characters of a name in them. */
const maxSentences = 20
const maxNameLength = 64

/** Members of a category that are not kept, as the text has them. */
export interface DroppedMembers {
  /** JSON pointer of the category. */
  readonly place: string
  readonly category: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
}

/** Lists the members that a valid schema loses, by its text: of the first 20 categories that have such members. */
export function listDroppedMembers(text: string): readonly DroppedMembers[] {
  const found: DroppedMembers[] = []
  const look = (categories: unknown, pointer: string): void => {
    if (!Array.isArray(categories)) return
    for (const [position, category] of categories.entries()) {
      if (found.length === maxSentences || !isObject(category)) return
      const names = Object.keys(category).filter((name) => !members.has(name) || isDroppedSource(name, category))
      const place = `${pointer}/${position}`
      if (names.length > 0) found.push({ place, category, names })
      look(category['categories'], `${place}/categories`)
    }
  }
  const value: unknown = JSON.parse(text)
  look(isObject(value) ? value['categorySchema'] : value, '/categorySchema')
  return found
}

/** One sentence for each of them. */
export function findDroppedMembers(text: string): readonly string[] {
  return listDroppedMembers(text).map(
    ({ place, names }) => `${place} has members that are not kept: ${names.map(shorten).join(', ')}.`,
  )
}

/** One sentence for each of them whose name is near to that of a member that the category does not have. */
export function findMisspeltMembers(text: string): readonly string[] {
  return listDroppedMembers(text).flatMap(({ place, category, names }) => {
    const absent = [...members].filter((name) => !Object.hasOwn(category, name))
    return names.flatMap((name) => {
      const meant = findNearest(name, absent)
      return meant === undefined ? [] : [withHint(`${place}: ${shorten(name)} is not kept`, meant)]
    })
  })
}

function isDroppedSource(name: string, category: Readonly<Record<string, unknown>>): boolean {
  return name === 'source' && typeof category[name] !== 'string'
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name.toWellFormed()
}

/** All warnings of a valid schema, by its text and by what is stored of it. */
export function findSchemaWarnings(text: string, document: string): readonly string[] {
  const schema: CategorySchema = JSON.parse(document)
  return [...findTwins(listPaths(schema)), ...findDroppedMembers(text)]
}

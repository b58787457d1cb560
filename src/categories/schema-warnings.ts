import { isObject } from '../json-text.ts'
import type { CategorySchema } from './schema.ts'
import { listPaths } from './schema-paths.ts'

/** What is accepted in a category schema and was perhaps not meant (chosen). */

/** One sentence for each path that several categories have. */
export function findTwins(paths: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const path of paths) times.set(path, (times.get(path) ?? 0) + 1)
  return [...times]
    .filter(([, count]) => count > 1)
    .map(
      ([path, count]) =>
        `${count === 2 ? 'Two' : count} categories have the path ${path}; items cannot tell them apart.`,
    )
}

const members: ReadonlySet<string> = new Set(['title', 'description', 'categories', 'source'])

/** Most sentences, and most characters of a name in them. */
const mostSentences = 20
const longestName = 64

/** One sentence for each category of a valid schema with members that are not kept, as its text has them. */
export function findDroppedMembers(text: string): readonly string[] {
  const sentences: string[] = []
  const look = (categories: unknown, pointer: string): void => {
    if (!Array.isArray(categories)) return
    for (const [position, category] of categories.entries()) {
      if (sentences.length === mostSentences || !isObject(category)) return
      const dropped = Object.keys(category).filter((name) => !members.has(name) || isDroppedSource(name, category))
      const place = `${pointer}/${position}`
      if (dropped.length > 0)
        sentences.push(`${place} has members that are not kept: ${dropped.map(shorten).join(', ')}.`)
      look(category['categories'], `${place}/categories`)
    }
  }
  const value: unknown = JSON.parse(text)
  look(isObject(value) ? value['categorySchema'] : value, '/categorySchema')
  return sentences
}

function isDroppedSource(name: string, category: Readonly<Record<string, unknown>>): boolean {
  return name === 'source' && typeof category[name] !== 'string'
}

function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name.toWellFormed()
}

/** All warnings of a valid schema, by its text and by what is stored of it. */
export function findSchemaWarnings(text: string, document: string): readonly string[] {
  const schema: CategorySchema = JSON.parse(document)
  return [...findTwins(listPaths(schema)), ...findDroppedMembers(text)]
}

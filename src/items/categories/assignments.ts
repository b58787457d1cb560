import type { Parsed } from '../../call/parsed.ts'
import { isObject } from '../../json-text.ts'
import { say } from '../../sentences/say.ts'
import { itemLimits } from '../item.ts'

/** Paths that an item is to carry; undefined where no list is given. */
export interface Assignment {
  readonly itemId: string
  readonly paths: readonly string[] | undefined
}

/**
 * `[{"<id>": {"categories": ["/A"]}}]`, or `[{"<id>": ["/A"]}]`: clients send either wherever it goes, with one item or
 * several in an object, and texts in place of lists (observed).
 */
export function parseAssignments(value: unknown): Parsed<readonly Assignment[]> {
  if (!Array.isArray(value) || !value.every(isObject)) return { problems: ['has to be an array of objects.'] }
  // Written as an item itself, its members would be read as items that do not exist.
  const isOfItems = value.some((entry) => Object.keys(entry).some((name) => /^(?:(?:item)?id|categories)$/i.test(name)))
  if (isOfItems) return { problems: ['has to name each item by its id: [{"<id>": {"categories": ["/A"]}}].'] }
  const assignments = value.flatMap((entry) =>
    Object.entries(entry).map(([itemId, given]) => ({ itemId, paths: readPaths(given) })),
  )
  const max = itemLimits.itemsInOneCall
  if (assignments.length > max) return { problems: [say('itemsTooMany', { count: assignments.length, max })] }
  return { value: assignments }
}

function readPaths(given: unknown): readonly string[] | undefined {
  const paths = isObject(given) ? given['categories'] : given
  if (typeof paths === 'string')
    return paths
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '')
  const isList = Array.isArray(paths) && paths.every((path) => typeof path === 'string')
  return isList ? paths.filter((path) => path.trim() !== '') : undefined
}

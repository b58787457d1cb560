import { isObject } from '../../json-text.ts'
import type { Connection } from '../network/connection.ts'
import { objectsOf } from '../network/facts.ts'
import type { Place } from './portal.ts'

/** Paths of one search, of which any may hold (documented). */
const maxPaths = 8

/**
 * Different items of the place at or below any of the paths, by one search with documented parameters alone; without paths, all
 * items of the place. Null where one search cannot tell.
 */
export async function countFound(
  connection: Connection,
  portalId: string,
  place: Place,
  paths?: readonly string[],
): Promise<number | null> {
  if (paths?.length === 0) return 0
  if (paths && paths.length > maxPaths) return null
  const path = place.groupId === undefined ? '/search' : `/content/groups/${place.groupId}/search`
  // Without it, a search of ArcGIS counts the public items of all organizations.
  const q = `orgid:${portalId}`
  const { total } = await connection.call(path, {
    q,
    ...(paths && { categories: JSON.stringify(paths) }),
    start: 1,
    num: 1,
  })
  return typeof total === 'number' ? total : null
}

/** Values of one count: more than a schema has categories. */
const maxCounted = 200

export interface CategoryCounts {
  /** Items of the place. */
  readonly total: number
  /** Items at or below a category, by its path in lower case, as a search gives it. */
  readonly byPath: ReadonlyMap<string, number>
}

/** Items at or below each category, by one search. */
export async function countByCategory(connection: Connection, portalId: string, place: Place): Promise<CategoryCounts> {
  const path = place.groupId === undefined ? '/search' : `/content/groups/${place.groupId}/search`
  const counting = { countFields: 'categories', countSize: maxCounted }
  const { total, aggregations } = await connection.call(path, { q: `orgid:${portalId}`, start: 1, num: 1, ...counting })
  const counts = isObject(aggregations) ? objectsOf(aggregations, 'counts') : []
  const values = counts.flatMap((one) => objectsOf(one, 'fieldValues'))
  const byPath = values.map(({ value, count }): [string, number] => [String(value).toLowerCase(), Number(count)])
  return { total: Number(total), byPath: new Map(byPath) }
}

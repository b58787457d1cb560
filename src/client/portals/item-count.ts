import type { Connection } from '../network/connection.ts'
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

import type { IdSet, PathSet } from '../../../categories/carried-paths.ts'
import type { ItemCounter } from '../../../categories/change/impact.ts'
import type { CarriedPaths } from '../../../categories/change/paths.ts'
import { type ItemSearch, isBelowAny, maxPaths, topsOf } from '../item-search.ts'
import type { Place } from '../place.ts'

/** Items that a plan reads one by one, to count exactly what happens to them; more are counted by the portal (chosen). */
const maxRead = 5_000

/** Answers about items that rules of the server need. */
export type CarriedItems = ItemCounter & CarriedPaths

/**
 * Paths that items carry, as searches of a portal show them. `changed` are the paths that a change moves or
 * that vanish, and nothing else is looked for.
 */
export async function findCarried(search: ItemSearch, place: Place, changed: readonly string[]): Promise<CarriedItems> {
  const tops = topsOf(changed)
  let total = 0
  for (let at = 0; at < tops.length; at += maxPaths) total += await search.count(place, tops.slice(at, at + maxPaths))
  const items = total > maxRead ? undefined : total > 0 ? await search.list(place, tops) : []
  const carried = new Set(items?.flatMap(({ categories }) => categories).filter((path) => isBelowAny(path, tops)))
  const paths = items ? [...carried] : changed
  const count = async (set: PathSet | IdSet): Promise<number | undefined> => {
    const wanted = new Set('ids' in set ? set.ids.map((id) => paths[id]!) : set.paths)
    const isWanted = (path: string) => wanted.has(path)
    if (!items) return search.countAtOnce(place, paths, isWanted)
    return items.filter(({ categories }) => categories.some(isWanted)).length
  }
  return {
    isCarried: async (_owner, path) => (await search.count(place, [path])) > 0,
    listCarriedOf: async (_owner, asked) => asked.filter((path) => paths.includes(path)),
    listCarried: async () => paths.map((path, id) => ({ id, path, state: 'primary' })),
    countItems: async (_owner, sets) => {
      const counts: (number | undefined)[] = []
      for (const set of sets) counts.push(await count(set))
      return counts
    },
  }
}

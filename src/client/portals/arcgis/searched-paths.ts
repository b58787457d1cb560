import type { IdSet, PathSet, PlacedCategory } from '../../../categories/carried-paths.ts'
import type { ItemCounter } from '../../../categories/change/impact.ts'
import { isAtOrBelow } from '../../../categories/change/paths.ts'
import type { Place } from '../portal.ts'
import type { FoundItem, ItemSearch } from './item-search.ts'

/** Items that a plan reads one by one, to count exactly what happens to them; more are counted by the portal (chosen). */
const maxRead = 5_000
/** Categories that one search of the portal counts together. */
const maxTops = 8

/**
 * Paths that items carry, as searches of a portal show them. `concerned` are the paths that a change moves or
 * that vanish, and nothing else is looked for.
 */
export async function findCarried(
  search: ItemSearch,
  place: Place,
  concerned: readonly string[],
): Promise<ItemCounter> {
  const tops = concerned.filter((path) => !concerned.some((other) => other !== path && isAtOrBelow(path, other)))
  let total = 0
  for (let at = 0; at < tops.length; at += maxTops) total += await search.count(place, tops.slice(at, at + maxTops))
  if (total > maxRead) return countedByPortal(search, place, concerned)
  return countedOneByOne(total > 0 ? await search.list(place, tops) : [], tops)
}

function countedOneByOne(items: readonly FoundItem[], tops: readonly string[]): ItemCounter {
  const carried = new Set(items.flatMap(({ categories }) => categories))
  const placed = placesOf([...carried].filter((path) => tops.some((top) => isAtOrBelow(path, top))))
  return {
    listCarried: async () => placed,
    countItems: async (_owner, sets) =>
      sets.map((set) => {
        const paths = pathsOf(set, placed)
        return items.filter(({ categories }) => categories.some((path) => paths.has(path))).length
      }),
  }
}

/** A portal counts a category with all below it: sets that leave some of these out are not counted. */
function countedByPortal(search: ItemSearch, place: Place, concerned: readonly string[]): ItemCounter {
  const placed = placesOf(concerned)
  const count = async (set: PathSet | IdSet): Promise<number | undefined> => {
    const paths = pathsOf(set, placed)
    const tops = [...paths].filter((path) => ![...paths].some((other) => other !== path && isAtOrBelow(path, other)))
    const isWhole = concerned.every((path) => paths.has(path) || !tops.some((top) => isAtOrBelow(path, top)))
    return isWhole && tops.length > 0 && tops.length <= maxTops ? search.count(place, tops) : undefined
  }
  return {
    listCarried: async () => placed,
    countItems: async (_owner, sets) => {
      const counts: (number | undefined)[] = []
      for (const set of sets) counts.push(await count(set))
      return counts
    },
  }
}

function placesOf(paths: readonly string[]): readonly PlacedCategory[] {
  return paths.map((path, id) => ({ id, path, state: 'primary' }))
}

function pathsOf(set: PathSet | IdSet, placed: readonly PlacedCategory[]): ReadonlySet<string> {
  return new Set('ids' in set ? set.ids.map((id) => placed[id]!.path) : set.paths)
}

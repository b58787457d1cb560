import type { Kysely } from 'kysely'
import type { CountedField, FacetCounts, ItemSearch } from '../../../../items/search/item-search.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, inParts, type Look, lookBy } from '../../select.ts'
import { compareTexts } from '../index/compare-texts.ts'
import {
  type Counted,
  countFolded,
  largest,
  listPaths,
  nameOwners,
  pathsCounted,
  placesOf,
  type ValueCount,
} from '../index/facets.ts'
import { endOfLists, type ItemColumns, Values } from './item-columns.ts'
import { inPartsOfItems, type ListsOfItems, listsOfAll, type Selected } from './select-seen.ts'

/** Counts the values of the requested fields among the selected items. */
export async function countColumns(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  columns: ItemColumns,
  { countFields, countSize, groupId }: Pick<ItemSearch, 'countFields' | 'countSize' | 'groupId'>,
  { kinds, lists }: Selected,
): Promise<readonly FacetCounts[]> {
  const look = lookBy(db, deadlineCondition)
  const counts = new Map<CountedField, FacetCounts>()
  for (const field of new Set(countFields)) {
    const values =
      field === 'tags'
        ? await countTags(look, columns, lists, countSize)
        : await largest(look, placesOf(await countField(field)), countSize)
    counts.set(field, { field, values })
  }
  return countFields.map((field) => counts.get(field)!)

  async function countField(field: Exclude<CountedField, 'tags'>): Promise<readonly ValueCount[]> {
    if (field === 'categories' || field === 'carried') {
      return countPaths(db, deadlineCondition, columns, { groupId, listOf: pathsCounted[field] }, lists)
    }
    if (field === 'owner') {
      return nameOwners(db, await toCounted(look, kinds, (place) => columns.kinds.all[place]!.owner_id))
    }
    return countFolded(look, await toCounted(look, kinds, (place) => columns.kinds.all[place]![field]))
  }
}

/** Sums counts of places by value. */
async function toCounted(
  look: Look,
  counts: Uint32Array,
  textOf: (place: number) => string,
): Promise<readonly Counted[]> {
  const sums = new Map<string, number>()
  await inParts(look, counts.length, (from, to) => {
    for (let place = from; place < to; place += 1) {
      const number = counts[place]!
      if (number > 0) sums.set(textOf(place), (sums.get(textOf(place)) ?? 0) + number)
    }
  })
  return [...sums].map(([value, number]) => ({ value, number }))
}

/**
 * The commonest tags; those that fold alike count together, in the commonest spelling. Loops go by position: an iterator would
 * double their time.
 */
async function countTags(
  look: Look,
  columns: ItemColumns,
  { lists, begins }: ListsOfItems,
  max: number,
): Promise<readonly ValueCount[]> {
  const { all } = columns.tags
  const counters = columns.takeCounters(all.length)
  /** Counts by the place of a tag. By that of the first tag that folds alike: the sum, and 1 + the place of the commonest spelling. */
  const { counts, sums, commonest } = counters
  await inPartsOfItems(look, { begins }, (from, to) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      const end = endOfLists(lists, begin)
      for (let at = begin + lists[begin]! + 2; at < end; at += 1) counts[lists[at]!]! += 1
    }
  })
  await inParts(look, all.length, (from, to) => {
    for (let place = from; place < to; place += 1) {
      const first = columns.firstAlike(place)
      const number = counts[place]!
      if (number === 0) continue
      sums[first]! += number
      const known = commonest[first]! - 1
      const isCommoner = number > (counts[known] ?? 0)
      if (isCommoner || (number === counts[known] && compareTexts(all[place]!, all[known]!) < 0)) {
        commonest[first] = place + 1
      }
    }
  })
  const first = await largest(
    look,
    { length: all.length, countAt: (place) => sums[place]!, valueAt: (place) => all[commonest[place]! - 1]! },
    max,
  )
  columns.keepCounters(counters)
  return first
}

/** Counts the paths that `listOf` names for those that items carry, each once for an item. */
async function countPaths(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { categories }: ItemColumns,
  { groupId, listOf }: { readonly groupId: string | undefined; readonly listOf: (path: string) => readonly string[] },
  ofItems: ListsOfItems,
): Promise<readonly ValueCount[]> {
  const { lists, begins } = ofItems
  const look = lookBy(db, deadlineCondition)
  const isCarried = new Uint8Array(categories.all.length)
  await inPartsOfItems(look, { begins }, (from, to) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      for (let at = begin + 1; at <= begin + lists[begin]!; at += 1) isCarried[lists[at]!] = 1
    }
  })
  const carried = categories.all.filter((_, place) => isCarried[place] === 1)
  const paths = new Values<string>()
  const pathsOf: (readonly number[])[] = Array.from(categories.all, () => [])
  for (const { id, path } of await listPaths(db, deadlineCondition, groupId, carried)) {
    pathsOf[categories.find(id)!] = listOf(path).map((one) => paths.placeOf(one, one))
  }
  const counts = await countCarrying(look, ofItems, pathsOf, paths.all.length)
  return paths.all.map((value, place) => ({ value, count: counts[place]! }))
}

/** Maximum sets that one pass over all items counts (chosen): their combinations fit into the L1 cache of a processor. */
const setsAtOnce = 12
/** Maximum sets that are counted by such passes: for more, a single, slower pass takes less time (measured). */
const maxTogether = 3 * setsAtOnce

/** Counts the items that carry a category of each set; `setsOf` has the sets of a category by its place. */
async function countCarrying(
  look: Look,
  items: ListsOfItems,
  setsOf: readonly (readonly number[])[],
  sets: number,
): Promise<Uint32Array> {
  const sizes = new Uint32Array(sets)
  for (const set of setsOf.flat()) sizes[set]! += 1
  const larger = [...sizes.keys()].filter((set) => sizes[set]! > 1)
  if (larger.length > maxTogether) return countApart(look, items, setsOf, sets)
  const counts = new Uint32Array(sets)
  let ofCategory: Uint32Array = new Uint32Array()
  for (let first = 0; first === 0 || first < larger.length; first += setsAtOnce) {
    const together = larger.slice(first, first + setsAtOnce)
    const counted = await countTogether(look, items, setsOf, together)
    ofCategory = counted.ofCategory
    for (const [bit, set] of together.entries()) {
      counts[set] = counted.combinations.reduce((sum, number, at) => sum + ((at >> bit) & 1) * number, 0)
    }
  }
  // An item carries a category once: for a set of one category, the count of the category is exact.
  for (const [place, of] of setsOf.entries()) {
    for (const set of of) if (sizes[set] === 1) counts[set] = ofCategory[place]!
  }
  return counts
}

/** Counts any number of sets in one pass, which keeps the item for which each set was counted last. */
async function countApart(
  look: Look,
  { lists, begins }: ListsOfItems,
  setsOf: readonly (readonly number[])[],
  sets: number,
): Promise<Uint32Array> {
  const counts = new Uint32Array(sets)
  const counted = new Uint32Array(sets)
  await inPartsOfItems(look, { begins }, (from, to) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      const end = begin + lists[begin]!
      for (let at = begin + 1; at <= end; at += 1) {
        for (const set of setsOf[lists[at]!]!) {
          if (counted[set] === item + 1) continue
          counted[set] = item + 1
          counts[set]! += 1
        }
      }
    }
  })
  return counts
}

/** Counts the items of each category, and of each combination of sets, which has one bit for each set. */
async function countTogether(
  look: Look,
  { lists, begins }: ListsOfItems,
  setsOf: readonly (readonly number[])[],
  sets: readonly number[],
): Promise<{ readonly ofCategory: Uint32Array; readonly combinations: Uint32Array }> {
  const bits = Uint16Array.from(setsOf, (of) =>
    sets.reduce((all, set, bit) => all | (of.includes(set) ? 1 << bit : 0), 0),
  )
  const ofCategory = new Uint32Array(setsOf.length)
  const combinations = new Uint32Array(1 << sets.length)
  await inPartsOfItems(look, { begins }, (from, to) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      const end = begin + lists[begin]!
      let combination = 0
      for (let at = begin + 1; at <= end; at += 1) {
        const category = lists[at]!
        ofCategory[category]! += 1
        combination |= bits[category]!
      }
      combinations[combination]! += 1
    }
  })
  return { ofCategory, combinations }
}

/** Counts the items, visible to the caller or not, that carry a category of each set. */
export async function countSets(
  look: Look,
  columns: ItemColumns,
  sets: readonly (readonly number[])[],
): Promise<readonly number[]> {
  const { categories } = columns
  const setsOf: number[][] = Array.from(categories.all, () => [])
  for (const [at, set] of sets.entries()) {
    for (const id of set) {
      const place = categories.find(id)
      if (place !== undefined) setsOf[place]!.push(at)
    }
  }
  return [...(await countCarrying(look, listsOfAll(columns), setsOf, sets.length))]
}

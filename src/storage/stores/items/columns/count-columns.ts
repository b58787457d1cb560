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
import { type Counters, type ItemColumns, Values } from './item-columns.ts'
import { type ListsOfItems, listsOfAll, type Selected } from './select-items.ts'

/** Counts the values of the requested fields among the selected items. */
export async function countColumns(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  columns: ItemColumns,
  { countFields, countSize, groupId }: Pick<ItemSearch, 'countFields' | 'countSize' | 'groupId'>,
  selected: Selected,
): Promise<readonly FacetCounts[]> {
  const look = lookBy(db, deadlineCondition)
  const { kinds } = selected
  const counts = new Map<CountedField, FacetCounts>()
  for (const field of new Set(countFields)) {
    const values =
      field === 'tags'
        ? await countTags(look, columns, selected.tags!, countSize)
        : await largest(look, placesOf(await countField(field)), countSize)
    counts.set(field, { field, values })
  }
  return countFields.map((field) => counts.get(field)!)

  async function countField(field: Exclude<CountedField, 'tags'>): Promise<readonly ValueCount[]> {
    if (field === 'categories' || field === 'carried') {
      return countPaths(db, deadlineCondition, columns, { groupId, listOf: pathsCounted[field] }, selected)
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

/** The commonest tags; those that fold alike count together, in the commonest spelling. */
async function countTags(
  look: Look,
  columns: ItemColumns,
  counters: Counters,
  max: number,
): Promise<readonly ValueCount[]> {
  const { all } = columns.tags
  /** Counts by the place of a tag. By that of the first tag that folds alike: the sum, and 1 + the place of the commonest spelling. */
  const { counts, sums, commonest } = counters
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
  selected: Selected,
): Promise<readonly ValueCount[]> {
  const carried = categories.all.filter((_, place) => selected.categories[place]! > 0)
  const paths = new Values<string>()
  const setsOf: (readonly number[])[] = Array.from(categories.all, () => [])
  for (const { id, path } of await listPaths(db, deadlineCondition, groupId, carried)) {
    setsOf[categories.find(id)!] = listOf(path).map((one) => paths.placeOf(one, one))
  }
  const counts = await countCarrying(
    lookBy(db, deadlineCondition),
    selected,
    selected.categories,
    setsOf,
    paths.all.length,
  )
  return paths.all.map((value, place) => ({ value, count: counts[place]! }))
}

/**
 * Counts the items that carry a category of each set; `setsOf` has the sets of a category by its place, and `ofCategory` the
 * number of items that carry it. An item carries a category once: for a set of one category, that number is exact.
 */
async function countCarrying(
  look: Look,
  items: ListsOfItems,
  ofCategory: ArrayLike<number>,
  setsOf: readonly (readonly number[])[],
  sets: number,
): Promise<Uint32Array> {
  const [counts, sizes] = [new Uint32Array(sets), new Uint32Array(sets)]
  for (const [place, of] of setsOf.entries()) {
    for (const set of of) {
      sizes[set]! += 1
      counts[set] = ofCategory[place]!
    }
  }
  const larger = [...sizes.keys()].filter((set) => sizes[set]! > 1)
  for (let first = 0; first < larger.length; first += setsAtOnce) {
    const together = larger.slice(first, first + setsAtOnce)
    const counted = await countTogether(look, items, setsOf, together)
    for (const [bit, set] of together.entries()) counts[set] = counted[bit]!
  }
  return counts
}

/** Sets that one pass over all items counts: one bit of a number for each. */
const setsAtOnce = 32
/** Items between two checks of the deadline (chosen): some milliseconds. */
const itemsOfPart = 50_000

/** Counts the items that carry a category of each of these sets. */
async function countTogether(
  look: Look,
  { lists, begins }: ListsOfItems,
  setsOf: readonly (readonly number[])[],
  sets: readonly number[],
): Promise<Uint32Array> {
  const places = new Map(sets.map((set, bit) => [set, 1 << bit]))
  const bits = Int32Array.from(setsOf, (of) => of.reduce((all, set) => all | (places.get(set) ?? 0), 0))
  const counts = new Uint32Array(setsAtOnce)
  const goThrough = (from: number, to: number) => {
    // By position: an iterator would double the time.
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      const end = begin + lists[begin]!
      let carried = 0
      for (let at = begin + 1; at <= end; at += 1) carried |= bits[lists[at]!]!
      for (; carried !== 0; carried &= carried - 1) counts[31 - Math.clz32(carried & -carried)]! += 1
    }
  }
  await inParts(look, begins.length, goThrough, itemsOfPart)
  return counts
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
  return [...(await countCarrying(look, listsOfAll(columns), columns.carrying, setsOf, sets.length))]
}

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
import { type Counters, type ItemColumns, lengthOfRecord } from './item-columns.ts'
import type { Selected } from './select-items.ts'

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
  if (selected.carried.length > 0) columns.keepRoom(selected.carried)
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
  columns: ItemColumns,
  { groupId, listOf }: { readonly groupId: string | undefined; readonly listOf: (path: string) => readonly string[] },
  { carried: lists, total: count, categories }: Selected,
): Promise<readonly ValueCount[]> {
  const carried = columns.categories.all.filter((_, place) => categories[place]! > 0)
  const sets = new Map<string, number[]>()
  for (const { id, path } of await listPaths(db, deadlineCondition, groupId, carried)) {
    const place = columns.categories.find(id)!
    for (const one of listOf(path)) {
      const set = sets.get(one)
      if (set) set.push(place)
      else sets.set(one, [place])
    }
  }
  const counts = await countCarrying(
    lookBy(db, deadlineCondition),
    columns,
    [...sets.values()],
    { lists, count },
    categories,
  )
  return [...sets.keys()].map((value, at) => ({ value, count: counts[at]! }))
}

/** Counts the items, visible to the caller or not, that carry a category of each set. */
export async function countSets(
  look: Look,
  columns: ItemColumns,
  sets: readonly (readonly number[])[],
): Promise<readonly number[]> {
  const { records, lists, categories, length } = columns
  const begins = new Uint32Array(length)
  let count = 0
  const listPart = (from: number, to: number) => {
    for (let record = from * lengthOfRecord; record < to * lengthOfRecord; record += lengthOfRecord) {
      if (records[record] !== 0) begins[count++] = records[record + 1]!
    }
  }
  await inParts(look, length, listPart, itemsOfPart)
  const places = sets.map((ids) => ids.flatMap((id) => categories.find(id) ?? []))
  return [...(await countCarrying(look, columns, places, { lists, count, begins }))]
}

/** Items between two checks of the deadline (chosen): less than a millisecond. */
const itemsOfPart = 50_000

/** Lists of items that begin with the number of their categories and the places of these. */
interface Lists {
  readonly lists: Uint32Array
  readonly count: number
  /** Without them, one list follows the other. */
  readonly begins?: Uint32Array
}

/** Sets that are counted together: each has one bit. */
const setsAtOnce = 32

/**
 * Counts the items that carry a category of each set; `known` has the number of items of each category if it was counted. An item carries a category once: for a set of one, its count is exact.
 */
async function countCarrying(
  look: Look,
  { categories }: ItemColumns,
  sets: readonly (readonly number[])[],
  ofItems: Lists,
  known?: Uint32Array,
): Promise<Uint32Array> {
  const carrying = known ?? new Uint32Array(categories.all.length)
  const [counts, larger] = [new Uint32Array(sets.length), [...sets.keys()].filter((set) => sets[set]!.length > 1)]
  for (let first = 0; first < larger.length || (first === 0 && !known); first += setsAtOnce) {
    const [together, bits] = [larger.slice(first, first + setsAtOnce), new Int32Array(carrying.length)]
    for (const [bit, set] of together.entries()) for (const place of sets[set]!) bits[place]! |= 1 << bit
    const byBytes = await countBytes(look, ofItems, bits, first === 0 && !known ? carrying : undefined)
    for (const [bit, set] of together.entries()) {
      const values = byBytes.subarray((bit >> 3) * 256, ((bit >> 3) + 1) * 256)
      counts[set] = values.reduce((sum, items, value) => sum + ((value >> (bit & 7)) & 1) * items, 0)
    }
  }
  for (const [set, [place, second]] of sets.entries()) {
    if (place !== undefined && second === undefined) counts[set] = carrying[place]!
  }
  return counts
}

/**
 * Counts items by the value of each of the four bytes of their bits: a branch for each bit would take twice the time. Counts those
 * of each category, too, if there is room.
 */
async function countBytes(
  look: Look,
  { lists, count, begins }: Lists,
  bits: Int32Array,
  carrying: Uint32Array | undefined,
): Promise<Uint32Array> {
  const byBytes = new Uint32Array(4 * 256)
  let next = 0
  const countPart = (from: number, to: number) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins ? begins[item]! : next
      const end = begin + lists[begin]!
      next = end + 1
      let carried = 0
      for (let at = begin + 1; at <= end; at += 1) {
        const place = lists[at]!
        carried |= bits[place]!
        if (carrying) carrying[place]! += 1
      }
      byBytes[carried & 255]! += 1
      byBytes[256 + ((carried >>> 8) & 255)]! += 1
      byBytes[512 + ((carried >>> 16) & 255)]! += 1
      byBytes[768 + (carried >>> 24)]! += 1
    }
  }
  await inParts(look, count, countPart, itemsOfPart)
  return byBytes
}

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
import { type Counters, type ItemColumns, lengthOfRecord, Values } from './item-columns.ts'
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
  selected: Selected,
): Promise<readonly ValueCount[]> {
  const carried = columns.categories.all.filter((_, place) => selected.categories[place]! > 0)
  const paths = new Values<string>()
  const setsOf = new Map<number, readonly number[]>()
  for (const { id, path } of await listPaths(db, deadlineCondition, groupId, carried)) {
    setsOf.set(
      columns.categories.find(id)!,
      listOf(path).map((one) => paths.placeOf(one, one)),
    )
  }
  const counts = await countCarrying(
    lookBy(db, deadlineCondition),
    columns,
    selected.begins,
    setsOf,
    paths.all.length,
    selected.categories,
  )
  return paths.all.map((value, place) => ({ value, count: counts[place]! }))
}

/** Counts the items, visible to the caller or not, that carry a category of each set. */
export async function countSets(
  look: Look,
  columns: ItemColumns,
  sets: readonly (readonly number[])[],
): Promise<readonly number[]> {
  const setsOf = new Map<number, number[]>()
  for (const [at, set] of sets.entries()) {
    for (const id of set) {
      const place = columns.categories.find(id)
      if (place === undefined) continue
      const of = setsOf.get(place)
      if (of) of.push(at)
      else setsOf.set(place, [at])
    }
  }
  return [...(await countCarrying(look, columns, await listBegins(look, columns), setsOf, sets.length))]
}

/** Beginnings of the lists of all items. */
async function listBegins(look: Look, { records, length }: ItemColumns): Promise<Uint32Array> {
  const begins = new Uint32Array(length)
  let count = 0
  const listPart = (from: number, to: number) => {
    for (let record = from * lengthOfRecord; record < to * lengthOfRecord; record += lengthOfRecord) {
      if (records[record] !== 0) begins[count++] = records[record + 1]!
    }
  }
  await inParts(look, length, listPart, itemsOfPart)
  return begins.subarray(0, count)
}

/** Items between two checks of the deadline (chosen): less than a millisecond. */
const itemsOfPart = 50_000

/** Sets that are counted together: each has one bit. */
const setsAtOnce = 32

/**
 * Counts the items that carry a category of each set; `setsOf` has the sets of categories by their places. An item carries a
 * category once: for a set of one, its count is exact; `known` has the counts of categories if there are any.
 */
async function countCarrying(
  look: Look,
  columns: ItemColumns,
  begins: Uint32Array,
  setsOf: ReadonlyMap<number, readonly number[]>,
  sets: number,
  known?: Uint32Array,
): Promise<Uint32Array> {
  const [counts, sizes] = [new Uint32Array(sets), new Uint32Array(sets)]
  for (const of of setsOf.values()) for (const set of of) sizes[set]! += 1
  const larger = [...sizes.keys()].filter((set) => sizes[set]! > 1)
  const categories = known ?? new Uint32Array(columns.categories.all.length)
  for (let first = 0; first < larger.length || (first === 0 && !known); first += setsAtOnce) {
    const [together, bitOf] = [larger.slice(first, first + setsAtOnce), new Int32Array(sets)]
    for (const [bit, set] of together.entries()) bitOf[set] = 1 << bit
    const bits = new Int32Array(categories.length)
    for (const [place, of] of setsOf) for (const set of of) bits[place]! |= bitOf[set]!
    const counted = await countTogether(
      look,
      columns.lists,
      begins,
      bits,
      first === 0 && !known ? categories : undefined,
    )
    for (const [bit, set] of together.entries()) counts[set] = counted[bit]!
  }
  for (const [place, of] of setsOf) for (const set of of) if (sizes[set] === 1) counts[set] = categories[place]!
  return counts
}

/** Counts the items that carry a category with each bit; into `categories`, those that carry each category. */
async function countTogether(
  look: Look,
  lists: Uint32Array,
  begins: Uint32Array,
  bits: Int32Array,
  categories: Uint32Array | undefined,
): Promise<Uint32Array> {
  /** Items by the values of each byte of their sets: one branch for each bit of an item would take twice the time. */
  const byBytes = new Uint32Array(4 * 256)
  const countPart = (from: number, to: number) => {
    for (let item = from; item < to; item += 1) {
      const begin = begins[item]!
      const end = begin + lists[begin]!
      let sets = 0
      for (let at = begin + 1; at <= end; at += 1) {
        const place = lists[at]!
        sets |= bits[place]!
        if (categories) categories[place]! += 1
      }
      byBytes[sets & 255]! += 1
      byBytes[256 + ((sets >>> 8) & 255)]! += 1
      byBytes[512 + ((sets >>> 16) & 255)]! += 1
      byBytes[768 + (sets >>> 24)]! += 1
    }
  }
  await inParts(look, begins.length, countPart, itemsOfPart)
  const counts = new Uint32Array(setsAtOnce)
  for (let bit = 0; bit < setsAtOnce; bit += 1) {
    const first = (bit >> 3) * 256
    for (let value = 0; value < 256; value += 1) if ((value >> (bit & 7)) & 1) counts[bit]! += byBytes[first + value]!
  }
  return counts
}

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
import { type Selected, type Selecting, selectItems, setsAtOnce } from './select-items.ts'
import { everyCombination } from './wide-conditions.ts'

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
  columns.keepRoom(selected.carried)
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
  const look = lookBy(db, deadlineCondition)
  const counts = await countCarrying(setsOf, paths.all.length, async (bits) => ({
    categories: selected.categories,
    sets: await countSetsOf(look, selected.carried, bits),
  }))
  return paths.all.map((value, place) => ({ value, count: counts[place]! }))
}

/** Number of items that carry each category, and of those that carry one of each set. */
type Carrying = Pick<Selected, 'categories' | 'sets'>

/**
 * Counts the items that carry a category of each set; `setsOf` has the sets of a category by its place, and `count` counts
 * those of at most 32 sets, which have one bit each. An item carries a category once: for a set of one, its count is exact.
 */
async function countCarrying(
  setsOf: readonly (readonly number[])[],
  sets: number,
  count: (bits: Int32Array) => Promise<Carrying>,
): Promise<Uint32Array> {
  const [counts, sizes] = [new Uint32Array(sets), new Uint32Array(sets)]
  for (const set of setsOf.flat()) sizes[set]! += 1
  const larger = [...sizes.keys()].filter((set) => sizes[set]! > 1)
  for (let first = 0; first === 0 || first < larger.length; first += setsAtOnce) {
    const together = new Map(larger.slice(first, first + setsAtOnce).map((set, bit) => [set, bit]))
    const bitOf = (set: number) => (together.has(set) ? 1 << together.get(set)! : 0)
    const counted = await count(Int32Array.from(setsOf, (of) => of.reduce((all, set) => all | bitOf(set), 0)))
    for (const [set, bit] of together) counts[set] = counted.sets[bit]!
    for (const [place, of] of setsOf.entries()) {
      for (const set of of) if (sizes[set] === 1) counts[set] = counted.categories[place]!
    }
  }
  return counts
}

/** Numbers of lists between two checks of the deadline (chosen): less than a millisecond. */
const numbersOfPart = 30_000

/** Counts the items that carry a category of each of these sets. */
async function countSetsOf(look: Look, carried: Uint32Array, bits: Int32Array): Promise<Uint32Array> {
  const counts = new Uint32Array(setsAtOnce)
  let next = 0
  const goThrough = (_: number, to: number) => {
    // By position: an iterator would double the time.
    let at = next
    while (at < to) {
      let sets = 0
      for (const end = at + carried[at]!; at < end; ) sets |= bits[carried[++at]!]!
      at += 1
      for (; sets !== 0; sets &= sets - 1) counts[31 - Math.clz32(sets & -sets)]! += 1
    }
    next = at
  }
  if (bits.some((of) => of !== 0)) await inParts(look, carried.length, goThrough, numbersOfPart)
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
  const kinds = columns.kinds.all.length
  const everything: Selecting = {
    matching: 'all',
    wide: { matches: new Int32Array(kinds).fill(everyCombination), sets: new Uint8Array() },
    seen: new Uint8Array(kinds).fill(1),
    shared: new Uint32Array(),
    titled: undefined,
    isUp: true,
    isByNumber: true,
    max: 0,
    countFields: [],
  }
  return [...(await countCarrying(setsOf, sets.length, (bits) => selectItems(look, columns, { ...everything, bits })))]
}

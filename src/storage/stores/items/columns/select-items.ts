import type { CountedField, ItemViewer } from '../../../../items/search/item-search.ts'
import { inParts, type Look } from '../../select.ts'
import { type Bits, listBits } from './bitmaps.ts'
import type { Matching } from './find-matching.ts'
import { FirstItems } from './first-items.ts'
import { type Counters, half, type ItemColumns, type ItemKind, lengthOfRecord } from './item-columns.ts'
import { everyCombination, type WideTest } from './wide-conditions.ts'

/** Items to select, and values to count. */
interface Selecting {
  readonly matching: Matching
  readonly wide: WideTest
  /** By the place of a kind: 1 if the viewer sees such items, apart from its groups. */
  readonly seen: Uint8Array
  /** Items of groups of the viewer. */
  readonly shared: Bits
  /** Items that match in their titles and so come first; undefined if that does not count. */
  readonly titled: Bits | undefined
  /** Whether the items modified last come last, or those with the highest numbers. */
  readonly isUp: boolean
  /** Whether numbers are the order, instead of times of modification. */
  readonly isByNumber: boolean
  /** Number of items to keep. */
  readonly max: number
  readonly countFields: readonly CountedField[]
}

/** Items that the viewer sees. */
export interface Selected extends ListsOfItems {
  readonly total: number
  readonly first: FirstItems
  /** Number of items of each kind. */
  readonly kinds: Uint32Array
  /** Number of items that carry each category; only if paths are counted, as `begins`. */
  readonly categories: Uint32Array
  /** Only if tags are counted. */
  readonly tags: Counters | undefined
}

/** Lists of items, and the beginning of those of each item. */
export interface ListsOfItems {
  readonly lists: Uint32Array
  readonly begins: Uint32Array
}

/** Words of a bitmap, with 32 items each, between two checks of the deadline (chosen): a part takes a millisecond. */
const wordsOfPart = 2_048
/** Items between two checks of the deadline. */
const itemsOfPart = 32 * wordsOfPart

/** Selects the visible ones of the matching items, counts their values and keeps the first, in one pass. */
export async function selectItems(look: Look, columns: ItemColumns, given: Selecting): Promise<Selected> {
  const { matching, isUp, countFields } = given
  const selection = new Selection(columns, given, countFields)
  const length = matching instanceof Uint32Array ? matching.length : columns.length
  const parts = Math.ceil(length / itemsOfPart)
  const numbers = new Uint32Array(Math.min(itemsOfPart, length))
  await inParts(look, parts, (at) => selection.add(numbersOf(isUp ? at : parts - 1 - at)), 1)
  return selection

  function numbersOf(part: number): Uint32Array {
    const [from, to] = [part * itemsOfPart, Math.min((part + 1) * itemsOfPart, length)]
    if (matching instanceof Uint32Array) return matching.subarray(from, to)
    if (matching !== 'all') return listBits(matching.bits, part * wordsOfPart, (part + 1) * wordsOfPart, numbers)
    for (let number = from; number < to; number += 1) numbers[number - from] = number
    return numbers.subarray(0, to - from)
  }
}

class Selection implements Selected {
  readonly first: FirstItems
  readonly kinds: Uint32Array
  readonly categories: Uint32Array
  readonly tags: Counters | undefined
  readonly lists: Uint32Array
  total = 0
  #begins: Uint32Array
  readonly #records: Uint32Array
  readonly #given: Selecting
  readonly #isByPath: boolean

  constructor(columns: ItemColumns, given: Selecting, fields: readonly CountedField[]) {
    const { records, lists, kinds, categories, tags } = columns
    this.#given = given
    this.#records = records
    this.lists = lists
    this.first = new FirstItems(given.max)
    this.kinds = new Uint32Array(kinds.all.length)
    this.#isByPath = fields.includes('categories') || fields.includes('carried')
    this.categories = new Uint32Array(this.#isByPath ? categories.all.length : 0)
    this.tags = fields.includes('tags') ? columns.takeCounters(tags.all.length) : undefined
    this.#begins = new Uint32Array(firstLength)
  }

  get begins(): Uint32Array {
    return this.#begins.subarray(0, this.#isByPath ? this.total : 0)
  }

  /** Adds those of the numbers, in ascending order, that match and are seen; items with the first keys come first. */
  add(numbers: Uint32Array): void {
    const { wide, seen, shared, titled, isUp, isByNumber, max } = this.#given
    const { matches, sets } = wide
    const [records, lists, kinds, categories, first] = [
      this.#records,
      this.lists,
      this.kinds,
      this.categories,
      this.first,
    ]
    const tags = this.tags?.counts
    const begins = this.#isByPath ? this.#roomFor(numbers.length) : undefined
    let total = this.total
    // By position: an iterator would double the time. The first to come are the last in most orders.
    for (let at = isUp ? 0 : numbers.length - 1; at >= 0 && at < numbers.length; at += isUp ? 1 : -1) {
      const number = numbers[at]!
      const record = number * lengthOfRecord
      const kind = records[record]! - 1
      if (kind < 0) continue
      const combinations = matches[kind]!
      if (combinations === 0) continue
      if (seen[kind] === 0 && (shared[number >>> 5]! & (1 << (number & 31))) === 0) continue
      const begin = records[record + 1]!
      const tagsBegin = begin + lists[begin]! + 1
      if (combinations !== everyCombination) {
        let carried = 0
        for (let category = begin + 1; category < tagsBegin; category += 1) carried |= sets[lists[category]!]!
        if (((combinations >>> carried) & 1) === 0) continue
      }
      kinds[kind]! += 1
      if (begins) {
        begins[total] = begin
        for (let category = begin + 1; category < tagsBegin; category += 1) categories[lists[category]!]! += 1
      }
      if (tags) {
        const end = tagsBegin + 1 + lists[tagsBegin]!
        for (let tag = tagsBegin + 1; tag < end; tag += 1) tags[lists[tag]!]! += 1
      }
      total += 1
      if (max === 0) continue
      const value = isByNumber ? number : records[record + 2]! + records[record + 3]! * half
      const key = isUp ? value : -value
      first.add(titled && (titled[number >>> 5]! & (1 << (number & 31))) === 0 ? key + afterAllTimes : key, number)
    }
    this.total = total
  }

  #roomFor(more: number): Uint32Array {
    if (this.total + more > this.#begins.length) {
      const longer = new Uint32Array(2 * (this.total + more))
      longer.set(this.#begins)
      this.#begins = longer
    }
    return this.#begins
  }
}

const firstLength = 1_024

/** A value above any time in milliseconds. */
const afterAllTimes = 2 ** 50

/** Lists of all items, which mostly lie in the order in which they are read. */
export function listsOfAll({ records, lists, length }: ItemColumns): ListsOfItems {
  const begins = new Uint32Array(length)
  let count = 0
  for (let record = 0; record < length * lengthOfRecord; record += lengthOfRecord) {
    if (records[record]) begins[count++] = records[record + 1]!
  }
  return { lists, begins: begins.subarray(0, count) }
}

/** By the place of a kind: 1 if the viewer sees such items, apart from its groups. */
export function flagSeen(viewer: ItemViewer, { kinds }: ItemColumns): Uint8Array {
  return Uint8Array.from(kinds.all, (kind) => (sees(viewer, kind) ? 1 : 0))
}

function sees(viewer: ItemViewer, { level, portal_id, owner_id }: ItemKind): boolean {
  if (level === 'public' || owner_id === viewer.userId) return true
  if (portal_id !== viewer.portalId) return false
  return viewer.canViewEveryItem || (viewer.canViewOrganizationItems && level === 'org')
}

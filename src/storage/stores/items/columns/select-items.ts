import type { CountedField } from '../../../../items/search/item-search.ts'
import { inParts, type Look } from '../../select.ts'
import { type Bits, listBits } from './bitmaps.ts'
import type { Matching } from './find-matching.ts'
import { FirstItems } from './first-items.ts'
import { type Counters, half, type ItemColumns, lengthOfRecord } from './item-columns.ts'

/** Items to select, and values to count. */
export interface Selecting {
  readonly matching: Matching
  /** Flags by the place of a kind: 1 if the viewer sees such items, apart from its groups. */
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
export interface Selected {
  readonly total: number
  readonly first: FirstItems
  /** Number of items of each kind. */
  readonly kinds: Uint32Array
  /** Number of items that carry each category; only if paths are counted. */
  readonly categories: Uint32Array
  /** Lists of the items' categories, one after the other; only if paths are counted. */
  readonly carried: Uint32Array
  /** Only if tags are counted. */
  readonly tags: Counters | undefined
}

/** Words of a bitmap, with 32 items each, between two checks of the deadline (chosen): a part takes a millisecond. */
const wordsOfPart = 2_048
/** Items between two checks of the deadline. */
const itemsOfPart = 32 * wordsOfPart

/** Selects the visible ones of the matching items, counts their values and keeps the first, in one pass. */
export async function selectItems(look: Look, columns: ItemColumns, given: Selecting): Promise<Selected> {
  const { matching, isUp } = given
  const length = matching instanceof Uint32Array ? matching.length : columns.length
  const selection = new Selection(columns, given)
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
  total = 0
  readonly #isByPath: boolean
  carried: Uint32Array
  #end = 0
  readonly #columns: ItemColumns
  readonly #given: Selecting
  /** Items of a batch, and the beginnings of their lists. */
  readonly #batch = new Uint32Array(itemsOfBatch)
  readonly #beginsOfBatch = new Uint32Array(itemsOfBatch)

  constructor(columns: ItemColumns, given: Selecting) {
    const { kinds, categories, tags } = columns
    const { countFields } = given
    this.#columns = columns
    this.#given = given
    this.first = new FirstItems(given.max)
    this.kinds = new Uint32Array(kinds.all.length)
    this.#isByPath = countFields.includes('categories') || countFields.includes('carried')
    this.categories = new Uint32Array(this.#isByPath ? categories.all.length : 0)
    this.carried = this.#isByPath ? columns.takeRoom() : new Uint32Array()
    this.tags = countFields.includes('tags') ? columns.takeCounters(tags.all.length) : undefined
  }

  /** Adds those of the numbers, in ascending order, that match and are seen; items with the first keys come first. */
  add(numbers: Uint32Array): void {
    const { isUp } = this.#given
    for (let from = 0; from < numbers.length; from += itemsOfBatch) {
      const to = Math.min(from + itemsOfBatch, numbers.length)
      this.#consume(
        this.#see(isUp ? numbers.subarray(from, to) : numbers.subarray(numbers.length - to, numbers.length - from)),
      )
    }
  }

  /**
   * Puts those that are seen, by their kinds, into the batch; returns their number. Most of the time of a search is spent waiting
   * for memory: loops without a branch wait for many values together, so each batch has one for its records, and one for its lists.
   */
  #see(numbers: Uint32Array): number {
    const { seen, shared } = this.#given
    const { records, lists } = this.#columns
    const [batch, begins] = [this.#batch, this.#beginsOfBatch]
    const isSparse = numbers.at(-1)! - numbers[0]! > numbers.length * sparse
    if (isSparse) {
      let present = 0
      for (let at = 0; at < numbers.length; at += 1) present |= records[numbers[at]! * lengthOfRecord]!
      if (present === 0) return 0
    }
    let count = 0
    // Positions take half of the time of an iterator.
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at]!
      const record = number * lengthOfRecord
      const kind = records[record]! - 1
      // Also false for a row of the index without an item.
      if (!(kind >= 0)) continue
      if (seen[kind] === 0 && (shared[number >>> 5]! & (1 << (number & 31))) === 0) continue
      batch[count] = number
      begins[count++] = records[record + 1]!
    }
    if (!this.#isByPath && !isSparse) return count
    let room = this.#end
    for (let at = 0; at < count; at += 1) room += lists[begins[at]!]! + 1
    if (this.#isByPath && this.carried.length < room) {
      const longer = new Uint32Array(2 * room)
      longer.set(this.carried)
      this.carried = longer
    }
    return count
  }

  #consume(count: number): void {
    const { titled, isUp, isByNumber, max } = this.#given
    const { records, lists } = this.#columns
    const [batch, begins, kinds, categories, first] = [
      this.#batch,
      this.#beginsOfBatch,
      this.kinds,
      this.categories,
      this.first,
    ]
    const [carried, tags] = [this.#isByPath ? this.carried : undefined, this.tags?.counts]
    let [total, end] = [this.total, this.#end]
    for (let at = isUp ? 0 : count - 1; at >= 0 && at < count; at += isUp ? 1 : -1) {
      const number = batch[at]!
      const record = number * lengthOfRecord
      const kind = records[record]! - 1
      const begin = begins[at]!
      const tagsBegin = begin + lists[begin]! + 1
      kinds[kind]! += 1
      if (carried) {
        carried[end++] = lists[begin]!
        for (let category = begin + 1; category < tagsBegin; category += 1) {
          const place = lists[category]!
          categories[place]! += 1
          carried[end++] = place
        }
      }
      total += 1
      if (tags) {
        const tagsEnd = tagsBegin + 1 + lists[tagsBegin]!
        for (let tag = tagsBegin + 1; tag < tagsEnd; tag += 1) tags[lists[tag]!]! += 1
      }
      if (max === 0) continue
      const value = isByNumber ? number : records[record + 2]! + records[record + 3]! * half
      const key = isUp ? value : -value
      first.add(titled && (titled[number >>> 5]! & (1 << (number & 31))) === 0 ? key + afterAllTimes : key, number)
    }
    this.total = total
    this.#end = end
  }
}

/** Items that are in the cache of a processor together (chosen). */
const itemsOfBatch = 1_024
/** Numbers for each item from which on its memory is not near that of the one before. */
const sparse = 8

/** A value above any time in milliseconds. */
const afterAllTimes = 2 ** 50

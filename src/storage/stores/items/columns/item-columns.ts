import { fold } from '../../../../search/folding.ts'
import { isCountedTag } from '../index/facets.ts'
import { KeptMatches } from './kept-matches.ts'

/** Columns of an item that decide its visibility, counts and order in searches. */
export interface ItemColumnsRow {
  readonly number: number
  readonly portal_id: string
  readonly owner_id: string
  readonly level: string
  readonly access: string
  readonly type: string
  readonly modified_at: number
  /** JSON array of texts. */
  readonly tags: string
  /** Numbers with commas between them. */
  readonly categories: string
}

/** Values that many items share. */
export type ItemKind = Pick<ItemColumnsRow, 'portal_id' | 'owner_id' | 'level' | 'access' | 'type'>

/**
 * Limits of the memory (chosen): the highest number of an item, at 16 bytes each, and for each organization the numbers in the
 * lists of its items and their different values, at 4 bytes: 128 MB; for all organizations, four times as much.
 */
const max = { number: 4_000_000, room: 32_000_000, roomOfAll: 128_000_000 }

/** Room of a distinct value, in numbers of a list: its entries in maps; each letter of it, and of it folded, has two bytes. */
const roomOfValue = 80

/** Numbers by the places of tags. */
export type Counters = Readonly<Record<'counts' | 'sums' | 'commonest', Uint32Array>>

/** Record of an item: 1 + the place of its kind, the beginning of its lists, and the time of its modification in two halves. */
export const lengthOfRecord = 4
export const half = 2 ** 32

/**
 * Columns of items, in memory: counting goes through them without reading a page of the database. Values that are read together
 * are adjacent, as most of the time is spent waiting for memory.
 */
export class ItemColumns {
  readonly kinds = new Values<ItemKind>()
  /** Number of items of each kind, by its place. */
  readonly items: number[] = []
  readonly tags = new Values<string>()
  /** Categories by their numbers in the database. */
  readonly categories = new Values<number>()
  /** Matching items of frequent parts of queries. */
  readonly kept = new KeptMatches()
  /** Records of items by their numbers; the first value of a record is 0 where there is no item. */
  records = new Uint32Array(firstLength)
  /** Lists of each item: number of its categories, their places, number of its tags, their places. */
  lists = new Uint32Array(firstLength)
  /** Places of the first tags that fold alike, by the places of the tags that were folded. */
  readonly #firstAlike: number[] = []
  readonly #folded = new Map<string, number>()
  #counters: Counters | undefined
  #carried: Uint32Array | undefined
  #end = 0
  /** Length of the parts of `lists` that no item uses any more. */
  #unused = 0
  #highest = 0
  /** Room by organization. */
  readonly #room = new Map<string, number>()
  #roomOfAll = 0
  /** Organizations above their limit: later records of their items have only visibility and modification time. */
  readonly crowded = new Set<string>()
  readonly #most: typeof max

  constructor(limits: Partial<typeof max> = {}) {
    this.#most = { ...max, ...limits }
  }

  /** One more than the highest number that an item had. */
  get length(): number {
    return this.#highest + 1
  }

  /**
   * Puts an item; false if its number is too high, or if all organizations together exceed the limit. The columns are not those
   * of all items then.
   */
  put(row: ItemColumnsRow): boolean {
    const { number } = row
    if (number > this.#most.number) return false
    this.#highest = Math.max(this.#highest, number)
    if (this.length * lengthOfRecord > this.records.length) {
      this.records = withRoom(this.records, this.length * lengthOfRecord)
    }
    this.remove(number)
    const { portal_id, owner_id, level } = row
    const isCrowded = this.crowded.has(portal_id)
    const { access, type } = isCrowded ? { access: '', type: '' } : row
    const kind = { portal_id, owner_id, level, access, type }
    const categories = isCrowded || row.categories === '' ? [] : row.categories.split(',').map(Number)
    const tags: readonly string[] = isCrowded || row.tags === '[]' ? [] : JSON.parse(row.tags).filter(isCountedTag)
    const before = this.#measureValues()
    const lists = this.#addLists(
      categories.map((one) => this.categories.placeOf(one, one)),
      tags.map((one) => this.tags.placeOf(one, one)),
    )
    const place = this.kinds.placeOf(kind, JSON.stringify(Object.values(kind)))
    this.items[place] = (this.items[place] ?? 0) + 1
    const modified = row.modified_at
    this.records.set([place + 1, lists, modified % half, Math.floor(modified / half)], number * lengthOfRecord)
    this.#take(portal_id, endOfLists(this.lists, lists) - lists + this.#measureValues() - before)
    return this.#roomOfAll <= this.#most.roomOfAll
  }

  /** Number of items of an organization. */
  countItems(portalId: string): number {
    return this.kinds.all.reduce((sum, kind, place) => sum + (kind.portal_id === portalId ? this.items[place]! : 0), 0)
  }

  #measureValues(): number {
    return this.kinds.room + this.tags.room + this.categories.room
  }

  /** Adds to the room of an organization. A distinct value counts for the first one that has it, until columns are read again. */
  #take(portalId: string, room: number): void {
    const taken = (this.#room.get(portalId) ?? 0) + room
    this.#room.set(portalId, taken)
    this.#roomOfAll += room
    if (taken > this.#most.room) this.crowded.add(portalId)
  }

  remove(number: number): void {
    const record = number * lengthOfRecord
    const kind = this.records[record]
    if (!kind) return
    this.records[record] = 0
    this.items[kind - 1]! -= 1
    const begin = this.records[record + 1]!
    const length = endOfLists(this.lists, begin) - begin
    this.#unused += length
    this.#take(this.kinds.all[kind - 1]!.portal_id, -length)
  }

  /** Zeros for counting that many tags; a later count gets them again once they are kept. */
  takeCounters(length: number): Counters {
    const kept = this.#counters
    this.#counters = undefined
    if (!kept || kept.counts.length < length) {
      const room = length + (length >> 2)
      return { counts: new Uint32Array(room), sums: new Uint32Array(room), commonest: new Uint32Array(room) }
    }
    for (const numbers of Object.values(kept)) numbers.fill(0)
    return kept
  }

  keepCounters(counters: Counters): void {
    this.#counters = counters
  }

  /** Room for the categories of items; a later search gets it again once it is kept: making it takes longer than filling it. */
  takeRoom(): Uint32Array {
    const kept = this.#carried ?? new Uint32Array(firstLength)
    this.#carried = undefined
    return kept
  }

  keepRoom(room: Uint32Array): void {
    this.#carried = room
  }

  /** Place of the first tag that folds like this one. Tags are folded once, on demand, together with those before them. */
  firstAlike(tag: number): number {
    for (let place = this.#firstAlike.length; place <= tag; place += 1) {
      const tag = this.tags.all[place]!
      const other = fold(tag)
      // One text of two equal ones is kept.
      const folded = other === tag ? tag : other
      const first = this.#folded.get(folded) ?? place
      this.#folded.set(folded, first)
      this.#firstAlike.push(first)
    }
    return this.#firstAlike[tag]!
  }

  #addLists(...lists: readonly (readonly number[])[]): number {
    const length = lists.reduce((sum, list) => sum + 1 + list.length, 0)
    if (this.#end + length > this.lists.length) this.#makeRoom(length)
    const begin = this.#end
    for (const list of lists) {
      this.lists[this.#end++] = list.length
      for (const place of list) this.lists[this.#end++] = place
    }
    return begin
  }

  #makeRoom(length: number): void {
    const to = new Uint32Array(2 * Math.max(firstLength, this.#end - this.#unused + length))
    let end = 0
    for (let record = 0; record < this.length * lengthOfRecord; record += lengthOfRecord) {
      if (!this.records[record]) continue
      const begin = this.records[record + 1]!
      const lists = this.lists.subarray(begin, endOfLists(this.lists, begin))
      to.set(lists, end)
      this.records[record + 1] = end
      end += lists.length
    }
    this.lists = to
    this.#end = end
    this.#unused = 0
  }
}

/** End of the lists that begin at this position. */
export function endOfLists(lists: Uint32Array, begin: number): number {
  const tags = begin + 1 + lists[begin]!
  return tags + 1 + lists[tags]!
}

/** Copy with at least the given length, and at least twice the present one. */
function withRoom(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.max(length, 2 * numbers.length))
  longer.set(numbers)
  return longer
}

/** Distinct values, each with a place of its own. */
export class Values<Value> {
  readonly all: Value[] = []
  room = 0
  readonly #places = new Map<string | number, number>()

  find(key: string | number): number | undefined {
    return this.#places.get(key)
  }

  /** `key` is different for each value. */
  placeOf(value: Value, key: string | number): number {
    const known = this.find(key)
    if (known !== undefined) return known
    const place = this.all.length
    this.all.push(value)
    this.#places.set(key, place)
    this.room += roomOfValue + (typeof key === 'string' ? key.length : 0)
    return place
  }
}

const firstLength = 1_024

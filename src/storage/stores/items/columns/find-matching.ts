import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { ItemFields } from '../../../../items/search/item-search.ts'
import type { Rows } from '../../../tables/rows.ts'
import { type DeadlineCondition, isAmong, toJson } from '../../select.ts'
import { type IndexQuery, matchingRows, partsOf } from '../index/compile.ts'
import { indexedItems } from '../index/item-fields.ts'
import { formatParts } from '../index/match.ts'
import { type Bits, hasBit, intersect, toBits } from './bitmaps.ts'
import type { ItemColumns } from './item-columns.ts'

/** Numbers of items, in ascending order where they are listed, or all numbers. */
export type Matching = Uint32Array | { readonly bits: Bits } | 'all'

interface MatchingQuery extends IndexQuery<ItemFields> {
  /** Conditions on `items`. */
  readonly box: readonly Expression<SqlBool>[]
  /**
   * Parts that match more than one in so many items are kept; none with 0. What is kept makes the time of a search depend on all
   * items, visible or not.
   */
  readonly keptPart: number
}

/** Items that match the query, by what is kept of its parts, and by the index. */
export async function findMatching(
  db: Kysely<Rows>,
  deadlineCondition: DeadlineCondition,
  { kept, length }: ItemColumns,
  query: MatchingQuery,
): Promise<Exclude<Matching, 'all'>> {
  const { box, keptPart } = query
  const parts = box.length > 0 ? undefined : partsOf(db, indexedItems, query)
  if (!parts) return readRows()
  if (keptPart === 0) return read(formatParts(parts))
  const sets: Bits[] = []
  const rest: string[] = []
  for (const part of parts.all) {
    const bits = await kept.find(part, read)
    if (bits) sets.push(bits)
    else rest.push(part)
  }
  let excluded = parts.without === undefined ? undefined : await kept.find(parts.without, read)
  const without = excluded ? undefined : parts.without
  if (rest.length === 0) {
    if (without !== undefined) excluded = keep(without, await read(without))
    return { bits: intersect(sets, excluded) }
  }
  const numbers = await read(formatParts({ all: rest, without }))
  if (isFrequent(numbers)) {
    // Each part matches at least as many.
    for (const part of rest) keep(part, rest.length > 1 || without !== undefined ? await read(part) : numbers)
  }
  if (sets.length === 0 && !excluded) return numbers
  return numbers.filter(
    (number) => sets.every((bits) => hasBit(bits, number)) && !(excluded && hasBit(excluded, number)),
  )

  function isFrequent(numbers: Uint32Array): boolean {
    return numbers.length * keptPart > length
  }

  function keep(part: string, numbers: Uint32Array): Bits {
    return isFrequent(numbers) ? kept.keep(part, numbers, length) : toBits(numbers, length)
  }

  async function read(text: string, among?: readonly number[]): Promise<Uint32Array> {
    const conditions: Expression<SqlBool>[] = [sql<SqlBool>`item_words match ${text}`]
    if (among) conditions.push(isAmong(db, sql`item_words.rowid`, toJson(among), 'bigint'))
    if (deadlineCondition) conditions.push(sql`(item_words.rowid % ${rowsOfClock} <> 0 or ${deadlineCondition})`)
    return list(sql`item_words.rowid`, sql`item_words where ${sql.join(conditions, sql` and `)}`)
  }

  async function readRows(): Promise<Uint32Array> {
    const { from, where } = matchingRows(db, indexedItems, query)
    const join = box.length > 0 ? sql`join items on items.id = item_index.number` : sql``
    const conditions = [where, ...box, ...(deadlineCondition ? [deadlineCondition] : [])]
    return list(sql`item_index.number`, sql`${from} ${join} where ${sql.join(conditions, sql` and `)}`)
  }

  async function list(number: Expression<unknown>, rows: Expression<unknown>): Promise<Uint32Array> {
    const statement = sql<{
      numbers: Buffer | null
    }>`select cast(group_concat(${number}) as blob) as numbers from ${rows}`
    return parseNumbers((await statement.execute(db)).rows[0]!.numbers)
  }
}

/** Rows for each check of the deadline. */
const rowsOfClock = 64

/** Numbers in digits with commas between them. */
function parseNumbers(digits: Buffer | null): Uint32Array {
  if (digits === null) return new Uint32Array()
  const numbers = new Uint32Array((digits.length >> 1) + 1)
  let count = 0
  let number = 0
  // Positions take a tenth of the time of an iterator.
  for (let at = 0; at < digits.length; at += 1) {
    const character = digits[at]!
    if (character !== comma) number = number * 10 + character - zero
    else {
      numbers[count++] = number
      number = 0
    }
  }
  numbers[count++] = number
  return numbers.subarray(0, count)
}

const [comma, zero] = [44, 48]

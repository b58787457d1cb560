import { type Kysely, sql } from 'kysely'
import type { SchemaOwner } from '../../../categories/store.ts'
import { isPostgres } from '../../tables/catalog.ts'
import type { Rows } from '../../tables/rows.ts'
import { type DeadlineCondition, givenRows, toJson, withinDeadline } from '../select.ts'
import { hasLeft } from './group-links.ts'

/** The items that carry a category. */
export interface CarryingItems {
  readonly category: number
  /** Numbers of the items in ascending order, in consecutive lists. */
  readonly pages: readonly ItemNumbers[]
  readonly count: number
  /** Number of the last item; 0 if there are none. */
  readonly last: number
}

/** Numbers of items: a typed array where they were packed; they may exceed 32 bits. */
export type ItemNumbers = ArrayLike<number>

interface Reading {
  readonly owner: SchemaOwner
  readonly categories: readonly number[]
  /** Maximum items of a category that one statement reads. */
  readonly pageSize: number
  /** Output: items by category. */
  readonly read: Map<number, CarryingItems>
}

/** Categories whose pages one statement reads (chosen): on PostgreSQL, each statement is a round trip. */
const categoriesAtOnce = 8

/**
 * Reads the items that carry the categories, page by page, as long as there is time. Items whose links to the group have ended
 * are left out.
 */
export async function readItems(
  db: Kysely<Rows>,
  { owner, categories, pageSize, read }: Reading,
  deadlineCondition: DeadlineCondition,
  hasTime: () => boolean,
): Promise<void> {
  const together = isPostgres(db) ? categoriesAtOnce : 1
  for (let at = 0; at < categories.length; at += together) {
    let unfinished = categories.slice(at, at + together).map(nothingReadOf)
    while (unfinished.length > 0) {
      if (!hasTime()) return
      const pages = isPostgres(db)
        ? await readPackedPages(db, owner, unfinished, pageSize)
        : [await readPage(db, owner, unfinished[0]!, pageSize, deadlineCondition)]
      const continued = unfinished.map((items, place) => withPage(items, pages[place]!))
      const mayGoOn = (items: CarryingItems) => items.pages.at(-1)!.length === pageSize
      for (const items of continued) if (!mayGoOn(items)) read.set(items.category, items)
      unfinished = continued.filter(mayGoOn)
    }
  }
}

function nothingReadOf(category: number): CarryingItems {
  return { category, pages: [], count: 0, last: 0 }
}

function withPage({ category, pages, count, last }: CarryingItems, page: ItemNumbers): CarryingItems {
  return { category, pages: [...pages, page], count: count + page.length, last: page[page.length - 1] ?? last }
}

/** Cursor of the next page of a category. */
type Continued = Pick<CarryingItems, 'category' | 'last'>

async function readPage(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  { category, last }: Continued,
  pageSize: number,
  deadlineCondition: DeadlineCondition,
): Promise<ItemNumbers> {
  const rows = await withinDeadline(selectNumbers(db, owner, pageSize), deadlineCondition)
    .where('category_id', '=', category)
    .where('item_number', '>', last)
    .execute()
  return rows.map(({ number }) => number)
}

/** Reads a page of each category as packed numbers: a row for each number takes five times as long (measured). */
async function readPackedPages(
  db: Kysely<Rows>,
  owner: SchemaOwner,
  categories: readonly Continued[],
  pageSize: number,
): Promise<readonly ItemNumbers[]> {
  const given = toJson(categories.map(({ category, last }, place) => ({ place, category, last })))
  const columns = { place: 'integer', category: 'bigint', last: 'bigint' } as const
  const page = selectNumbers(db, owner, pageSize)
    .where('category_id', '=', sql<number>`given.category`)
    .where('item_number', '>', sql<number>`given.last`)
  const packed = db
    .selectFrom(page.as('page'))
    .select(sql<Buffer | null>`string_agg(int8send(number), '' order by number)`.as('packed'))
  const { rows } = await sql<{ packed: Buffer | null }>`select packed from ${givenRows(db, given, columns)}
    cross join lateral (${packed}) as pages order by place`.execute(db)
  return rows.map((row) => unpack(row.packed))
}

/** Numbers of items, in their order. */
function selectNumbers(db: Kysely<Rows>, owner: SchemaOwner, max: number) {
  return db
    .selectFrom('item_categories')
    .select('item_number as number')
    .where((row) => row.not(hasLeft(owner)))
    .orderBy('item_number')
    .limit(max)
}

const bytesOfNumber = 8

function unpack(packed: Buffer | null): ItemNumbers {
  const numbers = new Float64Array((packed?.length ?? 0) / bytesOfNumber)
  for (let place = 0; packed && place < numbers.length; place += 1) {
    const at = place * bytesOfNumber
    numbers[place] = packed.readUInt32BE(at) * 2 ** 32 + packed.readUInt32BE(at + 4)
  }
  return numbers
}

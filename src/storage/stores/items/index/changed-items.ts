import type { Kysely } from 'kysely'
import type { Rows } from '../../../tables/rows.ts'
import { indexItems } from './index-item.ts'
import { type IndexedRecord, putIndexRows } from './index-rows.ts'

/**
 * The items that a transaction changes: they are indexed once, all together, before its commit. If each write of an item did
 * so by itself, it would wait for several answers of PostgreSQL, and SQLite would write what FTS5 has gathered at each
 * savepoint.
 */
export class ChangedItems {
  readonly #db: Kysely<Rows>
  #items = new Set<number>()
  /** Of new items, by their numbers. */
  #records = new Map<number, IndexedRecord<'item_index'>>()

  constructor(db: Kysely<Rows>) {
    this.#db = db
    gathering.set(db, this)
  }

  add(item: number): void {
    this.#records.delete(item)
    this.#items.add(item)
  }

  /** A new item, which is not looked up again unless it changes. */
  addNew(record: IndexedRecord<'item_index'>): void {
    this.#items.delete(record.row.number)
    this.#records.set(record.row.number, record)
  }

  /** An item that is removed. */
  remove(item: number): void {
    this.#items.delete(item)
    this.#records.delete(item)
  }

  /** A part of the transaction is rolled back: new items may be gone. */
  doubt(): void {
    for (const item of this.#records.keys()) this.#items.add(item)
    this.#records = new Map()
  }

  /** The transaction is rolled back. */
  forget(): void {
    this.#items = new Set()
    this.#records = new Map()
  }

  /** Indexes them as they are stored now; one that is not there any more is left out. */
  async index(): Promise<void> {
    const [items, records] = [[...this.#items], [...this.#records.values()]]
    this.forget()
    if (items.length > 0) await indexItems(this.#db, items)
    await putIndexRows(this.#db, 'item_index', records.map(asNew))
  }
}

/** The connections whose transactions end with `index`. */
const gathering = new WeakMap<Kysely<Rows>, ChangedItems>()

/** Called by each write that changes what the index has of an item: at once, or before the commit where changes are gathered. */
export async function indexItem(db: Kysely<Rows>, item: number): Promise<void> {
  const changed = gathering.get(db)
  if (changed) changed.add(item)
  else await indexItems(db, [item])
}

/** The same for an item that the write adds, with what the index has of it. */
export async function indexNewItem(db: Kysely<Rows>, record: IndexedRecord<'item_index'>): Promise<void> {
  const changed = gathering.get(db)
  if (changed) changed.addNew(record)
  else await putIndexRows(db, 'item_index', [asNew(record)])
}

/** The row is not looked up: PostgreSQL would take that for a conflict with others who add rows. */
function asNew(record: IndexedRecord<'item_index'>) {
  return { ...record, before: undefined }
}

/** The same for an item that the write removes, with its row of the index. */
export function forgetItem(db: Kysely<Rows>, item: number): void {
  gathering.get(db)?.remove(item)
}

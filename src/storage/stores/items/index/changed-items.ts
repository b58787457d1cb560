import type { Kysely } from 'kysely'
import type { Rows } from '../../../tables/rows.ts'
import { indexItems } from './index-item.ts'
import { type IndexedRecord, putIndexRows } from './index-rows.ts'

/**
 * Items that a transaction changes: they are indexed once, all together, before its commit. If each write indexed its own item,
 * it would wait for several answers of PostgreSQL, and SQLite would write the tokens gathered by FTS5 at each savepoint.
 */
export class ChangedItems {
  readonly #db: Kysely<Rows>
  #items = new Set<number>()
  /** Records of new items, by their numbers. */
  #records = new Map<number, IndexedRecord<'item_index'>>()

  constructor(db: Kysely<Rows>) {
    this.#db = db
    gathering.set(db, this)
  }

  add(item: number): void {
    this.#records.delete(item)
    this.#items.add(item)
  }

  /** Adds a new item, which is not looked up again unless it changes. */
  addNew(record: IndexedRecord<'item_index'>): void {
    this.#items.delete(record.row.number)
    this.#records.set(record.row.number, record)
  }

  /** Removes an item that is deleted. */
  remove(item: number): void {
    this.#items.delete(item)
    this.#records.delete(item)
  }

  /** Handles the rollback of a part of the transaction: new items may be gone. */
  doubt(): void {
    for (const item of this.#records.keys()) this.#items.add(item)
    this.#records = new Map()
  }

  /** Handles the rollback of the transaction. */
  forget(): void {
    this.#items = new Set()
    this.#records = new Map()
  }

  /** Indexes the changed items as they are stored now; deleted ones are left out. */
  async index(): Promise<void> {
    const [items, records] = [[...this.#items], [...this.#records.values()]]
    this.forget()
    if (items.length > 0) await indexItems(this.#db, items)
    await putIndexRows(this.#db, 'item_index', records.map(asNew))
  }
}

/** The connections whose transactions end with `index`. */
const gathering = new WeakMap<Kysely<Rows>, ChangedItems>()

/** Indexes an item whose record changes: immediately, or before the commit where changes are gathered. */
export async function indexItem(db: Kysely<Rows>, item: number): Promise<void> {
  const changed = gathering.get(db)
  if (changed) changed.add(item)
  else await indexItems(db, [item])
}

/** Indexes a new item, whose record is given. */
export async function indexNewItem(db: Kysely<Rows>, record: IndexedRecord<'item_index'>): Promise<void> {
  const changed = gathering.get(db)
  if (changed) changed.addNew(record)
  else await putIndexRows(db, 'item_index', [asNew(record)])
}

/** Marks a record as new without a look-up, which PostgreSQL would take for a conflict with writers that add rows. */
function asNew(record: IndexedRecord<'item_index'>) {
  return { ...record, before: undefined }
}

/** Keeps an item from being indexed that the write removes together with its row of the index. */
export function forgetItem(db: Kysely<Rows>, item: number): void {
  gathering.get(db)?.remove(item)
}

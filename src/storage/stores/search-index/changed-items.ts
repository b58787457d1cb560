import type { Kysely } from 'kysely'
import type { Rows } from '../../tables/rows.ts'
import { indexItems } from './index-item.ts'

/**
 * The items that a transaction changes: they are indexed once, all together, before its commit. If each write of an item did
 * so by itself, it would wait for several answers of PostgreSQL, and SQLite would write what FTS5 has gathered at each
 * savepoint.
 */
export class ChangedItems {
  readonly #db: Kysely<Rows>
  #items = new Set<number>()

  constructor(db: Kysely<Rows>) {
    this.#db = db
    gathering.set(db, this)
  }

  add(item: number): void {
    this.#items.add(item)
  }

  /** The transaction is rolled back. */
  forget(): void {
    this.#items = new Set()
  }

  /** Indexes them as they are stored now; one that is not there any more is left out. */
  async index(): Promise<void> {
    if (this.#items.size === 0) return
    const items = [...this.#items]
    this.forget()
    await indexItems(this.#db, items)
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

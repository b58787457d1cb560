import { type Kysely, sql } from 'kysely'
import type { ItemChangeRow } from '../../../tables/rows/search-index.ts'
import type { Rows } from '../../../tables/rows.ts'
import { prepared } from '../../prepared.ts'
import { type DeadlineCondition, isAmong, toJson } from '../../select.ts'
import { ItemColumns, type ItemColumnsRow } from './item-columns.ts'

/** Items that one part reads: a search that arrives meanwhile waits for a few milliseconds. */
const itemsOfPart = 1_000

const selectColumns = (db: Kysely<Rows>) =>
  db
    .withTables<{ item_index: ItemColumnsRow }>()
    .selectFrom('items')
    .innerJoin('item_index', 'item_index.number', 'items.id')
    .select(['number', 'portal_id', 'owner_id', 'level', 'items.access', 'items.type', 'items.modified_at'])
    .select(['item_index.tags', 'item_index.categories'])

const selectPart = prepared((db, { after }: { after: number }) =>
  selectColumns(db).where('items.id', '>', after).orderBy('items.id').limit(sql.lit(itemsOfPart)),
)

const selectSome = (db: Kysely<Rows>, deadlineCondition: DeadlineCondition, numbers: readonly number[]) =>
  selectColumns(db)
    .where((row) => isAmong(db, row.ref('items.id'), toJson(numbers), 'bigint'))
    .$if(deadlineCondition !== undefined, (query) => query.where(deadlineCondition!))

const changesOf = (db: Kysely<Rows>) =>
  db.withTables<{ item_changes: { id: number; number: ItemChangeRow['number'] } }>().selectFrom('item_changes')

const selectLast = prepared((db) => changesOf(db).select('id').orderBy('id', 'desc').limit(1))

/** The last known change, if it is kept, and a part of those after it. */
const selectChanges = prepared((db, { from }: { from: number }) =>
  changesOf(db)
    .select(['id', 'number'])
    .where('id', '>=', from)
    .orderBy('id')
    .limit(sql.lit(itemsOfPart + 1)),
)

/** Searches without columns, or with a crowded organization, before columns are read again (chosen). */
const searchesUntilRetry = 10_000

/**
 * Columns of all items of a SQLite database, which follow it: for a search that begins, they equal its snapshot. They are read
 * in parts, between searches, and again after more changes than the database keeps. Where items exceed the limits, maybe by
 * values that no item has any more, reading is retried later.
 */
export class ItemColumnCache {
  #columns: ItemColumns
  /** Id of the last change that the columns include; undefined before they are read. */
  #lastChange: number | undefined
  /** Number of the last item that was read; undefined when all are read. */
  #lastItem: number | undefined = 0
  /** Searches left before the next reading, after all items exceeded the limits. */
  #searchesLeft = 0
  /** Searches since an organization exceeded its limit. */
  #crowded = 0
  #isAsked = false
  readonly #limits: ConstructorParameters<typeof ItemColumns>[0]
  readonly #searchesUntilRetry: number

  constructor(limits?: ConstructorParameters<typeof ItemColumns>[0], without = searchesUntilRetry) {
    this.#limits = limits
    this.#searchesUntilRetry = without
    this.#columns = new ItemColumns(limits)
  }

  /** Whether a search requested the columns, and they have to be read first. */
  get isMissing(): boolean {
    return this.#isAsked && this.#lastItem !== undefined && this.#searchesLeft === 0
  }

  /** Whether all items are read; then their changes can be followed. */
  get isRead(): boolean {
    return this.#lastItem === undefined
  }

  /** Columns that equal the snapshot of the search that calls it; undefined if they are not read yet. */
  async find(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): Promise<ItemColumns | undefined> {
    this.#isAsked = true
    if (this.#searchesLeft > 0) this.#searchesLeft -= 1
    if (this.#lastItem !== undefined) return undefined
    if (this.#columns.crowded.size > 0 && ++this.#crowded > this.#searchesUntilRetry) {
      this.#forget()
      return undefined
    }
    // Parts that a search has read before its deadline are not read again by the next one.
    while (await this.#follow(db, deadlineCondition));
    return this.#lastItem === undefined ? this.#columns : undefined
  }

  /** Reads a part of the items, or of their changes. False if nothing is left to be read. */
  async readPart(db: Kysely<Rows>): Promise<boolean> {
    if (this.#searchesLeft > 0) return false
    if (this.#lastItem === undefined) return this.#follow(db)
    // Read before the items, so that changes during the reading are read again.
    this.#lastChange ??= (await selectLast.first(db, {}))?.id ?? 0
    const rows = await selectPart.all(db, { after: this.#lastItem })
    if (!this.#put(rows)) {
      this.#forget()
      this.#searchesLeft = this.#searchesUntilRetry
      return false
    }
    this.#lastItem = rows.length < itemsOfPart ? undefined : rows.at(-1)!.number
    return this.#lastItem !== undefined
  }

  /** Reads a part of the changes; forgets the columns where some are not kept. False if nothing is left to be followed. */
  async #follow(db: Kysely<Rows>, deadlineCondition?: DeadlineCondition): Promise<boolean> {
    const known = this.#lastChange!
    const found = await selectChanges.all(db, { from: known })
    const isKept = known === 0 || found[0]?.id === known
    const changes = known === 0 ? found : found.slice(1)
    const last = changes.at(-1)?.id ?? known
    const numbers = [...new Set(changes.map(({ number }) => number))]
    if (!isKept || last !== known + changes.length || !(await this.#change(db, deadlineCondition, numbers))) {
      this.#forget()
      return false
    }
    this.#lastChange = last
    return changes.length >= itemsOfPart
  }

  /** Reads changed items; false if they exceed the limits. */
  async #change(db: Kysely<Rows>, deadlineCondition: DeadlineCondition, numbers: readonly number[]): Promise<boolean> {
    const rows = await selectSome(db, deadlineCondition, numbers).execute()
    for (const number of numbers) this.#columns.remove(number)
    this.#columns.kept.change(numbers)
    return this.#put(rows)
  }

  #put(rows: readonly ItemColumnsRow[]): boolean {
    return rows.every((row) => this.#columns.put(row))
  }

  #forget(): void {
    this.#columns = new ItemColumns(this.#limits)
    this.#lastChange = undefined
    this.#lastItem = 0
    this.#crowded = 0
  }
}

import { type Kysely, sql } from 'kysely'
import type { ItemChangeRow } from '../../tables/rows/search-index.ts'
import type { Rows } from '../../tables/rows.ts'
import { prepared } from '../prepared.ts'
import { isAmong, toJson } from '../select.ts'
import { ItemColumns, type ItemColumnsRow } from './item-columns.ts'

/** Items that are read at once: a search that arrives meanwhile waits for a few milliseconds. */
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

const selectSome = prepared((db, { items }: { items: string }) =>
  selectColumns(db).where((row) => isAmong(db, row.ref('items.id'), items, 'bigint')),
)

const changesOf = (db: Kysely<Rows>) =>
  db.withTables<{ item_changes: { id: number; number: ItemChangeRow['number'] } }>().selectFrom('item_changes')

const selectLast = prepared((db) => changesOf(db).select('id').orderBy('id', 'desc').limit(1))

const selectChanges = prepared((db, { from }: { from: number }) =>
  changesOf(db).select(['id', 'number']).where('id', '>=', from).orderBy('id'),
)

/**
 * Columns of all items of a SQLite database, which follow it: a search that begins sees in them what its snapshot has. They
 * are read in parts, between searches, and anew after more changes than the database keeps.
 */
export class FollowedColumns {
  #columns: ItemColumns
  /** The last change that they have; undefined before they are read. */
  #lastChange: number | undefined
  /** What has been read of the items; undefined when all is. */
  #lastItem: number | undefined = 0
  #isTooMuch = false
  #isAsked = false
  readonly #limits: ConstructorParameters<typeof ItemColumns>[0]

  constructor(limits?: ConstructorParameters<typeof ItemColumns>[0]) {
    this.#limits = limits
    this.#columns = new ItemColumns(limits)
  }

  /** Whether a search asked for them, and they have to be read first. */
  get isMissing(): boolean {
    return this.#isAsked && this.#lastItem !== undefined && !this.#isTooMuch
  }

  /** Called in the snapshot of a search: the columns as they are there, or undefined if they are not read yet. */
  async find(db: Kysely<Rows>): Promise<ItemColumns | undefined> {
    this.#isAsked = true
    if (this.#lastItem !== undefined || this.#isTooMuch) return undefined
    const known = this.#lastChange!
    const changes = await selectChanges.all(db, { from: known })
    const later = known > 0 && changes[0]?.id === known ? changes.slice(1) : changes
    const hasAll =
      (known === 0 || later.length < changes.length) && (later.at(-1)?.id ?? known) === known + later.length
    if (!hasAll) {
      this.#forget()
      return undefined
    }
    if (later.length > 0) await this.#change(db, [...new Set(later.map(({ number }) => number))])
    if (this.#isTooMuch) return undefined
    this.#lastChange = known + later.length
    return this.#columns
  }

  /** Reads a part of the items. False if nothing is left to be read. */
  async readPart(db: Kysely<Rows>): Promise<boolean> {
    if (this.#lastItem === undefined || this.#isTooMuch) return false
    // Before the items: what changes while they are read is read again.
    this.#lastChange ??= (await selectLast.first(db, {}))?.id ?? 0
    const rows = await selectPart.all(db, { after: this.#lastItem })
    this.#put(rows)
    this.#lastItem = rows.length < itemsOfPart ? undefined : rows.at(-1)!.number
    return this.#lastItem !== undefined && !this.#isTooMuch
  }

  async #change(db: Kysely<Rows>, numbers: readonly number[]): Promise<void> {
    const rows = await selectSome.all(db, { items: toJson(numbers) })
    for (const number of numbers) this.#columns.remove(number)
    this.#put(rows)
  }

  #put(rows: readonly ItemColumnsRow[]): void {
    for (const row of rows) {
      if (this.#columns.put(row)) continue
      this.#forget()
      this.#isTooMuch = true
      return
    }
  }

  #forget(): void {
    this.#columns = new ItemColumns(this.#limits)
    this.#lastChange = undefined
    this.#lastItem = 0
  }
}

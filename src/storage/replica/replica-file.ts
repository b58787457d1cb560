import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { usernameKey } from '../../directory/user.ts'
import { openKysely } from '../sqlite/dialect.ts'
import { openSearchDeadline, type SearchDeadline } from '../sqlite/search-deadline.ts'
import { ItemColumnCache } from '../stores/items/columns/item-column-cache.ts'
import { toText } from '../stores/items/index/document.ts'
import { listItemRecords } from '../stores/items/index/index-item.ts'
import { isAmong, toJson } from '../stores/select.ts'
import { makeItemIndex } from '../tables/migrations/foundation/search-index.ts'
import type { Rows } from '../tables/rows.ts'

/** The index of items, with what searches of items read beside it. */
const tables = `
create table items (
  id integer primary key, portal_id text, owner_id text, level text, access text, type text, modified_at integer,
  title_key text, west real, south real, east real, north real
);
create table users (user_id text primary key, username text, username_key text) without rowid;
create table category_paths (
  id integer primary key, owner_kind text, owner_id text, path text, path_key text, depth integer, parent_id integer,
  state text
);
create index category_paths_by_key on category_paths (owner_kind, owner_id, path_key);
create index category_paths_cleared on category_paths (owner_kind, owner_id) where state = 'cleared';
`

/** Opens a file and removes its name, which SQLite needs only to open it. */
function openUnnamed(path: string): Database.Database {
  try {
    return new Database(path)
  } finally {
    unlinkSync(path)
  }
}

/** Kibibytes of pages in memory (chosen): FTS5 reads and writes its segments there while it fills. */
const cacheKibibytes = 32_000

/** Bytes of words that FTS5 gathers before it writes them (chosen): with its own 1 MiB, it merges what it has written again and again. */
const gatheredBytes = 8 * 1024 ** 2

/**
 * A SQLite file with the index of items, which no other program sees: it loses its name when it is made, and its room goes back to the disk
 * when the process ends, however it does. So it needs neither locks nor a log, and is never stale.
 */
export class ReplicaFile {
  readonly connection: Database.Database
  readonly db: Kysely<Rows>
  readonly searching: SearchDeadline
  readonly columns = new ItemColumnCache()
  readonly #inserting: { [Table in keyof typeof columnsOf]?: Database.Statement } = {}
  /** Usernames of owners in the file, by their ids. */
  readonly #usernames = new Map<string, string>()
  /** Definitions of the triggers, which are made once the file is filled. */
  readonly #triggers: readonly string[]

  private constructor(connection: Database.Database) {
    this.connection = connection
    this.db = openKysely(connection)
    const found = connection.prepare("select name, sql from sqlite_schema where type = 'trigger'").all()
    const triggers = found as { readonly name: string; readonly sql: string }[]
    for (const { name } of triggers) connection.exec(`drop trigger ${name}`)
    this.#triggers = triggers.map(({ sql }) => sql)
    this.searching = openSearchDeadline(connection)
  }

  static async open(folder: string): Promise<ReplicaFile> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `cartulary-search-${randomUUID()}.db`)
    closeSync(openSync(path, 'wx', 0o600))
    const connection = openUnnamed(path)
    try {
      for (const setting of [
        'locking_mode = EXCLUSIVE',
        'journal_mode = MEMORY',
        'synchronous = OFF',
        'foreign_keys = OFF',
      ])
        connection.pragma(setting)
      connection.pragma(`cache_size = -${cacheKibibytes}`)
      connection.exec(tables)
      await makeItemIndex(openKysely(connection) as Kysely<unknown>)
      connection.exec(`insert into item_words (item_words, rank) values ('hashsize', ${gatheredBytes})`)
      const file = new ReplicaFile(connection)
      // At each commit, FTS5 writes what it has gathered.
      connection.exec('begin')
      return file
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** Bytes on the disk. */
  get bytes(): number {
    const [pages, size] = ['page_count', 'page_size'].map((name) => this.connection.pragma(name, { simple: true }))
    return Number(pages) * Number(size)
  }

  close(): void {
    this.connection.close()
  }

  /** Ends the fill, which is one transaction. What is put in from now on may replace something, and is noted for the columns. */
  endFill(): void {
    for (const trigger of this.#triggers) this.connection.exec(trigger)
    this.connection.exec('commit')
  }

  /** Reads items into memory, until they are there or are too many. */
  async readColumns(): Promise<void> {
    do while (await this.columns.readPart(this.db));
    while (!(await this.columns.find(this.db)) && this.columns.isMissing)
  }

  /** Puts what was read of a source in place of what is there. */
  write({ items, categories, records, paths, inexact }: ReadIndexed): void {
    const isAlone = !this.connection.inTransaction
    if (isAlone) this.connection.exec('begin')
    this.#remove('item_index', 'number', items)
    this.#remove('items', 'id', items)
    this.#remove('category_paths', 'id', categories)
    this.#remove('inexact_categories', 'category_id', categories)
    for (const { item, row, keywords } of records) {
      this.#insert('items', item)
      // Without digests: nothing is compared here.
      this.#insert('item_index', { ...row, digest: '', keywords: JSON.stringify(keywords) })
      if (this.#usernames.get(item.owner_id) === item.username) continue
      this.#insert('users', { ...item, user_id: item.owner_id, username_key: usernameKey(item.username) })
      this.#usernames.set(item.owner_id, item.username)
    }
    for (const path of paths) this.#insert('category_paths', path)
    for (const one of inexact) this.#insert('inexact_categories', one)
    // Last, and in order: FTS5 gathers tokens in memory until another statement, or a lesser number, comes.
    for (const { row, document, uncompared } of records.toSorted((one, other) => one.row.number - other.row.number))
      this.#insert('item_words', { rowid: row.number, tokens: toText(document, uncompared) })
    if (isAlone) this.connection.exec('commit')
  }

  #remove(table: string, column: string, numbers: readonly number[]): void {
    if (numbers.length === 0) return
    this.connection
      .prepare(`delete from ${table} where ${column} in (select value from json_each(?))`)
      .run(toJson(numbers))
  }

  #insert(table: keyof typeof columnsOf, row: object): void {
    this.#inserting[table] ??= this.connection.prepare(insertion(table))
    this.#inserting[table].run(row)
  }
}

export type ReadIndexed = Awaited<ReturnType<typeof readIndexed>>

/** Reads the rows and words of items, and categories by their negative numbers. */
export async function readIndexed(source: Kysely<Rows>, numbers: readonly number[]) {
  const items = numbers.filter((number) => number > 0)
  const categories = numbers.filter((number) => number < 0).map((number) => -number)
  const records = items.length > 0 ? await listItemRecords(source, items) : []
  const paths = categories.length > 0 ? await listCategories(source, categories) : []
  const inexact = categories.length > 0 ? await listInexact(source, categories) : []
  return { items, categories, records, paths, inexact }
}

function insertion(table: keyof typeof columnsOf): string {
  const columns = columnsOf[table]
  const replacing = table === 'users' || table === 'inexact_categories' ? 'or replace' : ''
  return `insert ${replacing} into ${table} (${columns}) values (${columns.map((name) => `@${name}`)})`
}

const columnsOf = {
  items: 'id portal_id owner_id level access type modified_at title_key west south east north'.split(' '),
  users: 'user_id username username_key'.split(' '),
  category_paths: 'id owner_kind owner_id path path_key depth parent_id state'.split(' '),
  inexact_categories: ['category_id'],
  item_index: 'number item_id created_at modified_at access type type_key tags categories digest keywords'.split(' '),
  item_words: ['rowid', 'tokens'],
}

function listCategories(source: Kysely<Rows>, ids: readonly number[]) {
  return source
    .selectFrom('category_paths')
    .selectAll()
    .where((row) => isAmong(source, row.ref('id'), toJson(ids), 'bigint'))
    .execute()
}

function listInexact(source: Kysely<Rows>, ids: readonly number[]) {
  return source
    .withTables<{ inexact_categories: { category_id: number } }>()
    .selectFrom('inexact_categories')
    .selectAll()
    .where((row) => isAmong(source, row.ref('category_id'), toJson(ids), 'bigint'))
    .execute()
}

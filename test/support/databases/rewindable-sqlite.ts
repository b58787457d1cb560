import Database from 'better-sqlite3'
import type { Changes, RewindableTables } from './rewindable-tables.ts'

type Row = Readonly<Record<string, unknown>>

/** What is asked of one table, prepared once. */
interface TableQueries {
  readonly table: string
  readonly added: Database.Statement<[], Row>
  readonly removed: Database.Statement<[], Row>
  readonly putBack: string
}

/** The SQLite file behind a server, seen through a connection of its own; what was kept is in memory. */
export class RewindableFile implements RewindableTables {
  readonly #file: string
  #connection: Database.Database | undefined
  #versionQuery: Database.Statement<[], number> | undefined
  #tables: readonly TableQueries[] = []
  #keptVersion: unknown
  #seenVersion: unknown
  #seen: Changes = {}

  constructor(file: string) {
    this.#file = file
  }

  async keep(): Promise<void> {
    this.#connection?.close()
    const connection = new Database(this.#file)
    this.#connection = connection
    connection.pragma('foreign_keys = OFF')
    connection.pragma('synchronous = OFF')
    connection.exec("ATTACH ':memory:' AS kept")
    const tables = connection
      .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all()
    this.#tables = tables.map((table) => keepTable(connection, table))
    this.#versionQuery = connection.prepare<[], number>('PRAGMA data_version').pluck()
    this.#keptVersion = this.#version()
  }

  async changes(): Promise<Changes> {
    const version = this.#version()
    if (version === this.#keptVersion) return {}
    if (version === this.#seenVersion) return this.#seen
    const changed = this.#tables.map(
      ({ table, added, removed }) => [table, { added: added.all(), removed: removed.all() }] as const,
    )
    this.#seen = Object.fromEntries(changed.filter(([, { added, removed }]) => added.length + removed.length > 0))
    this.#seenVersion = version
    return this.#seen
  }

  async rewind(): Promise<Changes> {
    const changed = await this.changes()
    if (Object.keys(changed).length === 0) return changed
    const connection = this.#open()
    connection.exec('BEGIN IMMEDIATE')
    for (const { table, putBack } of this.#tables) {
      if (table in changed) connection.exec(putBack)
    }
    connection.exec('COMMIT')
    this.#keptVersion = this.#version()
    return changed
  }

  async close(): Promise<void> {
    this.#connection?.close()
  }

  /** Differs as soon as another connection has committed. */
  #version(): unknown {
    return this.#versionQuery?.get()
  }

  #open(): Database.Database {
    if (!this.#connection) throw new Error('Nothing was kept yet.')
    return this.#connection
  }
}

/** Copies a table with the numbers of its rows, by which a row is found again without comparing it to every other. */
function keepTable(connection: Database.Database, table: string): TableQueries {
  const names = connection.prepare<[], { name: string }>(`PRAGMA main.table_info("${table}")`).all()
  const columns = (of = '') => names.map(({ name }) => `${of}"${name}"`).join(', ')
  const copy = (to: string, from: string) =>
    `INSERT INTO ${to}."${table}" (rowid, ${columns()}) SELECT rowid, ${columns()} FROM ${from}."${table}"`
  connection.exec(`CREATE TABLE kept."${table}" AS SELECT * FROM main."${table}" WHERE false; ${copy('kept', 'main')}`)
  const rows = (from: string, but: string) =>
    connection.prepare<[], Row>(`
      SELECT one.* FROM ${from}."${table}" AS one LEFT JOIN ${but}."${table}" AS other ON other.rowid = one.rowid
      WHERE other.rowid IS NULL OR (${columns('one.')}) IS NOT (${columns('other.')})`)
  return {
    table,
    added: rows('main', 'kept'),
    removed: rows('kept', 'main'),
    putBack: `DELETE FROM main."${table}"; ${copy('main', 'kept')}`,
  }
}

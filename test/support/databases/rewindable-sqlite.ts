import Database from 'better-sqlite3'
import { tableNames } from '../../../src/storage/tables/tables.ts'
import { type Changes, type RewindableTables, tablesOfIndex } from './rewindable-tables.ts'

type Row = Readonly<Record<string, unknown>>

/** Prepared statements for one table. */
interface TableQueries {
  readonly added: Database.Statement<[], Row>
  readonly removed: Database.Statement<[], Row>
  readonly removeAdded: Database.Statement
  readonly addRemoved: Database.Statement
  copyAgain(): void
}

/**
 * The SQLite file behind a server, seen through a connection of its own. What was kept is in memory; triggers write down
 * to which tables a transaction has written, and nothing else is compared.
 */
export class RewindableFile implements RewindableTables {
  readonly #connection: Database.Database
  #isKept = false
  #tables: ReadonlyMap<string, TableQueries> = new Map()
  readonly #askVersion: Database.Statement<[], number>
  #askWritten: Database.Statement<[], string> | undefined
  #keptVersion: number | undefined
  /** Tables in which the full-text indexes are; no row of them has a meaning by itself. */
  readonly #indexTables: readonly string[]

  constructor(file: string) {
    this.#connection = new Database(file)
    // The tables of an index may be written by the index alone, but for this.
    this.#connection.unsafeMode()
    this.#connection.pragma('foreign_keys = OFF')
    this.#connection.pragma('synchronous = OFF')
    this.#connection.exec("ATTACH ':memory:' AS kept")
    this.#askVersion = this.#connection.prepare<[], number>('PRAGMA data_version').pluck()
    const shadows = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
    this.#indexTables = this.#connection.prepare<[], string>(shadows).pluck().all()
  }

  async keep(): Promise<void> {
    if (this.#isKept) this.#keepAgain()
    else this.#keepAll()
    this.#keptVersion = this.#askVersion.get()
  }

  #keepAgain(): void {
    const written = this.#askWritten!.all()
    this.#connection.exec('BEGIN IMMEDIATE')
    for (const table of written) this.#tables.get(table)!.copyAgain()
    this.#keepIndexes()
    this.#connection.exec('DELETE FROM main.written; COMMIT')
  }

  #keepIndexes(): void {
    for (const table of [...tablesOfIndex, ...this.#indexTables])
      this.#copy(`kept."${copyOf(table)}"`, `main."${table}"`)
  }

  /** To delete a row would delete its words: rows that were added stay, and belong to no record. */
  #putIndexesBack(): void {
    // Triggers have counted what went back.
    this.#connection.exec('DELETE FROM main.item_counts')
    for (const table of tablesOfIndex) {
      this.#connection.exec(`INSERT OR REPLACE INTO main.${table} SELECT * FROM kept."${copyOf(table)}"`)
    }
    for (const table of this.#indexTables) this.#copy(`main."${table}"`, `kept."${copyOf(table)}"`)
    // A gap between two changes: searches read all items again.
    this.#connection.exec('INSERT INTO main.item_changes SELECT max(id) + 2, 0 FROM main.item_changes')
  }

  #copy(to: string, from: string): void {
    this.#connection.exec(`DELETE FROM ${to}; INSERT INTO ${to} SELECT * FROM ${from}`)
  }

  #keepAll(): void {
    this.#connection.exec('CREATE TABLE main.written (name TEXT PRIMARY KEY); BEGIN')
    this.#tables = new Map(tableNames.map((table) => [table, keepTable(this.#connection, table)]))
    for (const table of [...tablesOfIndex, ...this.#indexTables]) {
      this.#connection.exec(`CREATE TABLE kept."${copyOf(table)}" AS SELECT * FROM main."${table}" WHERE false`)
    }
    this.#keepIndexes()
    this.#connection.exec('COMMIT')
    this.#askWritten = this.#connection.prepare<[], string>('SELECT name FROM main.written').pluck()
    this.#isKept = true
  }

  async changes(): Promise<Changes> {
    // Differs as soon as another connection has committed.
    if (this.#askVersion.get() === this.#keptVersion) return {}
    const changed = this.#askWritten!.all().map((table) => {
      const { added, removed } = this.#tables.get(table)!
      return [table, { added: added.all(), removed: removed.all() }] as const
    })
    return Object.fromEntries(changed.filter(([, { added, removed }]) => added.length + removed.length > 0))
  }

  async rewind(): Promise<Changes> {
    const changed = await this.changes()
    if (Object.keys(changed).length === 0) return changed
    this.#connection.exec('BEGIN IMMEDIATE')
    for (const [table, { added, removed }] of Object.entries(changed)) {
      const { removeAdded, addRemoved } = this.#tables.get(table)!
      if (added.length > 0) removeAdded.run()
      if (removed.length > 0) addRemoved.run()
    }
    this.#putIndexesBack()
    this.#connection.exec('DELETE FROM main.written; COMMIT')
    this.#keptVersion = this.#askVersion.get()
    return changed
  }

  async close(): Promise<void> {
    this.#forget()
    this.#connection.close()
  }

  #forget(): void {
    if (!this.#isKept) return
    this.#isKept = false
    const dropping = tableNames.flatMap((table) => [
      ...operations.map((operation) => `DROP TRIGGER main.${triggerOf(table, operation)}`),
      `DROP TABLE kept.${table}`,
    ])
    dropping.push(...[...tablesOfIndex, ...this.#indexTables].map((table) => `DROP TABLE kept."${copyOf(table)}"`))
    this.#connection.exec([...dropping, 'DROP TABLE main.written'].join('; '))
  }
}

/** The tables of an index have names that no other table may have. */
function copyOf(indexTable: string): string {
  return `copy_of_${indexTable}`
}

const operations = ['INSERT', 'UPDATE', 'DELETE'] as const

function triggerOf(table: string, operation: (typeof operations)[number]): string {
  return `written_by_${operation}_on_${table}`
}

/**
 * Copies a table with the numbers of its rows, by which a row is found again without comparing it to every other. A table
 * without numbers is small.
 */
function keepTable(connection: Database.Database, table: string): TableQueries {
  const names = connection.prepare<[], { name: string }>(`PRAGMA main.table_info("${table}")`).all()
  const columns = (of = '') => names.map(({ name }) => `${of}"${name}"`).join(', ')
  const isNumbered = connection.prepare<[string], number>('SELECT wr = 0 FROM pragma_table_list(?)').pluck().get(table)
  const all = isNumbered ? `rowid, ${columns()}` : columns()
  const copy = (to: string, from: string) =>
    `INSERT INTO ${to}.${table} (${all}) SELECT ${all} FROM ${from}.${table} AS one`
  // Without OR IGNORE, for which SQLite takes what the statement says that fires the trigger.
  const writeDown = `INSERT INTO written SELECT '${table}' WHERE NOT EXISTS (SELECT 1 FROM written WHERE name = '${table}')`
  const triggers = operations.map(
    (operation) =>
      `CREATE TRIGGER main.${triggerOf(table, operation)} AFTER ${operation} ON ${table} BEGIN ${writeDown}; END;`,
  )
  connection.exec(`
    CREATE TABLE kept.${table} AS SELECT * FROM main.${table} WHERE false;
    ${copy('kept', 'main')};
    ${triggers.join('')}`)
  /** A row is the same if all of it is. */
  const isEqual = `(${columns('other.')}) IS (${columns('one.')})`
  const isSame = isNumbered ? `other.rowid = one.rowid AND ${isEqual}` : isEqual
  const missingIn = (side: string) => `NOT EXISTS (SELECT 1 FROM ${side}.${table} AS other WHERE ${isSame})`
  return {
    added: connection.prepare<[], Row>(`SELECT * FROM main.${table} AS one WHERE ${missingIn('kept')}`),
    removed: connection.prepare<[], Row>(`SELECT * FROM kept.${table} AS one WHERE ${missingIn('main')}`),
    removeAdded: connection.prepare(`DELETE FROM main.${table} AS one WHERE ${missingIn('kept')}`),
    copyAgain: () => void connection.exec(`DELETE FROM kept.${table}; ${copy('kept', 'main')}`),
    addRemoved: connection.prepare(`${copy('main', 'kept')} WHERE ${missingIn('main')}`),
  }
}

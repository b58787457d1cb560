import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { tableNames } from '../../../src/storage/tables/tables.ts'
import { type StartOptions, startPortal, type TestPortal } from '../portal/portal.ts'
import { findDatabase, type PortalDatabase, type PostgresDatabase } from '../portal/portal-database.ts'
import { type Recorded, recordedIn } from './recorded.ts'

type Row = Readonly<Record<string, unknown>>

/** Statements that take something from a table, and those that give it back. */
interface Harm {
  readonly does: string
  readonly undoes: string
}

/** Access to tables that differs by engine. */
interface Tables {
  rows(sql: string): Promise<readonly Row[]>
  run(sql: string): Promise<void>
  bytes(): Promise<Buffer>
  fill(table: string): Harm
  corrupt(table: string): Harm
}

/** A portal on a database that a test looks into; both end with it. SQL for it is what both engines understand. */
export async function openRawDatabase(options: StartOptions = {}): Promise<RawDatabase> {
  return new RawDatabase(await startPortal(options))
}

/** Records that a portal has written and no operation reads. */
export function recordedOf(portal: TestPortal): Recorded {
  const { rows } = tablesOf(findDatabase(portal.server))
  return recordedIn(async <Found>(sql: string) => (await rows(sql)) as readonly Found[])
}

/** The tables of a portal beside it, whichever engine is behind. */
export class RawDatabase implements AsyncDisposable {
  readonly portal: TestPortal
  readonly #tables: Tables
  readonly #harms: Harm[] = []

  constructor(portal: TestPortal) {
    this.portal = portal
    this.#tables = tablesOf(findDatabase(portal.server))
  }

  rows(sql: string): Promise<readonly Row[]> {
    return this.#tables.rows(sql)
  }

  /** One statement or several; what they do to rows stays. */
  run(sql: string): Promise<void> {
    return this.#tables.run(sql)
  }

  /** Everything that was written. */
  bytes(): Promise<Buffer> {
    return this.#tables.bytes()
  }

  /** Hides a table by renaming it, as if it did not exist. */
  hide(table: string): Promise<void> {
    const rename = (from: string, to: string) => `ALTER TABLE ${from} RENAME TO ${to}`
    return this.#harm({ does: rename(table, 'hidden'), undoes: rename('hidden', table) })
  }

  /** The table takes no more rows. */
  fill(table: string): Promise<void> {
    return this.#harm(this.#tables.fill(table))
  }

  /** The description of the table becomes unreadable. A SQLite file cannot be mended then. */
  corrupt(table: string): Promise<void> {
    return this.#harm(this.#tables.corrupt(table))
  }

  /** Undoes the harm that was done to tables. */
  async mend(): Promise<void> {
    for (const { undoes } of this.#harms.splice(0).toReversed()) await this.run(undoes)
  }

  async #harm(harm: Harm): Promise<void> {
    await this.run(harm.does)
    this.#harms.push(harm)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mend()
    await this.portal[Symbol.asyncDispose]()
  }
}

function tablesOf(database: PortalDatabase): Tables {
  return database.engine === 'sqlite' ? tablesOfFile(database.file) : tablesOfServer(database)
}

function tablesOfFile(file: string): Tables {
  function withConnection<Result>(work: (connection: Database.Database) => Result): Result {
    const connection = new Database(file).unsafeMode()
    try {
      return work(connection)
    } finally {
      connection.close()
    }
  }
  return {
    rows: async (sql) => withConnection((connection) => connection.prepare<[], Row>(sql).all()),
    async run(sql) {
      withConnection((connection) => connection.exec(sql))
      // Reads of one turn of the event loop share a snapshot, which the server renews for its own writes alone.
      await setImmediate()
    },
    // The log of the database included.
    async bytes() {
      const folder = dirname(file)
      return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
    },
    fill: (table) => ({
      does: `CREATE TRIGGER full BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no more rows'); END`,
      undoes: 'DROP TRIGGER full',
    }),
    corrupt: (table) => ({
      does: `
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE TABLE (' WHERE name = '${table}';
        PRAGMA schema_version = 1000000`,
      undoes: '',
    }),
  }
}

/** The database of several servers. They serve other tests afterwards. */
function tablesOfServer({ connection }: PostgresDatabase): Tables {
  const rows = async (sql: string) => (await connection.query<Row>(sql)).rows
  const addColumns = (table: string, count: number) =>
    `UPDATE pg_class SET relnatts = relnatts + ${count} WHERE relname = '${table}' AND relkind = 'r'`
  return {
    rows,
    run: async (sql) => void (await connection.query(sql)),
    async bytes() {
      const texts: unknown[] = []
      for (const table of tableNames) {
        texts.push(...(await rows(`SELECT one::text AS text FROM ${table} AS one`)).map(({ text }) => text))
      }
      return Buffer.from(texts.join('\n'))
    },
    fill: (table) => ({
      does: `ALTER TABLE ${table} ADD CONSTRAINT no_more_rows CHECK (false) NOT VALID`,
      undoes: `ALTER TABLE ${table} DROP CONSTRAINT no_more_rows`,
    }),
    // PostgreSQL misses the description of a column.
    corrupt: (table) => ({ does: addColumns(table, 1), undoes: addColumns(table, -1) }),
  }
}

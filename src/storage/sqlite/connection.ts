import { type BigIntStats, statSync } from 'node:fs'
import type { Database, Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { StorageUnavailable } from '../storage.ts'
import type { Executor, Statement as PreparedStatement } from '../stores/prepared.ts'

/** Maximum prepared statements of a connection. */
const maxPrepared = 500

/** Adapts a connection of better-sqlite3 to Kysely; each statement is prepared once. */
export class SqliteConnection implements DatabaseConnection, Executor {
  readonly #database: Database
  readonly #statements = new Map<string, Statement<unknown[]>>()

  constructor(database: Database) {
    this.#database = database
  }

  all({ sql }: PreparedStatement, values: readonly unknown[]): unknown[] {
    return this.#prepare(sql).all(values)
  }

  first({ sql }: PreparedStatement, values: readonly unknown[]): unknown {
    return this.#prepare(sql).get(values)
  }

  run({ sql }: PreparedStatement, values: readonly unknown[]): number {
    return this.#prepare(sql).run(values).changes
  }

  send({ sql }: PreparedStatement, values: readonly unknown[]): void {
    this.#prepare(sql).run(values)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  // biome-ignore lint/correctness/useYield: no query is streamed, but Kysely requires the method.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed.')
  }

  #prepare(text: string): Statement<unknown[]> {
    const known = this.#statements.get(text)
    if (known) return known
    // Searches have statements of many forms. Clearing the cache is rare, and costs less than an LRU order at each use.
    if (this.#statements.size >= maxPrepared) this.#statements.clear()
    const statement = this.#database.prepare<unknown[]>(text)
    this.#statements.set(text, statement)
    return statement
  }
}

/**
 * A check that throws once the path no longer leads to the file that is there now. SQLite would go on writing to the file
 * that it has open, and those writes would be lost with it.
 */
export function requireSameFile(path: string): () => void {
  const opened = find(path)
  return () => {
    const present = find(path)
    if (opened && present && present.ino === opened.ino && present.dev === opened.dev) return
    throw new StorageUnavailable(
      `The database file ${path} was moved, removed or replaced; put it back or restart the server.`,
    )
  }
}

function find(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

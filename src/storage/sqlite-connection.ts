import type { Database, Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { PreparedQuery, Shortcut } from './prepared.ts'
import type { RememberedRows } from './remembered-rows.ts'

/** Most statements that a connection keeps. */
const mostPrepared = 500

/** Kysely's way to a connection of better-sqlite3, on which SQLite prepares a statement once. */
export class SqliteConnection implements DatabaseConnection, Shortcut {
  readonly #database: Database
  readonly #memory: RememberedRows | undefined
  readonly #statements = new LRUCache<string, Statement<unknown[]>>({ max: mostPrepared })
  readonly #run = (query: CompiledQuery): QueryResult<unknown> => this.#execute(query)

  constructor(database: Database, memory: RememberedRows | undefined) {
    this.#database = database
    this.#memory = memory
  }

  /** Where reads and writes share the connection, only what is remembered: anything else waits for its turn. */
  answerAtOnce<Row>(query: PreparedQuery<Row>): QueryResult<Row> | undefined {
    if (!this.#memory) return undefined
    const known = this.#memory.find(query)
    if (known || this.#memory.purpose === 'both') return known
    return this.#memory.answer(query, this.#run) as QueryResult<Row>
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return (this.#memory ? this.#memory.answer(query, this.#run) : this.#execute(query)) as QueryResult<Row>
  }

  // biome-ignore lint/correctness/useYield: nobody streams, and Kysely wants a way to say so.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed.')
  }

  #execute({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  #prepare(text: string): Statement<unknown[]> {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare<unknown[]>(text)
    this.#statements.set(text, statement)
    return statement
  }
}

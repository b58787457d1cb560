import type { Database, Statement } from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { SyncExecutor } from '../stores/prepared.ts'

/** Most prepared statements of a connection. */
const mostPrepared = 500

/** Adapts a connection of better-sqlite3 to Kysely; each statement is prepared once. */
export class SqliteConnection implements DatabaseConnection, SyncExecutor {
  readonly #database: Database
  readonly #statements = new LRUCache<string, Statement<unknown[]>>({ max: mostPrepared })

  constructor(database: Database) {
    this.#database = database
  }

  executeSync<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.executeSync(query)
  }

  // biome-ignore lint/correctness/useYield: no query is streamed, but Kysely requires the method.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows are not streamed.')
  }

  #prepare(text: string): Statement<unknown[]> {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare<unknown[]>(text)
    this.#statements.set(text, statement)
    return statement
  }
}

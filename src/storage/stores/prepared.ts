import type { Compilable, CompiledQuery, Kysely, QueryId, QueryResult } from 'kysely'
import type { Rows } from '../tables/rows.ts'

type Db = Kysely<Rows>

/** A statement that is compiled once for each engine and run with different values. */
export interface Prepared<Given, Row> {
  all(db: Db, given: Given): Promise<readonly Readonly<Row>[]>
  first(db: Db, given: Given): Promise<Readonly<Row> | undefined>
  /** For statements without result rows; resolves with the number of changed rows. */
  run(db: Db, given: Given): Promise<number>
}

/**
 * `build` is called once for each engine with a placeholder for each value, which may be used wherever a value may, any
 * number of times. It must not inspect them: they are neither strings nor numbers.
 */
export function prepared<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  const compiledByEngine = new WeakMap<object, CompiledQuery>()
  const execute = (db: Db, given: Given): QueryResult<Row> | Promise<QueryResult<Row>> => {
    // Connections to PostgreSQL have different adapters of one class.
    const { adapter } = db.getExecutor()
    const engine = adapter.constructor
    let compiled = compiledByEngine.get(engine)
    if (!compiled) {
      compiled = build(db, placeholders as Given).compile()
      compiledByEngine.set(engine, compiled)
    }
    const query = new PreparedQuery<Row>(compiled, given as Values)
    return findSyncExecutor(adapter)?.executeSync<Row>(query) ?? db.executeQuery<Row>(query)
  }
  return {
    all: async (db, given) => (await execute(db, given)).rows,
    first: async (db, given) => (await execute(db, given)).rows[0],
    run: async (db, given) => Number((await execute(db, given)).numAffectedRows),
  }
}

/** Executes statements synchronously: Kysely's path to a connection costs more than most statements of SQLite. */
export interface SyncExecutor {
  executeSync<Row>(query: CompiledQuery): QueryResult<Row>
}

/** The executor of a dialect's adapter, which a connection and its transactions share. */
function findSyncExecutor(adapter: object): SyncExecutor | undefined {
  return 'executor' in adapter ? (adapter.executor as SyncExecutor) : undefined
}

type Values = Readonly<Record<string, unknown>>

/** A prepared statement with its values, in the form that Kysely and its drivers take. */
class PreparedQuery<Row> implements CompiledQuery<Row> {
  readonly sql: string
  readonly query: CompiledQuery['query']
  readonly queryId: QueryId
  readonly parameters: readonly unknown[]

  constructor({ sql, query, queryId, parameters }: CompiledQuery, given: Values) {
    this.sql = sql
    this.query = query
    this.queryId = queryId
    this.parameters = parameters.map((value) => (value instanceof Placeholder ? given[value.name] : value))
  }
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Has a placeholder for every name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

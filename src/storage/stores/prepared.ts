import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
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
  const byEngine = new WeakMap<object, Statement>()

  function find(db: Db): Statement {
    // Connections to PostgreSQL have different adapters of one class.
    const engine = db.getExecutor().adapter.constructor
    let statement = byEngine.get(engine)
    if (!statement) {
      statement = new Statement(build(db, placeholders as Given).compile())
      byEngine.set(engine, statement)
    }
    return statement
  }

  // Not an async function: most calls take this path, and each promise is measurable.
  function execute<Result>(
    db: Db,
    given: Given,
    executeNow: (executor: SyncExecutor, sql: string, values: readonly unknown[]) => Result,
    resultOf: (outcome: QueryResult<Row>) => Result,
  ): Promise<Result> {
    const statement = find(db)
    const values = statement.valuesOf(given)
    const executor = findSyncExecutor(db)
    if (executor) return Promise.resolve(executeNow(executor, statement.sql, values))
    return db.executeQuery<Row>(statement.with(values)).then(resultOf)
  }

  const all = (executor: SyncExecutor, sql: string, values: readonly unknown[]) => executor.all(sql, values) as Row[]
  const first = (executor: SyncExecutor, sql: string, values: readonly unknown[]) =>
    executor.first(sql, values) as Row | undefined
  const run = (executor: SyncExecutor, sql: string, values: readonly unknown[]) => executor.run(sql, values)
  return {
    all: (db, given) => execute(db, given, all, ({ rows }) => rows),
    first: (db, given) => execute(db, given, first, ({ rows }) => rows[0]),
    run: (db, given) => execute(db, given, run, ({ numAffectedRows }) => Number(numAffectedRows)),
  }
}

/** Executes statements synchronously: Kysely's path to a connection costs more than most statements of SQLite. */
export interface SyncExecutor {
  all(sql: string, values: readonly unknown[]): unknown[]
  first(sql: string, values: readonly unknown[]): unknown
  /** Returns the number of changed rows. */
  run(sql: string, values: readonly unknown[]): number
}

/** The executor of a dialect's adapter, which a connection and its transactions share. */
function findSyncExecutor(db: Db): SyncExecutor | undefined {
  const { adapter } = db.getExecutor()
  return 'executor' in adapter ? (adapter.executor as SyncExecutor) : undefined
}

/** A compiled query, some of whose parameters are placeholders. */
class Statement {
  readonly sql: string
  readonly #query: CompiledQuery

  constructor(query: CompiledQuery) {
    this.sql = query.sql
    this.#query = query
  }

  valuesOf(given: object): unknown[] {
    const values = given as Readonly<Record<string, unknown>>
    return this.#query.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
  }

  with(parameters: readonly unknown[]): CompiledQuery<never> {
    return { ...this.#query, parameters }
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

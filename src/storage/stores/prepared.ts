import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Rows } from '../tables/rows.ts'

type Db = Kysely<Rows>

/** A statement that is compiled once for each engine and run with different values. */
export interface Prepared<Given, Row> {
  all(db: Db, given: Given): Promise<readonly Readonly<Row>[]>
  first(db: Db, given: Given): Promise<Readonly<Row> | undefined>
  /** Runs a statement without result rows; resolves with the number of changed rows. */
  run(db: Db, given: Given): Promise<number>
  /** Runs a write that needs no answer: PostgreSQL may not have executed it yet. If it fails, the transaction fails. */
  send(db: Db, given: Given): Promise<void>
}

/** Executes the statements of a connection: Kysely's path to one costs more than most of them. */
export interface Executor {
  all(statement: Statement, values: readonly unknown[]): unknown[] | Promise<unknown[]>
  first(statement: Statement, values: readonly unknown[]): unknown
  /** Returns the number of changed rows. */
  run(statement: Statement, values: readonly unknown[]): number | Promise<number>
  send(statement: Statement, values: readonly unknown[]): void | Promise<void>
}

/** A compiled statement. */
export interface Statement {
  readonly sql: string
  /** Whether a read that begins with this statement seldom sends another one. */
  readonly isLookUp: boolean
}

/**
 * `build` is called once for each engine with a placeholder for each value, which may be used wherever a value may, any
 * number of times. It must not inspect them: they are neither strings nor numbers.
 */
export function prepared<Given extends object, Row>(build: Build<Given, Row>): Prepared<Given, Row> {
  return prepare(build, false)
}

/** A statement that is the only one of most reads that begin with it: on PostgreSQL, these need no transaction. */
export function lookUp<Given extends object, Row>(build: Build<Given, Row>): Prepared<Given, Row> {
  return prepare(build, true)
}

type Build<Given, Row> = (db: Db, given: Given) => Compilable<Row>

function prepare<Given extends object, Row>(build: Build<Given, Row>, isLookUp: boolean): Prepared<Given, Row> {
  const byEngine = new WeakMap<object, CompiledStatement>()

  function find(db: Db, executor: Executor): CompiledStatement {
    // Connections to one engine have different executors of one class.
    const engine = executor.constructor
    let statement = byEngine.get(engine)
    if (!statement) {
      statement = new CompiledStatement(build(db, placeholders as Given).compile(), isLookUp)
      byEngine.set(engine, statement)
    }
    return statement
  }

  // No async functions: each promise is measurable.
  function execute<Result>(db: Db, given: Given, method: keyof Executor): Promise<Result> {
    const executor = executorOf(db)
    const statement = find(db, executor)
    return Promise.resolve(executor[method](statement, statement.valuesOf(given)) as Result | Promise<Result>)
  }

  return {
    all: (db, given) => execute(db, given, 'all'),
    first: (db, given) => execute(db, given, 'first'),
    run: (db, given) => execute(db, given, 'run'),
    send: (db, given) => execute(db, given, 'send'),
  }
}

/** The executor of a dialect's adapter, which a connection and its transactions share. */
function executorOf(db: Db): Executor {
  return (db.getExecutor().adapter as unknown as { readonly executor: Executor }).executor
}

/** A compiled query, some of whose parameters are placeholders. */
class CompiledStatement implements Statement {
  readonly sql: string
  readonly isLookUp: boolean
  readonly #parameters: readonly unknown[]

  constructor({ sql, parameters }: CompiledQuery, isLookUp: boolean) {
    // On PostgreSQL, it runs without the read-only transaction that would refuse a write.
    if (isLookUp && !sql.startsWith('select ')) throw new Error('A look-up has to be a SELECT.')
    this.sql = sql
    this.isLookUp = isLookUp
    this.#parameters = parameters
  }

  valuesOf(given: object): unknown[] {
    const values = given as Readonly<Record<string, unknown>>
    return this.#parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value))
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

/** Picks members by name: placeholders have no members that could be listed. */
export function pick<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}

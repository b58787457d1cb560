import type { Compilable, CompiledQuery, Kysely, QueryId, QueryResult } from 'kysely'
import type { Rows } from './rows.ts'
import { tablesRead } from './tables-of-query.ts'

type Db = Kysely<Rows>

/** A statement that is built once for each engine; afterwards values are only put in their places. */
export interface Prepared<Given, Row> {
  all(db: Db, given: Given): Promise<readonly Readonly<Row>[]>
  first(db: Db, given: Given): Promise<Readonly<Row> | undefined>
  /** For what answers no rows. Answers how many were changed. */
  run(db: Db, given: Given): Promise<number>
}

/**
 * `build` gets stand-ins for what is given at each run, which may stand wherever a value may, and as often as they have
 * to. It must not look at them: they are neither texts nor numbers yet.
 */
export function prepared<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): Prepared<Given, Row> {
  const forms = new WeakMap<object, Form>()
  const ask = (db: Db, given: Given): QueryResult<Row> | Promise<QueryResult<Row>> => {
    // Every connection to PostgreSQL has an adapter of its own; what they share is its class.
    const { adapter } = db.getExecutor()
    const engine = adapter.constructor
    let form = forms.get(engine)
    if (!form) {
      form = compile(build(db, standIns as Given))
      forms.set(engine, form)
    }
    const query = new PreparedQuery<Row>(form, given as Values)
    return findShortcut(adapter)?.answerAtOnce(query) ?? db.executeQuery<Row>(query)
  }
  return {
    all: async (db, given) => (await ask(db, given)).rows,
    first: async (db, given) => (await ask(db, given)).rows[0],
    run: async (db, given) => Number((await ask(db, given)).numAffectedRows),
  }
}

/** A connection that may answer without the way through Kysely, which costs more than most answers. */
export interface Shortcut {
  /** Undefined where Kysely has to be asked, who lets a transaction have the connection for itself. */
  answerAtOnce<Row>(query: PreparedQuery<Row>): QueryResult<Row> | undefined
}

/** The one that comes with a dialect's adapter, which a connection and its transactions share. */
function findShortcut(adapter: object): Shortcut | undefined {
  return 'shortcut' in adapter ? (adapter.shortcut as Shortcut | undefined) : undefined
}

type Values = Readonly<Record<string, unknown>>

/** What does not change from run to run. */
interface Form {
  /** Tells it from all others. */
  readonly id: number
  readonly compiled: CompiledQuery
  /** Of a SELECT, the tables that decide what it answers; undefined for anything else, and where nobody can tell. */
  readonly reads: readonly string[] | undefined
}

/** One run of a prepared statement, for Kysely and its drivers. */
export class PreparedQuery<Row> implements CompiledQuery<Row> {
  readonly form: Form
  readonly sql: string
  readonly query: CompiledQuery['query']
  readonly queryId: QueryId
  readonly parameters: readonly unknown[]

  constructor(form: Form, given: Values) {
    const { sql, query, queryId, parameters } = form.compiled
    this.form = form
    this.sql = sql
    this.query = query
    this.queryId = queryId
    this.parameters = parameters.map((value) => (value instanceof StandIn ? given[value.name] : value))
  }
}

class StandIn {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Whatever is asked of it, it has a stand-in of that name. */
const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) })

let forms = 0

function compile(query: Compilable<unknown>): Form {
  const compiled = query.compile()
  forms += 1
  return { id: forms, compiled, reads: tablesRead(compiled.query) }
}

import { hostname } from 'node:os'
import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import pg from 'pg'
import { reasonOf } from '../../errors.ts'
import { hostsOf, readSessionAttributes, type SessionAttributes, urlsOf } from '../../settings/postgres-url.ts'
import { version } from '../../version.ts'
import { DatabaseAway, maxMilliseconds, StorageUnavailable } from '../storage.ts'
import type { Executor, Statement } from '../stores/prepared.ts'
import type { Rows } from '../tables/rows.ts'
import { endsSession, toConnectionError, toStorageError } from './errors.ts'
import { holdServingLock } from './serving-lock.ts'

export type QueryAnswer = { rows: unknown[]; rowCount: number | null; command: string }

/** Name of connections in `pg_stat_activity`; servers of other versions name this server by it. */
export const applicationName = `cartulary ${version} ${hostname()}`.slice(0, 50)
export const listenerName = `${applicationName} listening`

/** Options of a connection to one of the hosts of a URL. */
export interface ConnectionSettings extends pg.ClientConfig {
  readonly connectionString: string
}

/** Options of every connection to PostgreSQL. */
export function connectionSettings(url: string): ConnectionSettings {
  return {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 4_000,
    types: {
      // Counts, ids and times are int8 in PostgreSQL; all fit into a safe integer.
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
}

/** After this time without a statement, a transaction has lost its server and its locks are released (chosen). */
const idleTransactionMilliseconds = 2_000

/**
 * A pool of at most `max` connections, which end after they were idle; 0 for never. If this process vanishes, PostgreSQL ends its transactions and releases their
 * locks.
 */
export function openPool(url: string, max: number, idleTimeoutMillis = 60_000): pg.Pool {
  const pool = new pg.Pool({
    max,
    idleTimeoutMillis,
    // The connection timeout is an option of the client: for the pool, it would also bound the wait for a free connection, which
    // the deadline of the work bounds.
    Client: class extends Connection {
      constructor() {
        // A statement is sent before the previous one is answered, so BEGIN costs no round trip.
        super({ ...connectionSettings(url), pipeline: true })
      }
    },
    onConnect: requireSettingsInTime,
  })
  // An idle connection that breaks: the pool opens another one.
  pool.on('error', () => undefined)
  return pool
}

/** A connection of the pool; StorageUnavailable if none is free before the deadline. */
export async function connect(pool: pg.Pool, until: number): Promise<pg.PoolClient> {
  const connecting = pool.connect()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const tooLate = () => new StorageUnavailable('Timed out waiting for a connection to the database.')
  const timer = setTimeout(() => reject(tooLate()), Math.max(0, until - performance.now()))
  try {
    const client = await Promise.race([connecting, late])
    // The connection arrived in the turn of the event loop in which the timer was due.
    if (performance.now() >= until) throw tooLate()
    return client
  } catch (error) {
    connecting.then((client) => client.release()).catch(() => undefined)
    throw toConnectionError(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A connection to the first host of the URL that fits, beginning with the host that was used last. Its closing is bounded in
 * time, even if the server does not answer.
 */
export class Connection extends pg.Client {
  readonly #settings: ConnectionSettings
  #hasEnded = false

  constructor(settings: ConnectionSettings) {
    super({ ...settings, connectionString: urlsOf(settings.connectionString)[0]! })
    this.#settings = settings
    // A connection may break at any time: its pending queries reject, and the process goes on.
    this.on('error', () => undefined)
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> {
    const connecting = this.#connect() as Promise<this>
    // pg calls it without an error where there is none.
    if (callback) connecting.then(() => callback(undefined as unknown as Error), callback)
    return connecting
  }

  async #connect(): Promise<unknown> {
    if (hostsOf(this.#settings.connectionString).length > 1) {
      const { host, port } = await findHost(this.#settings)
      Object.assign(this, { host, port })
    }
    if (this.#hasEnded) throw new Error('The connection was closed while it was opened.')
    return super.connect()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(...args: []): Promise<void> {
    this.#hasEnded = true
    setTimeout(() => this.connection.stream.destroy(), closeMilliseconds).unref()
    return super.end(...args)
  }
}

/** Position of the host that was used last, by URL: after a failover, the others need not be tried again. */
const lastTaken = new Map<string, number>()

/** Tries the hosts one after the other; StorageUnavailable where none fits. */
async function findHost(settings: ConnectionSettings): Promise<{ readonly host: string; readonly port: number }> {
  const { connectionString: url, connectionTimeoutMillis = 0 } = settings
  const urls = urlsOf(url)
  const first = lastTaken.get(url) ?? 0
  const reasons: string[] = []
  for (const turn of urls.keys()) {
    const place = (first + turn) % urls.length
    const client = new pg.Client({
      ...settings,
      connectionString: urls[place]!,
      // A host without power does not answer.
      connectionTimeoutMillis: connectionTimeoutMillis / urls.length,
      query_timeout: connectionTimeoutMillis / urls.length,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const misfit = await findMisfit(client, readSessionAttributes(url) as SessionAttributes)
      if (misfit === undefined) {
        lastTaken.set(url, place)
        return client
      }
      reasons.push(`${hostsOf(url)[place]} ${misfit}`)
    } catch (error) {
      reasons.push(`${hostsOf(url)[place]}: ${reasonOf(error)}`)
    } finally {
      client.end().catch(() => undefined)
    }
  }
  throw new DatabaseAway(`No host of the database can be used: ${reasons.join('; ')}.`)
}

/** Reason why a host does not fit; undefined if it does. */
async function findMisfit(client: pg.Client, attributes: SessionAttributes): Promise<string | undefined> {
  if (attributes === 'any') return undefined
  const { rows } = await client.query(
    "select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') = 'on' as reads",
  )
  if (rows[0].standby) return 'is a standby'
  return rows[0].reads && attributes === 'read-write' ? 'is read-only' : undefined
}

/** Closes the socket without notifying the server; pending queries reject. */
export function destroyConnection(client: pg.ClientBase): void {
  ;(client as Connection).connection.stream.destroy()
}

const closeMilliseconds = 500
const settingsMilliseconds = 2_000

async function requireSettingsInTime(client: pg.ClientBase): Promise<void> {
  const late = setTimeout(() => destroyConnection(client), settingsMilliseconds)
  try {
    // Set by a statement: PgBouncer refuses timeouts at the start of a session.
    const timeouts = client.query(
      `set statement_timeout = ${maxMilliseconds}; set idle_in_transaction_session_timeout = ${idleTransactionMilliseconds}`,
    )
    await Promise.all([timeouts, requireSettings(client)])
    await holdServingLock(client)
  } finally {
    clearTimeout(late)
  }
}

/** Refuses a server that would lose acknowledged writes, change texts, or is too old. */
export async function requireSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    // Set again for the session, so that a later change of the server's setting does not affect this connection.
    `select current_setting('server_version_num')::int as version,
      set_config('synchronous_commit', current_setting('synchronous_commit'), false) as commits,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const { version, commits, fsync, pages, encoding, standby } = rows[0]
  const oldest = 14
  if (version < oldest * 10_000) {
    throw new StorageUnavailable(
      `PostgreSQL ${Math.floor(version / 10_000)} is not supported; ${oldest} is the oldest supported version.`,
    )
  }
  if (commits === 'off') throw notDurable('synchronous_commit=off')
  if (fsync === 'off') throw notDurable('fsync=off')
  if (pages === 'off') throw notDurable('full_page_writes=off')
  if (encoding !== 'UTF8') throw new StorageUnavailable(`The database has the encoding ${encoding}; it has to be UTF8.`)
  if (standby) {
    throw new StorageUnavailable(
      'The database is a standby server, which is read-only. Of several hosts, target_session_attrs=read-write in DATABASE_URL takes another one.',
    )
  }
}

function notDurable(setting: string): StorageUnavailable {
  return new StorageUnavailable(`The database is not durable: ${setting} loses acknowledged writes.`)
}

/** Maximum statements that are prepared on the server; any others are sent unprepared. */
const maxPrepared = 500
const preparedNames = new Map<string, string>()

/** Runs one statement on a connection. */
export async function query(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<QueryAnswer> {
  sendTogether(client)
  const name = preparedNames.get(text) ?? (preparedNames.size < maxPrepared ? `s${preparedNames.size}` : undefined)
  if (name !== undefined) preparedNames.set(text, name)
  try {
    return await client.query({ ...(name === undefined ? {} : { name }), text, values: values.map(withoutNul) })
  } catch (error) {
    if (endsSession(error)) ended.add(client)
    throw toStorageError(error)
  }
}

/** Connections whose session PostgreSQL has ended in answer to a statement: pg detects that only when the socket closes. */
const ended = new WeakSet<pg.ClientBase>()

export function hasEnded(client: pg.ClientBase): boolean {
  return ended.has(client)
}

/** Sends the statements of one turn of the event loop together: a system call for each costs more than making the statement. */
function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as Connection).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * Replaces U+0000, which PostgreSQL rejects in texts. None is ever stored, as control characters are refused before, but a
 * request may name an id with one: that id is not found.
 */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

/** Runs the statements of one connection. */
export interface Statements {
  /** `isLookUp`: whether a read that begins with it seldom makes another one. */
  query(text: string, values: readonly unknown[], isLookUp?: boolean): Promise<QueryAnswer>
  /** Runs a write; an implementation may await its answer later, with another one. */
  send(text: string, values: readonly unknown[]): void | Promise<void>
}

/** Kysely on a connection that the caller opens and closes. */
export function kyselyOver(given: pg.ClientBase | Statements): Kysely<Rows> {
  const statements = 'send' in given ? given : plainStatements(given)
  return new Kysely<Rows>({ dialect: new ConnectionDialect(statements) })
}

function plainStatements(client: pg.ClientBase): Statements {
  return {
    query: (text, values) => query(client, text, values),
    send: async (text, values) => void (await query(client, text, values)),
  }
}

/** Kysely's dialect on one connection. */
class ConnectionDialect extends PostgresDialect {
  readonly #statements: Statements

  constructor(statements: Statements) {
    const connection = {
      query: (text: string, values: readonly unknown[]) => statements.query(text, values),
      release: () => undefined,
    }
    super({ pool: { connect: async () => connection, end: async () => undefined } as never })
    this.#statements = statements
  }

  override createAdapter(): PostgresAdapter {
    return new ConnectionAdapter(this.#statements)
  }
}

class ConnectionAdapter extends PostgresAdapter {
  readonly executor: Executor

  constructor(statements: Statements) {
    super()
    this.executor = new StatementExecutor(statements)
  }
}

class StatementExecutor implements Executor {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  async all({ sql, isLookUp }: Statement, values: readonly unknown[]): Promise<unknown[]> {
    return (await this.#statements.query(sql, values, isLookUp)).rows
  }

  async first({ sql, isLookUp }: Statement, values: readonly unknown[]): Promise<unknown> {
    return (await this.#statements.query(sql, values, isLookUp)).rows[0]
  }

  async run({ sql }: Statement, values: readonly unknown[]): Promise<number> {
    return (await this.#statements.query(sql, values)).rowCount ?? 0
  }

  send({ sql }: Statement, values: readonly unknown[]): void | Promise<void> {
    return this.#statements.send(sql, values)
  }
}

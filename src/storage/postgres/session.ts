import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { longestMilliseconds, StorageUnavailable } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'
import { toStorageError } from './errors.ts'

type QueryAnswer = { rows: unknown[]; rowCount: number | null; command: string }

/** What a connection to PostgreSQL is told, whoever opens it. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'cartulary',
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    types: {
      // Counts, ids and times are 64 bits wide there; none is beyond what a number tells apart.
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  }
}

/** A transaction that is left alone for so long has lost its server: others wait for its locks no longer (chosen). */
const vanishedMilliseconds = 2_000

/**
 * As many connections as are wanted and no more. Should this process vanish, the server itself ends what it had begun:
 * nobody waits for its locks.
 */
export function openPool(url: string, most: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(url),
    max: most,
    idleTimeoutMillis: 60_000,
    statement_timeout: longestMilliseconds,
    idle_in_transaction_session_timeout: vanishedMilliseconds,
    Client: Connection,
    // A statement is sent without waiting for the answer to the one before: BEGIN travels with what follows it.
    pipeline: true,
    onConnect: requireSettingsInTime,
  })
  // A connection that breaks while nobody uses it: the pool opens another one.
  pool.on('error', () => undefined)
  // One that breaks in use: whoever asked on it hears of it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A connection that does not wait for ever for a server that has fallen silent: neither to begin nor to end. */
export class Connection extends pg.Client {
  override end(): Promise<void>
  override end(told: (error: Error) => void): void
  override end(...words: []): Promise<void> {
    setTimeout(() => this.connection.stream.destroy(), farewellMilliseconds).unref()
    return super.end(...words)
  }
}

/** Closes a connection at once, without a word to the server: whatever waits on it fails. */
export function breakOff(client: pg.ClientBase): void {
  ;(client as Connection).connection.stream.destroy()
}

const farewellMilliseconds = 500
const settingsMilliseconds = 2_000

async function requireSettingsInTime(client: pg.ClientBase): Promise<void> {
  const late = setTimeout(() => breakOff(client), settingsMilliseconds)
  try {
    await requireSettings(client)
    await claimService(client)
  } finally {
    clearTimeout(late)
  }
}

/** Held on every connection of a server; whoever moves the whole database holds it alone. */
export const servingLock = 4_270_101

/** Keeps whoever would move the database away for as long as the connection lives. */
export async function claimService(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as held', [servingLock])
  if (!rows[0].held) throw new StorageUnavailable('The database is being moved; start again afterwards.')
}

/** Settings by which a server would lose what it acknowledged, or keep other texts than it was given. */
export async function requireSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    // What a commit waits for is set once more: so it stays as it is for as long as this connection lives.
    `select current_setting('server_version_num')::int as version,
      set_config('synchronous_commit', current_setting('synchronous_commit'), false) as commits,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const { version, commits, fsync, pages, encoding, standby } = rows[0]
  const oldest = 14
  if (version < oldest * 10_000) {
    throw new StorageUnavailable(`The database is PostgreSQL ${Math.floor(version / 10_000)}; ${oldest} is the oldest.`)
  }
  if (commits === 'off') throw unsafe('synchronous_commit=off loses')
  if (fsync === 'off') throw unsafe('fsync=off loses')
  if (pages === 'off') throw unsafe('full_page_writes=off loses')
  if (encoding !== 'UTF8') throw new StorageUnavailable(`The database has the encoding ${encoding}; it has to be UTF8.`)
  if (standby) throw new StorageUnavailable('The database is a standby server, which takes no writes.')
}

function unsafe(setting: string): StorageUnavailable {
  return new StorageUnavailable(`The database does not keep its promises: ${setting} what was acknowledged.`)
}

/** Statements are prepared on the server once for each connection; beyond this many, they are sent as they are. */
const mostPrepared = 500
const preparedNames = new Map<string, string>()

/** One statement on a connection. */
export async function query(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<QueryAnswer> {
  const name = preparedNames.get(text) ?? (preparedNames.size < mostPrepared ? `s${preparedNames.size}` : undefined)
  if (name !== undefined) preparedNames.set(text, name)
  try {
    return await client.query({ ...(name === undefined ? {} : { name }), text, values: values.map(withoutNul) })
  } catch (error) {
    throw toStorageError(error)
  }
}

/**
 * PostgreSQL's texts have no U+0000. None is ever stored, as control characters are refused before; but somebody may ask
 * for an id with one, and has to hear that there is none.
 */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

/** Kysely over one connection that is opened and closed elsewhere. `beforeQuery` is called before each statement. */
export function kyselyOver(client: pg.ClientBase, beforeQuery: () => void = () => undefined): Kysely<Rows> {
  const lent = {
    query(text: string, values: readonly unknown[]) {
      beforeQuery()
      return query(client, text, values)
    },
    release: () => undefined,
  }
  const pool = { connect: async () => lent, end: async () => undefined }
  return new Kysely<Rows>({ dialect: new PostgresDialect({ pool: pool as never }) })
}

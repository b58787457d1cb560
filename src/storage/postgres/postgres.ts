import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type pg from 'pg'
import { reasonOf } from '../../errors.ts'
import { serialQueue } from '../../queue.ts'
import { placeOf } from '../../settings/postgres-url.ts'
import {
  CallerCache,
  type CallerChange,
  CallerChanged,
  confirmCallers,
  everyCaller,
  isCallerChange,
  reportCallerChanges,
  withCallerCache,
} from '../caller-cache.ts'
import { noSearches, openSearchTurns } from '../search-turns.ts'
import {
  DatabaseAway,
  DatabaseNewer,
  deadline,
  type Execute,
  type Readers,
  type SearchOptions,
  StartEnded,
  type StartWait,
  type Storage,
  StorageContended,
  StorageUnavailable,
  type Stores,
} from '../storage.ts'
import { DocumentCache } from '../stores/categories/document-cache.ts'
import { ChangedItems } from '../stores/items/index/changed-items.ts'
import { isPrepared, prepareTables } from '../stores/prepare-tables.ts'
import { openStores } from '../stores.ts'
import { findBreaking, otherVersion } from '../tables/catalog.ts'
import { migrations as known } from '../tables/migrations/migrations.ts'
import { isConstraintViolation, isSerializationFailure, toStorageError } from './errors.ts'
import { openListener } from './listener.ts'
import { requireOwnSession } from './pooler.ts'
import { openReplicatedSearches, type SearchReplica } from './replicated-searches.ts'
import { migrationLock, requireNoServer, ServersRunning } from './serving-lock.ts'
import {
  Connection,
  connect,
  connectionSettings,
  destroyConnection,
  hasEnded,
  kyselyOver,
  openPool,
  query,
  requireSettings,
} from './session.ts'
import { Snapshot, Transaction } from './transaction.ts'

export interface PostgresSetting {
  readonly url: string
  readonly connections: number
  readonly wait?: StartWait
  /** The index of items on this machine; without it, PostgreSQL answers every search. */
  readonly replica?: SearchReplica | undefined
  /** Items from which on the replica is begun: the index of fewer is read faster than it is copied. */
  readonly replicatedFrom?: number
  /** The migrations of this version by default. */
  readonly migrations?: typeof known
}

/** The storage, with a method for several servers. */
export interface PostgresStorage<Command, Search = never> extends Storage<Command, Search> {
  /** Resolves when this server has received every earlier invalidation of callers. */
  catchUp(): Promise<void>
}

export const channel = 'cartulary_callers'

/** Attempts of a write before its retries are queued: writes that conflict by chance seldom conflict again. */
const triesAtOnce = 2

/** Connections for each one that searches may use (chosen): reads and writes always find a connection. */
const connectionsPerSearch = 4

/** Time for PostgreSQL to answer that a search has exceeded its deadline. */
const graceMilliseconds = 1_000

/** Maximum payload of a notification, in bytes; for a longer one, every caller is invalidated. */
const maxPayloadLength = 7_000

/**
 * Opens a PostgreSQL database, which any number of servers may share, and migrates it.
 *
 * A write is one serializable transaction, retried after a serialization failure. A read is one read-only snapshot. Only
 * callers are cached, and only while changes made by other servers are received.
 */
export async function openPostgres<Command, Search = never>(
  { url, connections, wait = {}, replica, replicatedFrom = 0, migrations = known }: PostgresSetting,
  execute: Execute<Command>,
  searches: SearchOptions<Search> = noSearches(),
): Promise<PostgresStorage<Command, Search>> {
  await prepare(url, migrations, wait)
  /** Reason why this server accepts no writes any more. */
  let newer: DatabaseNewer | undefined
  const pool = openPool(url, connections)
  const cache: CallerCache = new CallerCache(() => listener.isSubscribed())
  const listener = await openListener(url, {
    channel,
    onNotification: (text) => cache.invalidate(parseChanges(text)),
    onGap: () => cache.invalidate([everyCaller]),
    look: {
      text: `select name from ${DEFAULT_MIGRATION_TABLE} where name <> all($1) order by name`,
      values: [Object.keys(migrations)],
      onRows(rows: readonly { readonly name: string }[]) {
        const found = findBreaking(rows.map(({ name }) => name))
        newer = found === undefined ? undefined : new DatabaseNewer(otherVersion('The database', found))
      },
    },
  }).catch(async (error: unknown) => {
    await pool.end()
    throw toStorageError(error)
  })
  const documents = new DocumentCache()
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const inTurn = serialQueue(contended)
  const turns = openSearchTurns(Math.max(1, Math.floor(connections / connectionsPerSearch)), searches.milliseconds)
  const replicated =
    replica && openReplicatedSearches(replica, { from: replicatedFrom, milliseconds: searches.milliseconds })
  let retries = 0
  /** Start of the work that exceeded its deadline last. */
  let unansweredSince = 0
  let isClosed = false

  /** Runs work on a connection of the pool, which is destroyed if the deadline is exceeded. */
  async function withSession<Result>(until: number, work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await findSession(until)
    const begun = performance.now()
    const cut = setTimeout(() => {
      unansweredSince = Math.max(unansweredSince, begun)
      destroyConnection(session.client)
    }, until - begun)
    try {
      return await work(session)
    } finally {
      clearTimeout(cut)
      session.client.release()
    }
  }

  /** Discards ended connections, and those without a success since the start of the work that last exceeded its deadline. */
  async function findSession(until: number): Promise<Session> {
    while (true) {
      const client = await connect(pool, until)
      const session = sessions.get(client) ?? openSession(client, cache, documents)
      sessions.set(client, session)
      const answeredAt = Math.max(session.write.answeredAt, session.snapshot.answeredAt)
      if (!hasEnded(client) && answeredAt > unansweredSince) return session
      client.release(true)
    }
  }

  /** Retries a write after a serialization failure: once immediately, then in a queue with other such writes. */
  async function write<Result>(work: Transacted<Result>, until: number): Promise<Result> {
    let hasConflicted = false
    const untilAlone = (mayGoOn: (tries: number) => boolean) =>
      withSession(until, (session) =>
        repeat(session, work, (tries) => {
          hasConflicted = true
          return mayGoOn(tries)
        }),
      )
    try {
      return await untilAlone((tries) => tries < triesAtOnce).catch((error: unknown) => {
        if (!mayBeRepeated(error)) throw error
        return inTurn(() => untilAlone(() => performance.now() < until), until)
      })
    } catch (error) {
      // Past its deadline, the connection of a write that goes on losing is cut here: that is no word about the network.
      throw hasConflicted && performance.now() >= until - timerPrecision ? contended(error) : error
    }
  }

  async function repeat<Result>(
    session: Session,
    work: Transacted<Result>,
    mayGoOn: (tries: number) => boolean,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await transact(session, work)
      } catch (error) {
        const mayPass = mayBeRepeated(error) || (tries === 1 && isConstraintViolation(error))
        if (!mayPass || !mayGoOn(tries)) throw error
      }
      retries += 1
    }
  }

  async function transact<Result>({ stores, changedItems, write }: Session, work: Transacted<Result>): Promise<Result> {
    const changes = new Set<CallerChange>()
    const confirmed = confirmCallers(stores, cache)
    try {
      const result = await work(reportCallerChanges(confirmed.stores, (change) => changes.add(change)))
      await changedItems.index()
      await confirmed.confirm()
      if (changes.size > 0) void write.send('select pg_notify($1, $2)', [channel, formatChanges(changes)])
      await write.commit()
      return result
    } catch (error) {
      changedItems.forget()
      const earlier = await write.rollback()
      // An error of the work may be due to a caller who has changed.
      await confirmed.confirm()
      throw earlier ?? error
    } finally {
      cache.invalidate(changes)
    }
  }

  return {
    description: describe(url),
    read: (work, until = deadline()) =>
      withSession(until, async (session) => {
        session.cacheVersion = cache.version
        return session.snapshot.read(() => work(session.readers))
      }),
    async search(search, caller, until = deadline(), signal) {
      const run = (latest: number) =>
        // PostgreSQL ends the statement in time; the connection is cut only if it does not answer.
        withSession(latest + graceMilliseconds, async (session) => {
          session.cacheVersion = cache.version
          session.snapshot.limitStatements(Math.ceil(latest - performance.now()))
          const outcome = await session.snapshot.read(() => searches.execute(session.readers, search))
          await replicated?.look(session.client)
          return outcome
        })
      const byPostgres = () => turns.run(caller, until, run, signal)
      if (isClosed || !replicated?.isReady()) return byPostgres()
      return replicated.search(search, caller, until, signal, byPostgres)
    },
    write: async (command, until = deadline()) => {
      if (newer) throw newer
      return write((stores) => execute(stores, command), until).catch((error: unknown) => {
        throw mayBeRepeated(error) ? contended(error) : error
      })
    },
    async ping() {
      await withSession(deadline(), ({ client }) => query(client, 'select portal_id from portals limit 1'))
      if (newer) throw newer
    },
    figures: () => ({
      connections: { open: pool.totalCount, idle: pool.idleCount },
      waiting: pool.waitingCount + inTurn.waiting() + turns.waiting() + (replicated?.waiting() ?? 0),
      retries,
      callerCache: { hits: cache.hits, misses: cache.misses },
      replica: replica?.figures(),
    }),
    measure: () =>
      withSession(deadline(), async ({ client }) => {
        const { rows } = await query(client, 'select pg_database_size(current_database()) as used')
        return { used: Number((rows as { used: string }[])[0]!.used), free: undefined }
      }),
    failure: new Promise(() => undefined),
    catchUp: () => listener.catchUp(),
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.all([listener.close(), pool.end(), replica?.close()])
    },
  }
}

type Transacted<Result> = (stores: Stores) => Promise<Result>

interface Session {
  readonly client: pg.PoolClient
  readonly stores: Stores
  readonly changedItems: ChangedItems
  readonly write: Transaction
  readonly readers: Readers
  readonly snapshot: Snapshot
  /** Version of the cache of callers when the read began. */
  cacheVersion: number
}

function openSession(client: pg.PoolClient, cache: CallerCache, documents: DocumentCache): Session {
  const write = new Transaction(client, 'begin isolation level serializable')
  const snapshot = new Snapshot(client)
  const db = kyselyOver(write)
  const changedItems = new ChangedItems(db)
  const stores = openStores(db)
  const readersOfDatabase = openStores(kyselyOver(snapshot), { documents })
  const readers = withCallerCache(readersOfDatabase, cache, () => session.cacheVersion)
  const writing = { stores, changedItems, write }
  const session: Session = { client, ...writing, readers, snapshot, cacheVersion: 0 }
  return session
}

const retryInterval = 250
/** Milliseconds by which a timer may be early. */
const timerPrecision = 5

/** Waits before the next try; StartEnded where the process is asked to end. */
async function pause({ signal }: StartWait, awaited: string): Promise<void> {
  await delay(retryInterval, undefined, { signal }).catch((error: unknown) => {
    throw new StartEnded(`Ended while ${awaited} waited for: ${reasonOf(error)}.`)
  })
}

/** Migrates the database when no server of another version runs on it, or immediately if those can live with the change. */
async function migrateAlone(client: pg.ClientBase, migrations: typeof known, wait: StartWait): Promise<void> {
  const { serversMilliseconds = 0 } = wait
  const until = performance.now() + serversMilliseconds
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepareTables(kyselyOver(client), wait, migrations, requireNoServer)
    } catch (error) {
      if (!(error instanceof ServersRunning)) throw error
      const { message } = error
      // Tried twice: a server may have ended just now.
      if (tries > 1 && performance.now() >= until) {
        const patience = `Stop them first (MIGRATION_WAIT_SECONDS, ${serversMilliseconds / 1_000}, is how long a start waits for that).`
        throw new StorageUnavailable(`The tables have to be changed, and not beside others. ${message}. ${patience}`)
      }
      const sentence = `The tables are changed as soon as no other server uses them. ${message}.`
      if (tries === 2) wait.say?.(sentence)
      wait.doing?.(sentence)
    }
    await pause(wait, 'servers of another version were')
  }
}

/** Servers that start together change the tables one after the other, over all transactions of that. */
async function holdMigrationLock(client: pg.ClientBase, wait: StartWait): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [migrationLock])
    if (rows[0].held) return
    const sentence = 'Another server changes the tables; this one goes on when that has ended.'
    if (tries === 2) wait.say?.(sentence)
    wait.doing?.(sentence)
    await pause(wait, 'a server that changes the tables was')
  }
}

/** Checks the server and runs the migrations, on a connection of its own. Waits for a database that does not answer. */
async function prepare(url: string, migrations: typeof known, wait: StartWait): Promise<void> {
  const { databaseMilliseconds = 0 } = wait
  let until: number | undefined
  while (true) {
    const client = new Connection(connectionSettings(url))
    try {
      await client.connect()
      await requireOwnSession(client, url)
      await requireSettings(client)
      until = undefined
      if (await isPrepared(kyselyOver(client), migrations)) return
      await holdMigrationLock(client, wait)
      return await migrateAlone(client, migrations, wait)
    } catch (error) {
      const failure = toStorageError(error)
      if (!(failure instanceof DatabaseAway)) throw failure
      const isFirst = until === undefined
      until ??= performance.now() + databaseMilliseconds
      if (performance.now() >= until) throw failure
      const sentence = `${failure.message} The start waits for it, for ${databaseMilliseconds / 1_000} s (DATABASE_WAIT_SECONDS).`
      if (isFirst) wait.say?.(sentence)
      wait.doing?.(sentence)
    } finally {
      await client.end().catch(() => undefined)
    }
    await pause(wait, 'the database was')
  }
}

function formatChanges(changes: ReadonlySet<CallerChange>): string {
  const text = JSON.stringify([...changes])
  return text.length <= maxPayloadLength ? text : JSON.stringify([everyCaller])
}

/** Any user of the database may notify the channel: a payload that is not understood invalidates every caller. */
function parseChanges(text: string): readonly CallerChange[] {
  try {
    const changes: unknown = JSON.parse(text)
    return Array.isArray(changes) && changes.every(isCallerChange) ? changes : [everyCaller]
  } catch {
    return [everyCaller]
  }
}

function contended(cause?: unknown): StorageContended {
  return new StorageContended('Too much contention on the same rows.', { cause })
}

function mayBeRepeated(error: unknown): boolean {
  return isSerializationFailure(error) || error instanceof CallerChanged
}

/** The URL without user and password. */
function describe(url: string): string {
  return `PostgreSQL at ${placeOf(url)}`
}

import type pg from 'pg'
import {
  CallerCache,
  type CallerChange,
  everyCaller,
  isCallerChange,
  tellCallerChanges,
  withCallerCache,
} from './caller-cache.ts'
import { DocumentCache } from './document-cache.ts'
import { lineUp } from './line-up.ts'
import { migrate } from './migrate.ts'
import { metAnother, metConstraint, toConnectionError, toStorageError } from './postgres-errors.ts'
import { openListener } from './postgres-listener.ts'
import { ask, Connection, connectionSettings, kyselyOver, openPool, requireSettings } from './postgres-session.ts'
import { deadline, type Storage, StorageUnavailable, type Stores } from './storage.ts'
import { openStores } from './stores.ts'

export interface PostgresSetting {
  readonly url: string
  readonly connections: number
}

/** The storage with what only an engine that several servers share has. */
export interface PostgresStorage extends Storage {
  /** Resolves when this server has heard of every change of callers that was made before. */
  catchUp(): Promise<void>
}

export const channel = 'cartulary_callers'

/** Of a write that meets others, before it waits for its turn: two that meet by chance seldom meet again. */
const triesAtOnce = 2

/** In bytes, of what PostgreSQL lets one tell at once; more than that, and everything is forgotten. */
const longestTelling = 7_000

/**
 * Opens a PostgreSQL database that any number of servers share, and brings it up to date.
 *
 * Every write is serializable: PostgreSQL refuses one of two that could not have run one after the other, and that one
 * runs again. Reads ask the database; only who calls is remembered, for as long as the others' changes are heard.
 */
export async function openPostgres({ url, connections }: PostgresSetting): Promise<PostgresStorage> {
  await prepare(url)
  const pool = openPool(url, connections)
  const cache: CallerCache = new CallerCache(() => listener.isTold())
  const listener = await openListener(url, {
    channel,
    hear: (text) => cache.forget(parseChanges(text)),
    missed: () => cache.forget([everyCaller]),
  }).catch(async (error: unknown) => {
    await pool.end()
    throw toStorageError(error)
  })
  const documents = new DocumentCache()
  const sessions = new WeakMap<pg.PoolClient, Session>()
  const inTurn = lineUp()
  let retries = 0
  let silentSince = 0
  let isClosed = false

  /** Work on a connection of the pool, which is cut off when its time is up. */
  async function withSession<Result>(until: number, work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await findSession(until)
    const begun = performance.now()
    const cut = setTimeout(() => {
      silentSince = Math.max(silentSince, begun)
      session.client.end().catch(() => undefined)
    }, until - begun)
    try {
      return await work(session)
    } finally {
      clearTimeout(cut)
      session.client.release()
    }
  }

  /** Where one connection had to be cut off, those that are as old may be dead too, and nobody was told. */
  async function findSession(until: number): Promise<Session> {
    while (true) {
      const client = await connect(pool, until)
      const session = sessions.get(client) ?? openSession(client, cache, documents)
      sessions.set(client, session)
      if (session.openedAt > silentSince) return session
      client.release(true)
    }
  }

  /** A write that met another runs again at once; if it meets one again, it lines up with those like it. */
  async function write<Result>(work: Transacted<Result>, until: number): Promise<Result> {
    const untilAlone = (mayGoOn: (tries: number) => boolean) =>
      withSession(until, (session) => repeat(session, work, mayGoOn))
    try {
      return await untilAlone((tries) => tries < triesAtOnce)
    } catch (error) {
      if (!metAnother(error)) throw error
    }
    return inTurn(() => untilAlone(() => performance.now() < until), until)
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
        const mayPass = metAnother(error) || (tries === 1 && metConstraint(error))
        if (!mayPass || !mayGoOn(tries)) throw error
      }
      retries += 1
    }
  }

  async function transact<Result>({ client, stores }: Session, work: Transacted<Result>): Promise<Result> {
    const changes = new Set<CallerChange>()
    try {
      await ask(client, 'begin isolation level serializable')
      const result = await work(tellCallerChanges(stores, (change) => changes.add(change)))
      if (changes.size > 0) await ask(client, 'select pg_notify($1, $2)', [channel, formatChanges(changes)])
      const { command } = await ask(client, 'commit')
      // What a transaction whose statement failed answers, whoever caught that error.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed.')
      return result
    } catch (error) {
      await ask(client, 'rollback').catch(() => undefined)
      throw error
    } finally {
      cache.forget(changes)
    }
  }

  return {
    description: describe(url),
    read: (work, until = deadline()) => withSession(until, ({ readStores }) => work(readStores)),
    write: (work, input, until = deadline()) =>
      write((stores) => work(stores, input as never), until).catch((error: unknown) => {
        throw metAnother(error) ? new StorageUnavailable('Too many write to the same place.', { cause: error }) : error
      }),
    ping: () =>
      withSession(deadline(), async ({ client }) => void (await ask(client, 'select portal_id from portals limit 1'))),
    figures: () => ({
      connections: { open: pool.totalCount, idle: pool.idleCount },
      waiting: pool.waitingCount + inTurn.waiting(),
      retries,
      callerCache: { hits: cache.hits, misses: cache.misses },
    }),
    catchUp: () => listener.catchUp(),
    async close() {
      if (isClosed) return
      isClosed = true
      await Promise.all([listener.close(), pool.end()])
    },
  }
}

type Transacted<Result> = (stores: Stores) => Promise<Result>

interface Session {
  readonly client: pg.PoolClient
  readonly openedAt: number
  readonly stores: Stores
  /** For work that changes nothing. */
  readonly readStores: Stores
}

function openSession(client: pg.PoolClient, cache: CallerCache, documents: DocumentCache): Session {
  const db = kyselyOver(client)
  const stores = openStores(db)
  const readStores = withCallerCache(openStores(db, documents), cache)
  return { client, openedAt: performance.now(), stores, readStores }
}

/** A connection, if there is one in time. */
async function connect(pool: pg.Pool, until: number): Promise<pg.PoolClient> {
  const connecting = pool.connect()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new StorageUnavailable('The database gave no connection in time.')),
    Math.max(0, until - performance.now()),
  )
  try {
    return await Promise.race([connecting, late])
  } catch (error) {
    connecting.then((client) => client.release()).catch(() => undefined)
    throw toConnectionError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Checks the server and makes or changes the tables, on a connection of its own that waits for other servers. */
async function prepare(url: string): Promise<void> {
  const client = new Connection(connectionSettings(url))
  client.on('error', () => undefined)
  try {
    await client.connect()
    await requireSettings(client)
    await migrate(kyselyOver(client))
  } catch (error) {
    throw toStorageError(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function formatChanges(changes: ReadonlySet<CallerChange>): string {
  const text = JSON.stringify([...changes])
  return text.length <= longestTelling ? text : JSON.stringify([everyCaller])
}

/** Anybody may tell something on the channel: what nobody understands ends everything that is remembered. */
function parseChanges(text: string): readonly CallerChange[] {
  try {
    const changes: unknown = JSON.parse(text)
    return Array.isArray(changes) && changes.every(isCallerChange) ? changes : [everyCaller]
  } catch {
    return [everyCaller]
  }
}

/** Without the user and the password. */
function describe(url: string): string {
  const { host, pathname } = new URL(url)
  return `PostgreSQL at ${host}${pathname}`
}

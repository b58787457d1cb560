import type { Kysely } from 'kysely'
import type pg from 'pg'
import { connect, destroyConnection, hasEnded, kyselyOver, openPool } from '../postgres/session.ts'
import { Snapshot } from '../postgres/transaction.ts'
import { isSqliteError } from '../sqlite/file.ts'
import {
  deadline,
  type ExecuteSearch,
  type Readers,
  ReplicaBehind,
  type ReplicaFigures,
  StorageUnavailable,
} from '../storage.ts'
import { forgetForeignChanges, type ItemChanges, readChanges, snapshotAt } from '../stores/items/index/item-changes.ts'
import { batchesOf } from '../stores/items/index/rebuild.ts'
import { openStores } from '../stores.ts'
import type { Rows } from '../tables/rows.ts'
import { type ReadIndexed, ReplicaFile, readIndexed } from './replica-file.ts'

/** States of a replica; it waits until a search asks for it first. */
const states = ['waiting', 'failed', 'filling', 'ready'] as const

/** Figures of a replica, in memory that threads share; after them, the reason of its failure in UTF-8. */
export type SharedFigures = Float64Array<SharedArrayBuffer>
const figureOf = {
  state: 0,
  changes: 1,
  fills: 2,
  bytes: 3,
  follows: 4,
  followMilliseconds: 5,
  followProcessorMilliseconds: 6,
} as const

const figuresBytes = 8 * Object.keys(figureOf).length
const maxFailureBytes = 512

export function shareFigures(): SharedFigures {
  return new Float64Array(new SharedArrayBuffer(figuresBytes + maxFailureBytes))
}

export function readFigures(figures: SharedFigures): ReplicaFigures {
  const read = Object.entries(figureOf).map(([name, at]) => [name, figures[at]!] as const)
  const { state, ...others } = Object.fromEntries(read) as Record<keyof typeof figureOf, number>
  return { ...others, state: states[state]!, failure: failureIn(figures).toString().replace(/\0.*/s, '') }
}

function failureIn({ buffer }: SharedFigures): Buffer {
  return Buffer.from(buffer, figuresBytes)
}

export interface ReplicaSettings {
  /** Folder of the file. */
  readonly folder: string
  readonly figures: SharedFigures
}

/** Items that are read together. */
const itemsAtOnce = 500

/** Changed items that a search reads before it begins (chosen): about a quarter of a second. After more, they are read beside searches. */
const maxFollowed = 2_000

/** Time between two looks at what has changed without a search (chosen): far less is missed than the database keeps. */
const followInterval = 5_000

/** Time until a fill that failed, as on a full disk, is tried again, and of how much longer than it took (chosen). */
const retryMilliseconds = 10_000
const retryFactor = 9

/** Time for a connection (chosen). */
const connectMilliseconds = 1_000

/** Time for PostgreSQL to answer that a statement has exceeded its deadline. */
const graceMilliseconds = 1_000

/**
 * The index of items of a PostgreSQL database in a file of this machine, which follows it: a search reads what has changed since the
 * last one, in its own snapshot, and finds items there as on SQLite. Everything else it reads from PostgreSQL, in the same snapshot.
 * A search fails with ReplicaBehind while the file is filled.
 */
export class Replica<Search> {
  readonly #pool: pg.Pool
  readonly #execute: ExecuteSearch<Search>
  readonly #settings: ReplicaSettings
  #file: ReplicaFile | undefined
  /** The snapshot that the file has; undefined while it is filled for the first time. */
  #since: string | undefined
  #line = ''
  #floor = ''
  #session: Session | undefined
  #filling: Promise<void> | undefined
  #isClosed = false
  readonly #following = setInterval(() => void this.#followIdle(), followInterval).unref()

  constructor(url: string, settings: ReplicaSettings, execute: ExecuteSearch<Search>) {
    // A connection that stays: after another one, everything that is kept of the changes is read again.
    this.#pool = openPool(url, 1, 0)
    this.#settings = settings
    this.#execute = execute
  }

  /** Resolves when the file is filled, or when that has failed. */
  fill(): Promise<void> {
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined
    })
    return this.#filling
  }

  async search(asked: Search, until: number): Promise<unknown> {
    return this.#read(until, (readers) => this.#execute(readers, asked))
  }

  /** Reads in a snapshot that the file has followed to. */
  async #read(until: number, work: (readers: Readers) => Promise<unknown>): Promise<unknown> {
    if (this.#filling || !this.#file) throw new ReplicaBehind('The search replica is being filled.')
    let hasFollowed = false
    try {
      return await this.#withSession(until + graceMilliseconds, ({ snapshot, source, readers }) => {
        snapshot.limitStatements(Math.ceil(until - performance.now()))
        return snapshot.read(async () => {
          await this.#measured(() => this.#follow(source))
          hasFollowed = true
          return this.#file!.searching.during(until, () => work(readers))
        })
      })
    } catch (error) {
      // Before the deadline, the connection was lost.
      const isLost = error instanceof StorageUnavailable && performance.now() < until
      if (hasFollowed && !isLost && !isSqliteError(error)) throw error
      if (isSqliteError(error)) this.#discard()
      void this.fill()
      throw new ReplicaBehind('The search replica is behind the database.', { cause: error })
    }
  }

  /** Follows between searches: a search after many changes has little to read. */
  async #followIdle(): Promise<void> {
    const isBusy = this.#filling !== undefined || this.#pool.idleCount === 0
    // A failure begins a fill, which reports its own.
    if (!isBusy) await this.#read(deadline(), () => this.#file!.readColumns()).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#following)
    if (this.#session) destroyConnection(this.#session.client)
    await this.#filling
    this.#discard()
    await this.#pool.end()
  }

  #set(figure: keyof typeof figureOf, value: number): void {
    this.#settings.figures[figureOf[figure]] = value
  }

  #add(figure: keyof typeof figureOf, value: number): void {
    this.#settings.figures[figureOf[figure]]! += value
  }

  #setFailure(reason: string): void {
    failureIn(this.#settings.figures).fill(0).write(reason)
  }

  async #measured(follow: () => Promise<number>): Promise<void> {
    const [begun, used] = [performance.now(), process.threadCpuUsage()]
    await follow()
    const { user, system } = process.threadCpuUsage(used)
    this.#add('follows', 1)
    this.#add('followMilliseconds', performance.now() - begun)
    this.#add('followProcessorMilliseconds', (user + system) / 1_000)
  }

  /** Fills a new file, or reads all changes into the present one. */
  async #fill(): Promise<void> {
    this.#set('state', states.indexOf('filling'))
    const begun = performance.now()
    try {
      await this.#withSession(deadline(), ({ client }) => this.#catchUp(kyselyOver(client)), false)
      this.#set('state', states.indexOf('ready'))
      this.#setFailure('')
    } catch (error) {
      if (this.#isClosed) return
      if (this.#since === undefined || isSqliteError(error) || error instanceof OtherLine) this.#discard()
      if (error instanceof OtherLine) return this.#fill()
      this.#set('state', states.indexOf('failed'))
      this.#setFailure(error instanceof Error ? error.message : String(error))
      const pause = Math.max(retryMilliseconds, retryFactor * (performance.now() - begun))
      setTimeout(() => this.#isClosed || void this.fill(), pause).unref()
    }
  }

  async #catchUp(source: Kysely<Rows>): Promise<void> {
    if (this.#since === undefined) {
      // Changes during the fill are read again: no transaction is open for so long.
      await forgetForeignChanges(source)
      const begin = await readChanges(source, null)
      this.#line = begin.line
      for await (const ids of batchesOf<number>(source, 'category_paths', 'id')) {
        const categories = ids.map((id) => -id)
        await this.#put(source, categories)
      }
      await this.#putItems(source)
      this.#file!.endFill()
      this.#keep(begin)
      this.#add('fills', 1)
    }
    while ((await this.#follow(source, Number.POSITIVE_INFINITY)) > itemsAtOnce);
    await this.#file!.readColumns()
  }

  /** Puts all items: PostgreSQL reads a batch while the one before is written. */
  async #putItems(source: Kysely<Rows>): Promise<void> {
    let next = readIndexed(source, [])
    for await (const ids of batchesOf<number>(source, 'items', 'id')) {
      const before = await next
      next = readIndexed(source, ids)
      // After a failed write, its rejection would be unhandled.
      next.catch(() => undefined)
      this.#write(before)
    }
    this.#write(await next)
  }

  /** Reads what has changed since the last snapshot; resolves with the number of changes. */
  async #follow(source: Kysely<Rows>, max = maxFollowed): Promise<number> {
    const changes = await readChanges(source, this.#since!)
    const { numbers, line, isKept } = changes
    this.#set('changes', numbers.length)
    if (line !== this.#line || !isKept) {
      // Rows of the file may be deleted in the database without a change that says so.
      this.#discard()
      throw new OtherLine('The database has gone another way, or has forgotten changes.')
    }
    if (numbers.length > max) throw new ReplicaBehind('The search replica has much to read.')
    for (let at = 0; at < numbers.length; at += itemsAtOnce)
      await this.#put(source, numbers.slice(at, at + itemsAtOnce))
    this.#keep(changes)
    return numbers.length
  }

  #keep({ snapshot, floor }: ItemChanges): void {
    this.#since = snapshot
    this.#floor = floor
  }

  async #put(source: Kysely<Rows>, numbers: readonly number[]): Promise<void> {
    this.#write(await readIndexed(source, numbers))
  }

  #write(read: ReadIndexed): void {
    if (this.#isClosed) throw new ReplicaBehind('The search replica is closed.')
    this.#file!.write(read)
    this.#set('bytes', this.#file!.bytes)
  }

  #discard(): void {
    this.#file?.close()
    this.#file = undefined
    this.#since = undefined
    this.#session = undefined
  }

  /** Runs work on the connection, which is destroyed at the deadline. */
  async #withSession<Result>(
    until: number,
    work: (session: Session) => Promise<Result>,
    isCut = true,
  ): Promise<Result> {
    const client = await connect(this.#pool, Math.min(until, performance.now() + connectMilliseconds))
    const cut = isCut ? setTimeout(() => destroyConnection(client), until - performance.now()) : undefined
    try {
      if (this.#session?.client !== client) {
        // Ids of transactions that PostgreSQL lost in a crash may be given again.
        if (this.#since !== undefined) this.#since = snapshotAt(this.#floor)
        this.#file ??= await ReplicaFile.open(this.#settings.folder)
        this.#session = openSession(client, this.#file)
      }
      return await work(this.#session)
    } finally {
      clearTimeout(cut)
      client.release(hasEnded(client))
    }
  }
}

/** The changes since the last snapshot are not known. */
class OtherLine extends ReplicaBehind {}

/** Readers of a connection and a file. */
interface Session {
  readonly client: pg.PoolClient
  readonly snapshot: Snapshot
  readonly source: Kysely<Rows>
  readonly readers: Readers
}

function openSession(client: pg.PoolClient, { db, columns, searching }: ReplicaFile): Session {
  const snapshot = new Snapshot(client)
  const source = kyselyOver(snapshot)
  const index = { db, deadlineCondition: searching.deadlineCondition, columns }
  return { client, snapshot, source, readers: openStores(source, { index }) }
}

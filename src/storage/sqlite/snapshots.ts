import type Database from 'better-sqlite3'
import { type CallerCache, everyCaller } from '../caller-cache.ts'
import { type Readers, StorageUnavailable } from '../storage.ts'
import { toStorageError } from './file.ts'

/** Reads on a connection of its own. */
export interface Snapshots {
  /** Runs a read on one snapshot of the database. */
  read<Result>(work: (readers: Readers) => Promise<Result>, until: number): Promise<Result>
  /** Makes reads that begin after this call see every commit until now. */
  renew(): void
  isBusy(): boolean
}

/**
 * Reads that begin in one turn of the event loop share a snapshot, unless it is renewed between them: beginning and ending
 * one costs as much as a statement. A write that is acknowledged has to renew it first, so that a read which begins
 * afterwards sees the write.
 *
 * `pragma data_version` changes when another connection has committed. All cached callers are invalidated then, so the
 * caller of a read is never older than its snapshot.
 */
export function openSnapshots(connection: Database.Database, readers: Readers, callers: CallerCache): Snapshots {
  connection.pragma('query_only = ON')
  const beginTransaction = connection.prepare('begin')
  const endTransaction = connection.prepare('commit')
  const selectVersion = connection.prepare<[], number>('pragma data_version').pluck()
  let version: number | undefined
  let isOpen = false
  /** No further read joins the open snapshot. */
  let isOver = false
  let running = 0
  /** Reads that wait for the open snapshot to end. */
  let waiting: (() => void)[] = []

  function begin(): void {
    beginTransaction.run()
    isOpen = true
    setImmediate(renew)
    const present = selectVersion.get()
    if (present !== version) callers.invalidate([everyCaller])
    version = present
  }

  function renew(): void {
    if (!isOpen) return
    if (running === 0) end()
    else isOver = true
  }

  function end(): void {
    // An error of the disk may have ended the transaction.
    if (connection.inTransaction) endTransaction.run()
    isOpen = false
    isOver = false
    const all = waiting
    waiting = []
    for (const wake of all) wake()
  }

  async function read<Result>(work: (readers: Readers) => Promise<Result>, until: number): Promise<Result> {
    while (isOver) await new Promise<void>((wake) => waiting.push(wake))
    if (performance.now() > until) throw new StorageUnavailable('The read queue is full.')
    running += 1
    try {
      if (!isOpen) begin()
      return await work(readers)
    } catch (error) {
      isOver = isOpen
      throw toStorageError(error, connection)
    } finally {
      running -= 1
      if (running === 0 && isOver) end()
    }
  }

  return { read, renew, isBusy: () => running > 0 }
}

import type Database from 'better-sqlite3'
import { serialQueue } from '../../queue.ts'
import { type CallerCache, everyCaller } from '../caller-cache.ts'
import { type Readers, StorageUnavailable } from '../storage.ts'

/** Runs a read on one snapshot of the database. */
export type Read = <Result>(work: (readers: Readers) => Promise<Result>, until: number) => Promise<Result>

/**
 * Reads on a connection of its own, one at a time, each in a transaction. The queue is short: a read waits for nothing but
 * SQLite, which answers synchronously.
 *
 * `pragma data_version` changes when another connection has committed. All cached callers are invalidated then, so the
 * caller of a read is never older than its snapshot.
 */
export function openSnapshots(connection: Database.Database, readers: Readers, callers: CallerCache): Read {
  connection.pragma('query_only = ON')
  const begin = connection.prepare('begin')
  const end = connection.prepare('commit')
  const selectVersion = connection.prepare<[], number>('pragma data_version').pluck()
  const inTurn = serialQueue(() => new StorageUnavailable('The read queue is full.'))
  let version: number | undefined

  async function read<Result>(work: (readers: Readers) => Promise<Result>): Promise<Result> {
    begin.run()
    try {
      const present = selectVersion.get()
      if (present !== version) callers.invalidate([everyCaller])
      version = present
      const result = await work(readers)
      end.run()
      return result
    } catch (error) {
      if (connection.inTransaction) end.run()
      throw error
    }
  }

  return (work, until) => inTurn(() => read(work), until)
}

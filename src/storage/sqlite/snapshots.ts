import type Database from 'better-sqlite3'
import { serialQueue } from '../../queue.ts'
import { type CallerCache, everyCaller } from '../caller-cache.ts'
import { type Readers, StorageUnavailable } from '../storage.ts'

/** Runs reads, each over one snapshot of the database. */
export type Read = <Result>(work: (readers: Readers) => Promise<Result>, until: number) => Promise<Result>

/**
 * Reads on a connection of their own, one after the other, each in a transaction. Only a read of the database is waited
 * for, and SQLite answers that at once: so a read ends before the next one comes.
 *
 * SQLite itself says whether another connection has committed since the last snapshot. Then every caller is forgotten,
 * and whoever calls is looked up in the snapshot too.
 */
export function openSnapshots(connection: Database.Database, readers: Readers, callers: CallerCache): Read {
  connection.pragma('query_only = ON')
  const begin = connection.prepare('begin')
  const end = connection.prepare('commit')
  const askVersion = connection.prepare<[], number>('pragma data_version').pluck()
  const inTurn = serialQueue(() => new StorageUnavailable('The database has more to read than it can.'))
  let version: number | undefined

  async function read<Result>(work: (readers: Readers) => Promise<Result>): Promise<Result> {
    begin.run()
    try {
      const present = askVersion.get()
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

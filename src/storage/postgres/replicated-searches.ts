import type pg from 'pg'
import { openSearchTurns } from '../search-turns.ts'
import { ReplicaBehind, type ReplicaFigures } from '../storage.ts'
import { query } from './session.ts'

/** The index of items on this machine, which follows the database. */
export interface SearchReplica {
  /** Whether it is filled; if not, it is being filled from now on. */
  isReady(): boolean
  /** Rejects with ReplicaBehind where it is not as new as the database. */
  search(search: unknown, until: number): Promise<unknown>
  figures(): ReplicaFigures
  close(): Promise<void>
}

/** Time after which PostgreSQL is not asked again: a database that does not answer is not waited for twice. */
const secondWayMilliseconds = 1_000

interface ReplicatedSearches {
  isReady(): boolean
  /** Outcome of a search; of PostgreSQL's where the replica does not follow it closely enough. */
  search(
    search: unknown,
    caller: string,
    until: number,
    signal: AbortSignal | undefined,
    byPostgres: () => Promise<unknown>,
  ): Promise<unknown>
  /** Finds out, after a search by PostgreSQL, whether there are enough items by now. */
  look(client: pg.PoolClient): Promise<void>
  waiting(): number
}

/** Searches by a replica, one at a time, once the database has had `from` items. */
export function openReplicatedSearches(
  replica: SearchReplica,
  { from, milliseconds }: { readonly from: number; readonly milliseconds: number | undefined },
): ReplicatedSearches {
  const turns = openSearchTurns(1, milliseconds)
  let hasMany = from === 0
  return {
    isReady: () => hasMany && replica.isReady(),
    async search(search, caller, until, signal, byPostgres) {
      let begun = Number.POSITIVE_INFINITY
      const run = (latest: number) => {
        begun = performance.now()
        return replica.search(search, latest)
      }
      try {
        return await turns.run(caller, until, run, signal)
      } catch (error) {
        if (!(error instanceof ReplicaBehind) || performance.now() > begun + secondWayMilliseconds) throw error
        return byPostgres()
      }
    },
    async look(client) {
      hasMany ||= await hasItems(client, from)
    },
    waiting: () => turns.waiting(),
  }
}

/** Whether the database has had that many items; their ids count up. */
async function hasItems(client: pg.PoolClient, min: number): Promise<boolean> {
  const { rows } = await query(client, 'select coalesce(max(id), 0) >= $1 as has_items from items', [min])
  return (rows as [{ has_items: boolean }])[0].has_items
}

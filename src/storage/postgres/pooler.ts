import type pg from 'pg'
import { StorageUnavailable } from '../storage.ts'
import { Connection, connectionSettings } from './session.ts'

/** Trials of whether sessions change (chosen): while others use the pooler, a single trial may miss it. */
const trials = 5

/**
 * Refuses a pooler that gives each transaction, or each statement, another session: the locks, prepared statements and
 * notifications of a server belong to a session.
 */
export async function requireOwnSession(client: Connection, url: string): Promise<void> {
  const id = await findSession(client)
  // A pooler invents the id by which a client cancels its statements; PostgreSQL uses the id of the session.
  if (id === (client as unknown as { readonly processID: number }).processID) return
  await requireTransactions(client)
  // A pooler opens its sessions itself: the timeout is that of this trial.
  const other = new Connection({ ...connectionSettings(url), query_timeout: 4_000 })
  try {
    await other.connect()
    const otherId = await findSession(other).catch((error: unknown) => {
      throw new StorageUnavailable(
        'A pooler is between this program and PostgreSQL, and gives it no second session: its pool (default_pool_size of PgBouncer) has to have DATABASE_CONNECTIONS and 3 more for each server.',
        { cause: error },
      )
    })
    for (let trial = 0; trial < trials; trial += 1) {
      if (id === otherId || (await findSession(client)) !== id || (await findSession(other)) !== otherId)
        throw refusal('transaction')
    }
  } finally {
    other.end().catch(() => undefined)
  }
}

async function findSession(client: pg.Client): Promise<number> {
  return (await client.query('select pg_backend_pid() as id')).rows[0].id
}

async function requireTransactions(client: pg.Client): Promise<void> {
  try {
    await client.query('begin')
    await client.query('commit')
  } catch (error) {
    throw refusal('statement', error)
  }
}

function refusal(mode: 'transaction' | 'statement', cause?: unknown): StorageUnavailable {
  return new StorageUnavailable(
    `A pooler such as PgBouncer is between this program and PostgreSQL, in ${mode} mode (pool_mode=${mode}), which gives each ${mode} another session; set pool_mode=session for this database, or name PostgreSQL itself in DATABASE_URL.`,
    { cause },
  )
}

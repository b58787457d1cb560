import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { StorageUnavailable } from '../storage.ts'
import type { Rows } from '../tables/rows.ts'

/** Key of an advisory lock: shared on every connection of a server, exclusive for migrate-data and for migrations. */
export const servingLock = 4_270_101

/** Key of an advisory lock of the server that changes the tables. */
export const migrationLock = 4_270_102

/** Keeps migrate-data and migrations away for as long as the connection lives. */
export async function holdServingLock(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock_shared($1) as held', [servingLock])
  if (!rows[0].held) throw databaseTaken()
}

function databaseTaken(): StorageUnavailable {
  return new StorageUnavailable(
    'The database is being moved by cartulary migrate-data, or migrated by a newer version; start the server when that has finished.',
  )
}

/** Thrown where servers are running that cannot live with a change of the tables. */
export class ServersRunning extends StorageUnavailable {
  constructor(holders: readonly Holder[]) {
    super(`Servers of another version run on the database: ${holders.map(formatHolder).join(', ')}`)
  }
}

/** Locks the database against servers until the transaction ends; throws ServersRunning with their names. */
export async function requireNoServer(transaction: Kysely<Rows>): Promise<void> {
  const { rows } = await sql<{
    held: boolean
  }>`select pg_try_advisory_xact_lock(${servingLock}) as held`.execute(transaction)
  if (rows[0]!.held) return
  const holders = (await listHolders.execute(transaction)).rows
  // The holder is no other migration: migrations wait for each other before.
  if (holders.some(({ isExclusive }) => isExclusive)) throw databaseTaken()
  throw new ServersRunning(holders)
}

/** The connections of one server. */
interface Holder {
  readonly name: string
  readonly address: string | null
  readonly connections: number
  readonly since: string
  readonly isExclusive: boolean
}

const listHolders = sql<Holder>`
  select regexp_replace(coalesce(application_name, 'a server'), ' listening$', '') as name, host(client_addr) as address,
    count(*)::int as connections, to_char(min(backend_start) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
    bool_or(mode = 'ExclusiveLock') as "isExclusive"
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and classid = 0 and objid = ${sql.lit(servingLock)} and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())
  group by 1, 2 order by 4, 1, 2`

function formatHolder({ name, address, connections, since }: Holder): string {
  const from = address === null ? '' : ` from ${address}`
  return `${name}${from} (${connections} connection${connections === 1 ? '' : 's'} since ${since})`
}

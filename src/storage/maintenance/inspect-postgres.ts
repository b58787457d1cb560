import pg from 'pg'
import { toStorageError } from '../postgres/errors.ts'
import { requireOwnSession } from '../postgres/pooler.ts'
import { Connection, connectionSettings, kyselyOver, query, requireSettings } from '../postgres/session.ts'
import { StorageUnavailable } from '../storage.ts'
import { openStores } from '../stores.ts'
import { feedTriggers } from '../tables/migrations/101-item-changes.ts'
import { numberedTables } from '../tables/tables.ts'
import { type CheckResult, type Inspection, ok, problem, warning, wholeLook } from './check-result.ts'
import { inspectRows, listKeys, requireTables } from './inspect-rows.ts'
import { personReader } from './person.ts'

export async function inspectPostgres(url: string): Promise<Inspection> {
  const client = new Connection(connectionSettings(url))
  const close = () => client.end().catch(() => undefined)
  const db = kyselyOver(client)
  try {
    await client.connect()
    await requireOwnSession(client, url)
    await client.query('set default_transaction_read_only = on; set statement_timeout = 600000')
  } catch (error) {
    await close()
    throw toStorageError(error)
  }
  return {
    async *findings(now, look = wholeLook) {
      try {
        yield* inspectServer(client)
        yield await inspectClock(client, now)
        yield* inspectDefinitions(client)
        yield await inspectFeed(client)
        yield* inspectRows(db, now(), look)
        yield* inspectNumbers(client)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error
        yield problem(`The database refused the query: ${error.message}.`)
      }
    },
    listKeys: () => listKeys(db),
    readers: openStores(db),
    persons: personReader(db),
    requireTables: () => requireTables(db),
    close,
  }
}

async function* inspectServer(client: pg.Client): AsyncGenerator<CheckResult> {
  const { host, port, database } = client
  const [{ version }] = await rowsOf<{ version: string }>(client, `select current_setting('server_version') as version`)
  yield ok(`The database ${database} at ${host}:${port} can be read: PostgreSQL ${version}.`)
  try {
    await requireSettings(client)
    yield ok('Its settings keep what was acknowledged (synchronous_commit, fsync, full_page_writes, UTF8).')
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    yield problem(`${error.message} Servers refuse to start on it.`)
  }
}

const maxSkew = 1_000

/** Tokens and invitations expire by the clocks of the servers. */
async function inspectClock(client: pg.Client, now: () => number): Promise<CheckResult> {
  const sent = now()
  const [{ time }] = await rowsOf<{ time: number }>(
    client,
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`,
  )
  const answered = now()
  // The server's clock showed `time` at some moment between `sent` and `answered`.
  const skew = Math.max(sent - time, time - answered, 0)
  return skew <= maxSkew
    ? ok("The database server's clock agrees with this one.")
    : warning(`The database server's clock is ${(skew / 1000).toFixed(1)} seconds from this one: synchronize both.`)
}

async function* inspectDefinitions(client: pg.Client): AsyncGenerator<CheckResult> {
  const indexes = await rowsOf<{ name: string }>(
    client,
    `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
     where not (indisvalid and indisready) and relnamespace = current_schema()::regnamespace`,
  )
  const constraints = await rowsOf<{ name: string }>(
    client,
    `select conname as name from pg_constraint
     where not convalidated and connamespace = current_schema()::regnamespace`,
  )
  for (const { name } of indexes) yield problem(`The index ${name} is invalid: run "reindex index ${name}".`)
  for (const { name } of constraints) {
    yield problem(`The constraint ${name} was never checked: run "alter table … validate constraint ${name}".`)
  }
  if (indexes.length + constraints.length === 0) yield ok('Every index is valid, and every constraint is checked.')
}

/** Checks whether changes of items are noted: search replicas of servers would miss those that are not. */
async function inspectFeed(client: pg.Client): Promise<CheckResult> {
  const [{ triggers, changes }] = await rowsOf<{ triggers: number; changes: number }>(
    client,
    `select (select count(*) from pg_trigger join pg_class on pg_class.oid = tgrelid
        where tgname = any($1) and tgenabled in ('O', 'A') and relnamespace = current_schema()::regnamespace) as triggers,
      (select coalesce(sum(n_live_tup), 0)::bigint from pg_stat_user_tables where relname = 'item_changes') as changes`,
    [feedTriggers],
  )
  return triggers === feedTriggers.length
    ? ok(`Changes of items are noted for the search replicas; about ${changes} are kept.`)
    : problem(
        'Changes of items are not noted, as triggers are missing or off: restore the tables with their triggers, or set SEARCH_REPLICA=off.',
      )
}

/** Checks sequences: a sequence behind its table repeats an id, which violates the primary key and fails the write. */
async function* inspectNumbers(client: pg.Client): AsyncGenerator<CheckResult> {
  for (const table of numberedTables) {
    const [{ name }] = await rowsOf<{ name: string | null }>(client, `select to_regclass('${table}') as name`)
    if (name === null) continue
    const [{ sequence }] = await rowsOf<{ sequence: string }>(
      client,
      `select pg_get_serial_sequence('${table}', 'id') as sequence`,
    )
    const [{ behind }] = await rowsOf<{ behind: boolean }>(
      client,
      `select coalesce((select max(id) from ${table}) >= last_value + is_called::int, false) as behind from ${sequence}`,
    )
    if (!behind) continue
    yield problem(
      `The sequence of ${table} is behind its highest id: run "select setval('${sequence}', max(id)) from ${table}".`,
    )
  }
}

async function rowsOf<Row>(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<[Row, ...Row[]]> {
  return (await query(client, text, values)).rows as [Row, ...Row[]]
}

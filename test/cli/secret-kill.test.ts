import { statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CartularyProcess, Folder } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { query } from './beside.ts'
import { after, before, during, openRotatable, readSealedKeys, settingsFor, signOn } from './rotated-database.ts'
import { command } from './run-command.ts'

/** Makes a rotation stand still in the middle of its transaction: one key is re-sealed there, and the next one is not. */
interface Hold {
  place(url: string): Promise<void>
  /** Whether a rotation stands still now. */
  isHolding(url: string): Promise<boolean>
  /** Lets the next one pass. */
  release(url: string): Promise<void>
  /** Whether the database still has connections of processes that have ended. */
  isConnected(url: string): Promise<boolean>
}

const megabytes = 16

const holdOnSqlite: Hold = {
  async place(url) {
    await query(url, 'create table filling (bytes blob)')
    await query(
      url,
      `create view numbers as with recursive number (n) as (select 1 union all select n + 1 from number)
       select n from number`,
    )
    await query(
      url,
      `create trigger hold after update of sealed_private_key on portals begin
         insert into filling values (randomblob(${megabytes} * 1000 * 1000));
         select case when (select count(*) from filling) > 1 then (select max(n) from numbers) end;
       end`,
    )
  },
  // Pages that a transaction does not keep in memory are in the write-ahead log before its commit.
  async isHolding(url) {
    const log = statSync(`${url.slice('file:'.length)}-wal`, { throwIfNoEntry: false })
    return (log?.size ?? 0) > megabytes * 500_000
  },
  release: async (url) => void (await query(url, 'drop trigger hold')),
  isConnected: async () => false,
}

const others =
  "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"

const asleep = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"

const holdOnPostgres: Hold = {
  async place(url) {
    await query(url, 'create table filling (one integer)')
    await query(
      url,
      `create function hold() returns trigger language plpgsql as $$ begin
         if exists (select 1 from filling) then perform pg_sleep(3600); end if;
         insert into filling values (1);
         perform set_config('statement_timeout', '0', true);
         return null;
       end $$`,
    )
    await query(
      url,
      'create trigger hold after update of sealed_private_key on portals for each row execute function hold()',
    )
  },
  isHolding: async (url) => (await query(url, `select 1 ${asleep}`)).length > 0,
  async release(url) {
    await query(url, `select pg_terminate_backend(pid) ${asleep}`)
    await query(url, 'drop trigger hold on portals')
  },
  isConnected: async (url) => (await query(url, `select 1 ${others}`)).length > 0,
}

/** Commands that change every private key, the secrets that they run with, and those that open the keys before. */
const changes = [
  { words: ['secret', 'rotate'], secrets: during, opening: [before, during] },
  { words: ['secret', 'renew', '--yes'], secrets: after, opening: [before] },
] as const

function waitUntil(condition: () => Promise<boolean>, { child, ended }: CartularyProcess): Promise<void> {
  return until('what the killed process was to do', async () => {
    if (child.exitCode !== null) throw new Error(`It has ended: ${(await ended).err}`)
    return condition()
  })
}

describe.each([
  ['SQLite', holdOnSqlite],
  ['PostgreSQL', holdOnPostgres],
] as const)('killed amid its transaction on %s', (engine, hold) => {
  test.each(changes)('$words leaves every key as it was, and succeeds the next time', async (change) => {
    const { words, secrets, opening } = change
    using folder = new Folder()
    const url = await openRotatable(engine)
    const keys = await readSealedKeys(url)
    await hold.place(url)
    const environment = settingsFor(url, secrets)
    await using rotation = new CartularyProcess({ words, environment, folder: folder.path })
    await waitUntil(() => hold.isHolding(url), rotation)
    expect(await rotation.stop('SIGKILL')).toMatchObject({ code: null, err: '' })
    await hold.release(url)
    expect(await readSealedKeys(url)).toEqual(keys)
    for (const secrets of opening) expect(await signOn(url, secrets)).toBe(2)
    await until('no process is connected', async () => !(await hold.isConnected(url)))
    expect(await command(words, environment)).toMatchObject({ code: 0, complaint: '' })
    expect(await signOn(url, after)).toBe(2)
  })
})

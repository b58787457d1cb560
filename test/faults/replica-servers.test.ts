import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ReplicaBehind } from '../../src/storage/storage.ts'
import { anId, anItem } from '../storage/contract/records.ts'
import { muchLater } from '../storage/much-later.ts'
import { openReplica } from '../storage/replicas.ts'
import { administrator, all, openBoth, openReplicated } from '../storage/replicated-items.ts'
import { openWorkPostgres } from '../storage/work-storage.ts'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { findFolderOfPrograms } from '../support/databases/postgres-programs.ts'
import { rejectionOf } from '../support/rejection.ts'
import { until } from '../support/until.ts'

const programs = findFolderOfPrograms()

const follows = 'database system is ready to accept read-only connections'

/** A server of PostgreSQL for the length of a test. */
async function startServer(made = Postgres.openWith(programs!, 'max_connections=40')): Promise<Postgres> {
  const server = await made
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

describe.skipIf(!programs)(`search replicas${programs ? '' : ' (not run: pg_basebackup is not installed)'}`, () => {
  test('go over to a standby that is promoted, and take none that is not', async () => {
    const one = await startServer()
    const two = await startServer(Postgres.make(['max_connections=40'], programs))
    const database = new URL(await one.createDatabase()).pathname
    const hosts = `127.0.0.1:${two.port},127.0.0.1:${one.port}`
    await two.shell(
      `pg_basebackup --dbname='host=127.0.0.1 port=${one.port} user=postgres' --pgdata="$PGDATA" --checkpoint=fast --write-recovery-conf`,
    )
    await two.start(follows)
    const { storage, replica, findBy, figures } = await openBoth(
      `postgres://postgres@${hosts}${database}?target_session_attrs=read-write`,
    )
    expect(await findBy(administrator)).toEqual(all)
    await until('the standby has all', async () => {
      const [sent] = await one.query<{ is: boolean }>(
        'select replay_lsn >= pg_current_wal_lsn() as is from pg_stat_replication',
      )
      return sent?.is === true
    })

    const standby = two.url(database.slice(1))
    expect((await rejectionOf(openWorkPostgres(standby), Error)).message).toContain('standby')
    const refused = await openReplica(standby)
    onTestFinished(refused.close)
    expect(refused.figures()).toMatchObject({ state: 'failed', fills: 0 })
    await rejectionOf(
      refused.replica.search(async () => 1, muchLater()),
      ReplicaBehind,
    )

    await one.stop('immediate')
    await rejectionOf(findBy(administrator), ReplicaBehind)
    await two.shell('pg_ctl promote')
    await until('a write is taken', () =>
      storage.items.addItem(anItem({ itemId: anId(503) })).then(
        () => true,
        () => false,
      ),
    )
    await until('the replica is filled from the other one', async () => {
      await replica.fill()
      return figures().state === 'ready'
    })
    expect(figures().fills).toBe(2)
    expect(await findBy(administrator)).toEqual([...all, anId(503)])
    await storage.items.removeItem(anId(503))
    expect(await findBy(administrator)).toEqual(all)
  })

  test('follow a database whose transactions have other ids than when its changes were noted', async () => {
    const former = await startServer()
    await former.stop()
    // Ids of the copy are far below those that the dump has.
    await former.shell('pg_resetwal --epoch=7 --pgdata="$PGDATA"')
    await former.start()
    const url = await former.createDatabase()
    await openBoth(url)
    const dump = await former.shell(`pg_dump --no-owner ${new URL(url).pathname.slice(1)}`)

    const present = await startServer()
    const copy = await present.createDatabase()
    const restored = `psql --quiet -v ON_ERROR_STOP=1 -d ${new URL(copy).pathname.slice(1)} <<'END_OF_DUMP' > /dev/null\n${dump}\nEND_OF_DUMP`
    await present.shell(restored)
    const { storage, findBy, figures } = await openReplicated(copy, async () => undefined)
    expect(await findBy(administrator)).toEqual(all)
    await storage.items.addItem(anItem({ itemId: anId(503) }))
    expect(await findBy(administrator)).toEqual([...all, anId(503)])
    expect(figures()).toMatchObject({ changes: 1, fills: 1 })
    // A server beside goes on as well.
    const beside = await openReplica(copy)
    onTestFinished(beside.close)
    await storage.items.removeItem(anId(503))
    expect(await findBy(administrator)).toEqual(all)
    expect([figures().fills, beside.figures()]).toEqual([1, expect.objectContaining({ state: 'ready', fills: 1 })])
  })

  test('see each change while the ids of transactions wrap', async () => {
    const server = await startServer()
    for (const next of [2_000_683_008, 4_000_317_440, 4_294_967_040]) await skipTo(server, next)
    const { url, storage, findBy, figures } = await openBoth(await server.createDatabase())
    const boxed = () => findBy(administrator, { bbox: [0, 0, 10, 10] })
    const hasWrapped = async () =>
      Number((await queryAt<{ id: string }>(url, 'select pg_current_xact_id()::text as id'))[0]!.id) >= 2 ** 32
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    await client.query('begin')
    await client.query(
      'update items set west = 1, south = 1, east = 2, north = 2, checksum = null where item_id = $1',
      [all[0]],
    )
    while (!(await hasWrapped())) {
      await storage.items.addItem(anItem({ itemId: anId(503) }))
      expect(await findBy(administrator)).toEqual([...all, anId(503)])
      await storage.items.removeItem(anId(503))
      expect(await boxed()).toEqual([])
      for (let used = 0; used < 40; used += 1) await queryAt(url, 'select pg_current_xact_id()')
    }
    await client.query('commit')
    expect(await boxed()).toEqual([all[0]])
    expect(figures().fills).toBe(1)
  })
})

/** Goes on with transactions of that id, without those before: it has to be the first one of a file of `pg_xact`, or in the last one. */
async function skipTo(server: Postgres, next: number): Promise<void> {
  await server.query("update pg_database set datallowconn = true where datname = 'template0'")
  await server.shell('vacuumdb --all --freeze --quiet')
  await server.stop()
  const file = Math.floor(next / 1_048_576)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0')
  await server.shell(
    `dd if=/dev/zero of="$PGDATA/pg_xact/${file}" bs=262144 count=1 status=none; pg_resetwal --next-transaction-id=${next} "$PGDATA"`,
  )
  await server.start()
}

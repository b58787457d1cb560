import { describe, expect, test } from 'vitest'
import { command } from '../cli/run-command.ts'
import { readDocument, shellBlocks } from '../journeys/shell-walk.ts'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { findFolderOfPrograms } from '../support/databases/postgres-programs.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { reachPortal, secret, startOnPostgres } from './servers.ts'

/** Steps for an operator of two PostgreSQL servers, as documented. */
const document = readDocument('docs/failover.md')
const [allowStandby, copy, waitForStandby] = shellBlocks(document, 'Setting up a standby')
const [promote] = shellBlocks(document, 'When the primary is lost')
const [copyBack] = shellBlocks(document, 'The old primary becomes the standby')
const [goOnAlone] = shellBlocks(document, 'When the standby is lost')

const programs = findFolderOfPrograms()

const follows = 'database system is ready to accept read-only connections'

/** Two machines, of which the second one is empty. */
async function openTwo(commits: string) {
  await using owned = new AsyncDisposableStack()
  const one = owned.use(await Postgres.openWith(programs!, `synchronous_commit=${commits}`, 'max_connections=40'))
  const two = owned.use(await Postgres.make([`synchronous_commit=${commits}`, 'max_connections=40'], programs!))
  const kept = owned.move()
  /** A block, where the names of the machines are the addresses of these. */
  const paste = (machine: Postgres, block: string | undefined) =>
    machine.shell(
      block!
        .replace(/host=db1\.example\.com/g, `host=127.0.0.1 port=${one.port}`)
        .replace(/host=db2\.example\.com/g, `host=127.0.0.1 port=${two.port}`)
        .replace('replicator db2.example.com', 'replicator 127.0.0.1/32'),
    )
  return { one, two, paste, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

describe.skipIf(!programs)(
  `two PostgreSQL servers${programs ? '' : ' (not run: pg_basebackup is not installed)'}`,
  () => {
    test.for(['on', 'remote_apply'])(
      'lose nothing that was acknowledged when the primary is lost, and servers go on by themselves (synchronous_commit=%s)',
      async (commits) => {
        await using machines = await openTwo(commits)
        const { one, two, paste } = machines
        await paste(one, allowStandby)
        await paste(two, copy)
        await two.start(follows)
        expect(await paste(one, waitForStandby)).toMatch(/standby +\| \w+ +\| (a?sync)/)
        const database = new URL(await one.createDatabase()).pathname
        // The standby first: it is asked, and does not fit.
        const url = `postgres://postgres@127.0.0.1:${two.port},127.0.0.1:${one.port}${database}?target_session_attrs=read-write`
        await using portal = await startOnPostgres(url)
        const observer = await Observer.open(await reachPortal(portal))

        // The primary is lost under load.
        await observer.runThrough({ begin: () => one.stop('immediate'), end: () => paste(two, promote), isSeen: true })
        await observer.requireConsistency((sql) => queryAt(two.url(database.slice(1)), sql))
        expect((await command(['doctor'], { DATABASE_URL: url, SECRET_KEY: secret })).printed).toContain(
          `127.0.0.1:${two.port}`,
        )

        // The old one becomes the standby.
        await paste(one, copyBack)
        await one.start(follows)
        await paste(two, waitForStandby)
        const synchronous = "select 1 from pg_stat_replication where sync_state = 'sync'"
        await until('commits wait for it', async () => (await two.query(synchronous)).length === 1)
        expect(await observer.assign()).toBe('done')

        // The standby is lost: writes wait, reads and probes go on.
        await one.stop('immediate')
        await until(
          'its loss is noticed',
          async () => (await two.query('select 1 from pg_stat_replication')).length === 0,
        )
        expect(await observer.assign()).toBe('refused')
        expect(await observer.assign(observer.owners[1])).toBe('refused')
        expect((await observer.reach.get('/health/ready')).status).toBe(200)
        const waiting = await two.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'")
        expect(waiting.length).toBeGreaterThan(1)
        await paste(two, goOnAlone)
        await until('writes are done again', async () => (await observer.assign()) === 'done')
        await observer.requireConsistency((sql) => queryAt(two.url(database.slice(1)), sql))
      },
    )
  },
)

import pg from 'pg'
import { inject } from 'vitest'
import { queryAt } from '../support/databases/postgres.ts'
import type { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { isLong } from '../support/length.ts'
import type { Fault } from './observer.ts'

/** Something that keeps a server from its PostgreSQL database. */
export interface Outage {
  readonly name: string
  /** Fault of a database that the server reaches through the network. */
  fault(url: string, network: FaultyNetwork): Fault
}

/** Packets that come late: a little later takes longer to be seen. */
const latenesses = isLong ? [300, 1_000, 3_000] : [3_000]

export const outages: readonly Outage[] = [
  {
    name: 'falls silent, and goes on where it was',
    fault: (_, network) => ({ begin: () => network.silence(), end: () => network.pass(), isSeen: true }),
  },
  {
    name: 'falls silent for ever on every connection there was',
    fault: (_, network) => ({ begin: () => network.silence(), end: () => network.passNew() }),
  },
  {
    name: 'has a table that another program locks',
    fault(url) {
      const client = new pg.Client(url)
      client.on('error', () => undefined)
      return {
        async begin() {
          await client.connect()
          await client.query('begin; lock table category_schemas in exclusive mode')
        },
        end: () => client.end(),
      }
    },
  },
  ...latenesses.map((lateness) => ({
    name: `is ${lateness} ms late with every packet`,
    fault: (_: string, network: FaultyNetwork): Fault => ({
      begin: () => network.delay(lateness),
      end: () => network.pass(),
      // Otherwise a question on a connection that is there is answered in time.
      ...(lateness > 300 && { isSeen: true }),
    }),
  })),
  {
    name: 'refuses connections',
    fault: (_, network) => ({ begin: () => network.refuse(), end: () => network.pass(), isSeen: true }),
  },
  {
    name: 'is cut off, and takes new connections at once',
    fault: (_, network) => ({ begin: () => network.cut(), end: () => undefined, isBrief: true }),
  },
  {
    name: 'ends every session',
    fault: (url) => ({ begin: () => terminateSessions(url), end: () => undefined, isBrief: true }),
  },
  {
    name: 'is away for a while',
    fault: (url) => ({
      async begin() {
        await alterDatabase(url, 'allow_connections false')
        await terminateSessions(url)
        await queryAt(inject('postgresUrl'), `alter database ${nameOf(url)} rename to ${nameOf(url)}_away`)
      },
      async end() {
        await queryAt(inject('postgresUrl'), `alter database ${nameOf(url)}_away rename to ${nameOf(url)}`)
        await alterDatabase(url, 'allow_connections true')
      },
      isSeen: true,
    }),
  },
  {
    name: 'does not wait for the disk any more',
    fault: (url) => ({
      async begin() {
        await alterDatabase(url, 'set synchronous_commit = off')
        await terminateSessions(url)
      },
      end: () => alterDatabase(url, 'reset synchronous_commit'),
      isSeen: true,
    }),
  },
]

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

async function alterDatabase(url: string, change: string): Promise<void> {
  await queryAt(inject('postgresUrl'), `alter database ${nameOf(url)} ${change}`)
}

async function terminateSessions(url: string): Promise<void> {
  const sessions = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1'
  await queryAt(inject('postgresUrl'), sessions, [nameOf(url)])
}

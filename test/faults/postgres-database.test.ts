import pg from 'pg'
import { describe, inject, test } from 'vitest'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { reachPortal, startOnPostgres } from './stages.ts'
import { type Fault, longestReady, Witness } from './witness.ts'

interface Case {
  readonly name: string
  /** Where it keeps every connection from being opened, so that probes see it. */
  readonly isSeen?: true
  fault(url: string): Fault
}

const cases: readonly Case[] = [
  {
    name: 'ends every session',
    fault: (url) => ({ begin: () => terminateSessions(url), milliseconds: 0, end: () => undefined }),
  },
  {
    name: 'is away for a moment',
    isSeen: true,
    fault: (url) => ({
      begin: async () => {
        await alterDatabase(url, 'allow_connections false')
        await terminateSessions(url)
        await queryAt(inject('postgresUrl'), `alter database ${nameOf(url)} rename to ${nameOf(url)}_away`)
      },
      milliseconds: 2_000,
      end: async () => {
        await queryAt(inject('postgresUrl'), `alter database ${nameOf(url)}_away rename to ${nameOf(url)}`)
        await alterDatabase(url, 'allow_connections true')
      },
    }),
  },
  {
    name: 'does not wait for the disk any more',
    isSeen: true,
    fault: (url) => ({
      begin: async () => {
        await alterDatabase(url, 'set synchronous_commit = off')
        await terminateSessions(url)
      },
      milliseconds: 2_000,
      end: () => alterDatabase(url, 'reset synchronous_commit'),
    }),
  },
  {
    name: 'has a table that somebody else locks',
    fault: (url) => {
      const client = new pg.Client(url)
      return {
        begin: async () => {
          await client.connect()
          await client.query('begin; lock table category_schemas in exclusive mode')
        },
        milliseconds: 6_000,
        end: () => client.end(),
      }
    },
  },
]

describe.concurrent('a database that', () => {
  test.for(cases)('$name costs nothing that was acknowledged', async ({ fault, isSeen }, { expect }) => {
    const url = await createDatabase()
    await using portal = await startOnPostgres(url)
    const witness = await Witness.open(await reachPortal(portal))
    const figures = await witness.suffer(fault(url))
    await witness.requireTruth((sql) => queryAt(url, sql))
    expect(figures.refused).toBeGreaterThan(0)
    if (isSeen) expect(figures.unreadyAfter).toBeLessThan(longestReady)
  })
})

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

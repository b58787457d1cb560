import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { reachPortal, startOnPostgres } from './stages.ts'
import { type Fault, type Figures, longestReady, until, Witness } from './witness.ts'

const mostConnections = 12

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open(`max_connections=${mostConnections}`)
})
afterAll(() => postgres[Symbol.asyncDispose]())

/** A new server on a new database suffers; answers what was seen, after the tables have been held against it. */
async function suffer(fault: Fault): Promise<Figures> {
  const url = await postgres.createDatabase()
  await using portal = await startOnPostgres(url)
  const witness = await Witness.open(await reachPortal(portal))
  const figures = await witness.suffer(fault)
  await witness.requireTruth((sql) => queryAt(url, sql))
  return figures
}

test.for(['immediate', 'fast'] as const)(
  'a PostgreSQL that is stopped (%s) and started again is used again',
  async (mode) => {
    const figures = await suffer({
      begin: () => postgres.stop(mode),
      milliseconds: 1_500,
      end: () => postgres.start(),
    })
    expect(figures.refused).toBeGreaterThan(0)
    expect(figures.unreadyAfter).toBeLessThan(longestReady)
  },
)

test('a PostgreSQL without a connection left is used again when it has some', async () => {
  const held: pg.Client[] = []
  const latest = performance.now() + 10_000
  const take = async (): Promise<unknown> => {
    try {
      return held.push(await connect())
    } catch (error) {
      if (performance.now() > latest) throw error
      return take()
    }
  }
  const figures = await suffer({
    begin: async () => {
      await take()
      const taken = Promise.all(Array.from({ length: mostConnections - 1 }, take))
      await until('every connection is taken', async () => {
        await held[0]!.query(endOthers)
        return held.length === mostConnections
      })
      await taken
    },
    milliseconds: 1_500,
    end: () => Promise.all(held.map((client) => client.end())),
  })
  expect(figures.refused).toBeGreaterThan(0)
  expect(figures.unreadyAfter).toBeLessThan(longestReady)
})

test('a PostgreSQL that only reads refuses writes, until it takes them again', async () => {
  const figures = await suffer({
    begin: () => alterSystem('default_transaction_read_only = on'),
    milliseconds: 1_000,
    end: () => alterSystem('default_transaction_read_only = off'),
  })
  expect(figures.refused).toBeGreaterThan(0)
  expect(figures.unreadyAfter).toBeUndefined()
})

test('a connection goes on waiting for the disk after PostgreSQL was told not to', async () => {
  const url = await postgres.createDatabase()
  await using portal = await startOnPostgres(url)
  const witness = await Witness.open(await reachPortal(portal))
  await alterSystem('synchronous_commit = off')
  try {
    const { storage } = portal.server.dependencies
    const { open } = storage.figures().connections
    expect(open).toBeGreaterThan(0)
    // Whoever connects from now on is refused; those that are there keep their promise.
    expect(await witness.assign()).toBe('done')
    expect(storage.figures().connections.open).toBe(open)
    await postgres.stop('immediate')
    await postgres.start()
    await witness.requireTruth((sql) => queryAt(url, sql))
    expect(await witness.assign()).toBe('refused')
  } finally {
    await alterSystem('synchronous_commit = on')
  }
  await until('assigns are done again', async () => (await witness.assign()) === 'done')
})

const endOthers = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'cartulary%'"

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(postgres.url())
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function alterSystem(setting: string): Promise<void> {
  const client = await connect()
  try {
    await client.query(`alter system set ${setting}`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { until } from '../support/until.ts'
import { type Fault, Observer } from './observer.ts'
import { reachPortal, startOnPostgres } from './servers.ts'

const maxConnections = 12

let postgres: Postgres
beforeAll(async () => {
  postgres = await Postgres.open(`max_connections=${maxConnections}`)
})
afterAll(() => postgres[Symbol.asyncDispose]())

/** Lets a new server on a new database run through a fault, and holds the tables against what was answered. */
async function runThrough(fault: Fault): Promise<void> {
  const url = await postgres.createDatabase()
  await using portal = await startOnPostgres(url)
  const observer = await Observer.open(await reachPortal(portal))
  await observer.runThrough(fault)
  await observer.requireConsistency((sql) => queryAt(url, sql))
}

test.for(['immediate', 'fast'] as const)('a PostgreSQL that is stopped (%s) and started again is used again', (mode) =>
  runThrough({ begin: () => postgres.stop(mode), end: () => postgres.start(), isSeen: true }),
)

test('a PostgreSQL without a connection left is used again when it has some', async () => {
  const held: pg.Client[] = []
  const take = async () => {
    let client: pg.Client | undefined
    await until('there is a connection', async () => {
      client = await connect().catch(() => undefined)
      return client !== undefined
    })
    held.push(client!)
  }
  await runThrough({
    async begin() {
      await take()
      const taken = Promise.all(Array.from({ length: maxConnections - 1 }, take))
      await until('every connection is taken', async () => {
        await held[0]!.query(endOthers)
        return held.length === maxConnections
      })
      await taken
    },
    end: () => Promise.all(held.map((client) => client.end())),
    isSeen: true,
  })
})

test('a PostgreSQL that only reads refuses writes, until it takes them again', () =>
  runThrough({
    begin: () => alterSystem('default_transaction_read_only = on'),
    end: () => alterSystem('default_transaction_read_only = off'),
  }))

test('a connection goes on waiting for the disk after that is turned off', async () => {
  const url = await postgres.createDatabase()
  await using portal = await startOnPostgres(url)
  const observer = await Observer.open(await reachPortal(portal))
  await alterSystem('synchronous_commit = off')
  try {
    const { storage } = portal.server.dependencies
    const { open } = storage.figures().connections
    expect(open).toBeGreaterThan(0)
    // New connections are refused; those that are there keep their promise.
    expect(await observer.assign()).toBe('done')
    expect(storage.figures().connections.open).toBe(open)
    await postgres.stop('immediate')
    await postgres.start()
    await observer.requireConsistency((sql) => queryAt(url, sql))
    expect(await observer.assign()).toBe('refused')
  } finally {
    await alterSystem('synchronous_commit = on')
  }
  await until('assigns are done again', async () => (await observer.assign()) === 'done')
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

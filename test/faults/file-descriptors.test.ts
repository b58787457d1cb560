import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { SqliteTables } from '../durability/sqlite-tables.ts'
import { queryAt } from '../support/databases/postgres.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { connections, reachProcess, secret } from './stages.ts'
import { until, Witness } from './witness.ts'

/** More connections than the process may have files open. */
const mostFiles = 80
const clients = 120

const withFewFiles = ['/bin/sh', '-c', `ulimit -n ${mostFiles} && exec "$@"`, 'sh']

/** What the tests read the tables with, once the folder of the server is known. */
const engines = [
  {
    engine: 'SQLite',
    open: async (folder: string) => {
      const file = join(folder, 'portal.db')
      return {
        settings: { DATABASE_URL: `file:${file}` },
        query: async <Row>(sql: string) => {
          using tables = new SqliteTables(file)
          return tables.query<Row>(sql)
        },
      }
    },
  },
  {
    engine: 'PostgreSQL',
    open: async () => {
      const url = await createDatabase()
      return {
        settings: { DATABASE_URL: url, DATABASE_CONNECTIONS: String(connections) },
        query: <Row>(sql: string) => queryAt<Row>(url, sql),
      }
    },
  },
] as const

describe.concurrent('a process that may open no more files', () => {
  test.for(engines)('serves again when connections are closed ($engine)', async ({ open }, { expect }) => {
    using folder = new Folder()
    const { settings, query } = await open(folder.path)
    const environment = { ...settings, SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
    await using server = await serve({ folder: folder.path, environment, through: withFewFiles })
    const witness = await Witness.open(await reachProcess(server))
    expect(await witness.assign()).toBe('done')

    const sockets = await occupy(server.url)
    const counts = { done: 0, refused: 0, unanswered: 0 }
    for (let round = 0; round < 3; round += 1) {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => witness.assign()))
      for (const outcome of outcomes) counts[outcome] += 1
    }
    for (const socket of sockets) socket.destroy()
    const begun = performance.now()
    await until('assigns are done again', async () => (await witness.assign()) === 'done')
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(counts.unanswered + counts.refused).toBeGreaterThan(0)
    await until('it is ready', async () => (await witness.reach.get('/health/ready')).status === 200)
    await witness.requireTruth(query)
    expect(await server.stop()).toMatchObject({ code: 0, err: '' })
  })
})

/** Opens connections and says nothing on them, until one is turned away. */
async function occupy(url: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  const turnedAway = Promise.withResolvers<void>()
  const sockets = Array.from({ length: clients }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => turnedAway.resolve())
    socket.on('close', () => turnedAway.resolve())
    return socket
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  await turnedAway.promise
  return sockets
}

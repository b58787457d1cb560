import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'vitest'
import { isLong } from '../support/length.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { Observer } from './observer.ts'
import { connections, engines, reachProcess, secret } from './servers.ts'

/** More connections than the process may have files open. */
const maxFiles = 80
const clients = 120

const withFewFiles = ['/bin/sh', '-c', `ulimit -n ${maxFiles} && exec "$@"`, 'sh']

describe.concurrent('a process that may open no more files', () => {
  // A database that is reached by connections too is the harder case.
  test.for(isLong ? engines : engines.slice(1))(
    'serves again when connections are closed ($engine)',
    async ({ engine, open }, { expect }) => {
      using folder = new Folder()
      const { url, query } = await open(folder.path)
      const onPostgres = engine === 'PostgreSQL' && { DATABASE_CONNECTIONS: String(connections) }
      const environment = { DATABASE_URL: url, ...onPostgres, SECRET_KEY: secret, ADMIN_PASSWORD: adminPassword }
      await using server = await serve({ folder: folder.path, environment, through: withFewFiles })
      const observer = await Observer.open(await reachProcess(server))
      expect(await observer.assign()).toBe('done')

      const sockets = await occupy(server.url)
      const counts = { done: 0, refused: 0, unanswered: 0 }
      for (let round = 0; round < 3; round += 1) {
        const outcomes = await Promise.all(Array.from({ length: 10 }, () => observer.assign()))
        for (const outcome of outcomes) counts[outcome] += 1
      }
      for (const socket of sockets) socket.destroy()
      await until('assigns are done again', async () => (await observer.assign()) === 'done')
      expect(counts.unanswered + counts.refused).toBeGreaterThan(0)
      await until('it is ready', async () => (await observer.reach.get('/health/ready')).status === 200)
      await observer.requireConsistency(query)
      expect(await server.stop()).toMatchObject({ code: 0, err: '' })
    },
  )
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

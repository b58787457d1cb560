import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { withHosts } from '../../../src/settings/postgres-url.ts'
import { openPostgres } from '../../../src/storage/postgres/postgres.ts'
import { Connection, connectionSettings } from '../../../src/storage/postgres/session.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { runWork } from '../work-storage.ts'

const hostOf = (url: string) => new URL(url).host

/** Opens a connection, and says to which port. */
async function portOf(url: string, attributes?: string): Promise<number> {
  const client = new Connection(connectionSettings(attributes ? `${url}?target_session_attrs=${attributes}` : url))
  try {
    await client.connect()
    const { rows } = await client.query('select inet_server_port() as port')
    return rows[0].port
  } finally {
    await client.end()
  }
}

/** A host that takes connections and never answers. */
async function silentHost(): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

test('of several hosts, the first is taken that answers', async () => {
  const url = await emptyDatabase()
  const port = Number(new URL(url).port)
  expect(await portOf(withHosts(url, `127.0.0.1:1,${hostOf(url)}`))).toBe(port)
  expect(await portOf(withHosts(url, `${hostOf(url)},127.0.0.1:1`), 'primary')).toBe(port)
  expect(await portOf(withHosts(url, `${await silentHost()},127.0.0.1:1,${hostOf(url)}`), 'read-write')).toBe(port)
})

test('a database that only reads is taken as a primary, and not for writes', async () => {
  const url = await emptyDatabase()
  const name = new URL(url).pathname.slice(1)
  await queryAt(url, `alter database ${name} set default_transaction_read_only = on`)
  const two = withHosts(url, `127.0.0.1:1,${hostOf(url)}`)
  expect(await portOf(two, 'primary')).toBe(Number(new URL(url).port))
  await expect(portOf(two, 'read-write')).rejects.toThrow(`${hostOf(url)} is read-only.`)
})

test('hosts of which none can be used are refused in one sentence that names each, and no password', async () => {
  const url = 'postgres://maria:geheim@127.0.0.1:1,no-such-host.invalid/maps?target_session_attrs=read-write'
  const opening = openPostgres({ url, connections: 1 }, runWork)
  await expect(opening).rejects.toThrow(
    /^No host of the database can be used: 127\.0\.0\.1:1: .*ECONNREFUSED.*; no-such-host\.invalid: .*\.$/,
  )
  await expect(opening).rejects.not.toThrow('geheim')
})

test('servers on several hosts say where their database is', async () => {
  const url = await emptyDatabase()
  const hosts = `127.0.0.1:1,${hostOf(url)}`
  const storage = await openPostgres({ url: withHosts(url, hosts), connections: 2 }, runWork)
  onTestFinished(() => storage.close())
  expect(storage.description).toBe(`PostgreSQL at ${hosts}${new URL(url).pathname}`)
  await storage.ping()
  await storage.catchUp()
})

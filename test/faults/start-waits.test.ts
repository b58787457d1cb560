import { expect, test } from 'vitest'
import { findFreePort } from '../support/databases/postgres.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { CartularyProcess, Folder } from '../support/portal/process.ts'

/** Starts a server whose database refuses connections, as after a power cut. */
async function startWithoutDatabase(folder: Folder) {
  const network = await FaultyNetwork.open(await emptyDatabase())
  await network.refuse()
  const environment = {
    PORT: String(await findFreePort()),
    DATABASE_URL: network.url,
    SECRET_KEY: 'a secret of the tests, long enough for a key',
    ADMIN_PASSWORD: 'correct horse battery staple',
    DRAIN_SECONDS: '0',
    DATABASE_WAIT_SECONDS: '86400',
  }
  const server = new CartularyProcess({ folder: folder.path, environment })
  await server.wrote(/The start waits for it/)
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${environment.PORT}${path}`)
    return { status: response.status, body: await response.json() }
  }
  return { network, server, get }
}

test('a start waits for its database: it says so, lives, is not ready, and serves as soon as the database answers', async () => {
  using folder = new Folder()
  const { network, server, get } = await startWithoutDatabase(folder)
  await using _ends = server
  await using _closes = network
  expect(server.log[0]!['message']).toMatch(
    /^The database does not answer: .*ECONNREFUSED.*\. The start waits for it, for 86400 s \(DATABASE_WAIT_SECONDS\)\.$/,
  )
  expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'live' } })
  expect(await get('/health/ready')).toEqual({
    status: 503,
    body: { status: 'unavailable', reason: 'The server is starting.' },
  })
  expect(await get('/sharing/rest?f=json')).toMatchObject({ status: 503, body: { error: { code: 503 } } })
  await network.pass()
  await server.wrote(/is ready at/)
  expect(await get('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } })
})

test('a start that is asked to end while it waits says so, and ends without an error', async () => {
  using folder = new Folder()
  const { network, server } = await startWithoutDatabase(folder)
  await using _closes = network
  const { code, out, err } = await server.stop()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/Ended while the database was waited for/)
})

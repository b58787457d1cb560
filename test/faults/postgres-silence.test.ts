import { expect, test } from 'vitest'
import { openListener } from '../../src/storage/postgres/listener.ts'
import { createDatabase } from '../support/databases/test-database.ts'
import { FaultyNetwork } from '../support/faults/faulty-network.ts'
import { connections, openEvery, reachPortal, startOnPostgres } from './stages.ts'
import { longestRefusal, until, Witness } from './witness.ts'

/** A server with every connection open and idle, behind a network. */
async function openIdle() {
  const url = await createDatabase()
  const before = countSockets()
  await using owned = new AsyncDisposableStack()
  const network = owned.use(await FaultyNetwork.open(url))
  const portal = owned.use(await startOnPostgres(network.url))
  const witness = await Witness.open(await reachPortal(portal))
  await openEvery(portal)
  const kept = owned.move()
  return {
    network,
    portal,
    witness,
    /** Of the server, without those of the network. */
    sockets: () => countSockets() - before - network.sockets,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

test('a database that is silent takes no more sockets than one that answers', async () => {
  await using stage = await openIdle()
  stage.network.silence()
  let most = 0
  let last = 0
  const watch = setInterval(() => {
    // One that is on its way out at one moment is gone at the next.
    const present = stage.sockets()
    most = Math.max(most, Math.min(last, present))
    last = present
  }, 20)
  try {
    await Promise.all(Array.from({ length: 40 }, async () => expect(await stage.witness.assign()).toBe('refused')))
  } finally {
    clearInterval(watch)
  }
  expect(most).toBeLessThanOrEqual(connections + 1)
})

test('a server whose database is silent ends all the same, and leaves no socket open', async () => {
  await using stage = await openIdle()
  stage.network.silence()
  const begun = performance.now()
  await stage.portal.server.close()
  expect(performance.now() - begun).toBeLessThan(longestRefusal)
  await until('every socket is closed', () => stage.sockets() <= 0)
})

test('a listener that is closed while it opens another connection leaves none open', async () => {
  await using network = await FaultyNetwork.open(await createDatabase())
  const listener = await openListener(network.url, {
    channel: 'cartulary_test',
    onNotification: () => undefined,
    onGap: () => undefined,
  })
  const { begun } = network
  network.silence()
  await until('another connection is being opened', () => network.begun > begun)
  const closed = listener.close()
  await network.pass()
  await closed
  await until('every connection is closed', () => network.open === 0)
})

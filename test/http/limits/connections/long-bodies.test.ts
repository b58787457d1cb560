import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RawConnection, requestText } from '../../../support/faults/socket.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { until } from '../../../support/until.ts'

const bodies = 40
const body = `f=json&x=${'x'.repeat(1_000_000)}`
const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) }
const text = requestText('POST /sharing/rest', headers, body)

/** A server that says of each request whether its body is being received. */
async function startListening() {
  const portal = await startPortal({ environment: { PUBLIC_URL: '', PORT: '0' }, isReused: false })
  const requests: IncomingMessage[] = []
  portal.server.app.server.on('request', (request: IncomingMessage) => requests.push(request))
  let connections = 0
  portal.server.app.server.on('connection', () => {
    connections += 1
  })
  return Object.assign(portal, { url: await portal.server.listen(), requests, connections: () => connections })
}

test('of long bodies that come at once, a few are received in each turn of the event loop, and all are answered', async () => {
  await using portal = await startListening()
  const connections = Array.from({ length: bodies }, () => new RawConnection(portal.url))
  // Connected, so that all of them are read in one turn.
  await until('all are connected', () => portal.connections() === bodies)
  for (const connection of connections) void connection.send(text)
  let received = 0
  let most = 0
  while (received < bodies) {
    await setImmediate()
    const begun = portal.requests.filter(({ readableFlowing }) => readableFlowing !== null).length
    most = Math.max(most, begun - received)
    received = begun
  }
  expect(most).toBeLessThanOrEqual(14)
  const answers = await Promise.all(connections.map((connection) => connection.read()))
  expect(answers.map(({ status }) => status)).toEqual(Array(bodies).fill(200))
})

import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { body, openWorld, publicAddress, startReceiver, timeout } from './world.ts'

const allowed = '127.0.0.1'
const ok = 'HTTP/1.1 200 OK\r\n\r\n'

type World = ReturnType<typeof openWorld>

/** Sends to a receiver that answers so, once, and waits until the connection is closed. */
async function sendTo(answer: (socket: Socket, world: World) => void, path = '/hook') {
  const world = openWorld({ allowed })
  await using receiver = await startReceiver((socket) => answer(socket, world))
  const outcome = await world.post(`http://127.0.0.1:${receiver.port}${path}`)
  await until('the connection is closed', () => receiver.openSockets === 0)
  expect([receiver.connections, world.clock.waiting.size]).toEqual([1, 0])
  return { outcome, received: receiver.received, port: receiver.port }
}

test('the request has the bytes, the path with its query, and the headers that are given', async () => {
  const path = '/hook?key=a%20b'
  const { outcome, received, port } = await sendTo((socket, { clock }) => {
    clock.time += 41
    socket.end(ok)
  }, path)
  expect(outcome).toEqual({ status: 200, text: undefined, retryAfter: undefined, tookMs: 41 })
  const lines = [`post ${path} http/1.1`, `host: 127.0.0.1:${port}`, `content-length: ${body.length}`]
  expect(received.toLowerCase().split('\r\n')).toEqual([...lines, 'connection: close', '', body])
})

test.each([
  [204, 'is that of the receiver', 'HTTP/1.1 204 No Content\r\n\r\n'],
  [200, 'comes after a 100', `HTTP/1.1 100 Continue\r\n\r\n${ok}`],
  [307, 'is a redirect, which is not followed', 'HTTP/1.1 307 Elsewhere\r\nLocation: /other\r\n\r\n'],
  [410, 'is an error', 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n'],
  [200, 'has half of a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  [200, 'has a body that is broken', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
])('the status %i %s', async (status, _what, answer) => {
  const { outcome } = await sendTo((socket) => socket.end(answer))
  expect(outcome).toMatchObject({ status, retryAfter: undefined })
})

test.each([
  [429, '120', 120_000],
  [503, '0', 0],
  [429, '86400', 3_600_000],
  [429, '9'.repeat(400), 3_600_000],
  [429, 'Mon, 30 Nov 2026 12:01:30 GMT', 90_000],
  [503, 'Monday, 30-Nov-26 12:01:30 GMT', 90_000],
  [429, 'Mon, 30 Nov 2026 11:00:00 GMT', 0],
  [503, 'Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
  ...['soon', '-1', '1.5', '0x10', '', 'Mon, 30 Nov 2026 25:61:00 GMT', '2026-11-30'].map((no) => [429, no] as const),
  [500, '120'],
  [200, '120'],
] as const)('a %i with Retry-After: %s asks for %s ms', async (status, value, retryAfter?: number) => {
  const { outcome } = await sendTo((socket) => socket.end(`HTTP/1.1 ${status} x\r\nRetry-After: ${value}\r\n\r\n`))
  expect(outcome).toEqual({ status, text: undefined, retryAfter, tookMs: 0 })
})

/** Writes byte by byte until the connection is closed or it is enough. */
function drip(socket: Socket, isEnough: (count: number) => boolean, count = 0): void {
  if (!isEnough(count) && !socket.destroyed) socket.write('x', () => setImmediate(drip, socket, isEnough, count + 1))
}

describe('a request fails where the receiver', () => {
  const fails: readonly (readonly [string, string, string | ((socket: Socket, world: World) => void)])[] = [
    ['resets', 'no connection', (socket) => socket.resetAndDestroy()],
    ['closes', 'no connection', (socket) => socket.end()],
    ['answers garbage', 'answer not understood', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['answers half a head', 'answer not understood', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    ['has two lengths', 'answer not understood', `${ok.slice(0, -2)}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['switches', 'answer not understood', 'HTTP/1.1 101 So\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    [
      'has 1 MiB of headers',
      'answer not understood',
      `${ok.slice(0, -2)}${`x: ${'y'.repeat(1_000)}\r\n`.repeat(1_048)}`,
    ],
    ['hangs', 'no answer in time', (_socket, { clock }) => clock.pass(timeout)],
    [
      'answers its head byte by byte',
      'no answer in time',
      (socket, { clock }) =>
        socket.write('HTTP/1.1 200 OK\r\nX: ', () => drip(socket, (count) => count === 200 && clock.pass(timeout))),
    ],
  ]

  test.each(fails)('%s: %s', async (_what, failure, answer) => {
    const give = (socket: Socket, world: World) =>
      typeof answer === 'string' ? socket.write(answer) : answer(socket, world)
    expect((await sendTo(give)).outcome).toMatchObject({ failure })
  })

  const names = { 'hook.internal': [publicAddress, '10.0.0.1'] }
  const ofName = { names, allowed: 'hook.internal' }

  test('takes no connection at one address, unless it takes one at the next', async () => {
    await using receiver = await startReceiver((socket) => socket.end(ok))
    const unreachable = () => new Socket().destroy(new Error('unreachable'))
    const connect = (address: string) => (address === publicAddress ? unreachable() : undefined)
    const [first, both] = [openWorld({ ...ofName, connect }), openWorld({ ...ofName, connect: unreachable })]
    expect(await first.post(`http://hook.internal:${receiver.port}/`)).toMatchObject({ status: 200 })
    expect(await both.post('http://hook.internal/')).toEqual({ failure: 'no connection', tookMs: 0 })
    expect([first.dialled, both.dialled]).toEqual([names['hook.internal'], names['hook.internal']])
  })

  test('does not answer to connect, and no other address is tried then', async () => {
    const socket = new Socket()
    const world = openWorld({ ...ofName, connect: () => socket })
    const outcome = world.post('http://hook.internal/')
    await until('it connects', () => world.dialled.length > 0)
    world.clock.pass(timeout)
    expect(await outcome).toEqual({ failure: 'no connection', tookMs: timeout })
    await until('it is closed', () => socket.closed)
    await new Promise(setImmediate)
    expect(world.dialled).toEqual([publicAddress])
  })

  test('has a name that is unknown, or not found in time', async () => {
    const unknown = openWorld({ names: { 'hook.example.com': [] } })
    const slow = openWorld({ names: { 'hook.example.com': () => new Promise(() => slow.clock.pass(timeout)) } })
    for (const world of [unknown, openWorld(), slow]) {
      expect(await world.post('https://hook.example.com/')).toMatchObject({ failure: 'name not found' })
    }
  })
})

test('of a body that does not end, the beginning is read, and the connection is closed', async () => {
  const chunk = 'x'.repeat(65_536)
  let left = 1_024
  const write = (socket: Socket): void => {
    left -= 1
    if (left === 0 || socket.destroyed) socket.end()
    else if (socket.write(chunk)) write(socket)
    else socket.once('drain', () => write(socket))
  }
  const { outcome } = await sendTo((socket) => socket.write(ok, () => write(socket)))
  expect(outcome).toMatchObject({ status: 200 })
  expect(left).toBeGreaterThan(0)
})

test('of a body that comes byte by byte, what comes within two seconds is read', async () => {
  const { outcome } = await sendTo((socket, { clock }) => {
    const isRead = () => [...clock.waiting].some(({ milliseconds }) => milliseconds === 2_000) && clock.pass(2_000)
    socket.write(ok, () => drip(socket, isRead))
  })
  expect(outcome).toEqual({ status: 200, text: undefined, retryAfter: undefined, tookMs: 0 })
})

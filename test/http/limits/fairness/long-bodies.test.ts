import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openLongBodies } from '../../../../src/http/fairness/long-bodies.ts'
import type { Sender } from '../../../../src/http/fairness/sender.ts'
import { RawConnection, requestText } from '../../../support/faults/socket.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'
import { until } from '../../../support/until.ts'

const bodies = 40
const body = `f=json&x=${'x'.repeat(1_000_000)}`
const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) }
const text = requestText('POST /sharing/rest', headers, body)

const openThree = (url: string) => [new RawConnection(url), new RawConnection(url), new RawConnection(url)] as const

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

test('a user has one long body in progress: the next is received when it is answered, and nobody else waits', async () => {
  await using portal = await startListening()
  const [admin, other] = [await portal.admin(), await portal.user('other')]
  const half = text.length / 2
  const textOf = ({ token }: Client) => text.replace('\r\n', `\r\nAuthorization: Bearer ${token}\r\n`)
  const [first, second, third] = openThree(portal.url)
  await first.send(textOf(admin).slice(0, half))
  const isFlowing = (number: number) => portal.requests[number]?.readableFlowing === true
  await until('the first is being received', () => isFlowing(0))
  void second.send(textOf(admin))
  await until('the second has come', () => portal.requests.length === 2)
  void third.send(textOf(other))
  expect((await third.read()).status).toBe(200)
  expect(portal.requests[1]?.readableFlowing).toBe(null)
  void first.send(textOf(admin).slice(half))
  expect((await first.read()).status).toBe(200)
  expect((await second.read()).status).toBe(200)
})

test('what was cut while it waited takes no place', async () => {
  const awaitLongBody = openLongBodies()
  const begun: number[] = []
  const responses = [0, 1, 2, 3].map((number) => {
    const response = Object.assign(new EventEmitter(), { closed: number === 0 })
    void awaitLongBody({ key: 'anna', isUser: true }, () => 20_000, response as never).then(() => begun.push(number))
    return response
  })
  responses[2]?.emit('close')
  responses[1]?.emit('close')
  await setImmediate()
  // What was cut before it came is not received either, and only says so.
  expect(begun).toEqual([0, 1, 3])
})

test('what waits for an answer that takes long is received after five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const awaitLongBody = openLongBodies()
  let begun = 0
  for (let number = 0; number < 3; number += 1) {
    const response = Object.assign(new EventEmitter(), { closed: false })
    void awaitLongBody({ key: 'anna', isUser: true }, () => 20_000, response as never).then(() => (begun += 1))
  }
  vi.advanceTimersByTime(4_999)
  await setImmediate()
  expect(begun).toBe(1)
  vi.advanceTimersByTime(1)
  await setImmediate()
  expect(begun).toBe(3)
})

describe('bodies of 1 MiB that are answered at once', () => {
  const mebibyte = 1024 * 1024

  /** How many of 100 have begun after each second. */
  async function countBegun(sender: Sender, bytes: number): Promise<readonly number[]> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const awaitLongBody = openLongBodies()
    let begun = 0
    for (let number = 0; number < 100; number += 1) {
      const response = Object.assign(new EventEmitter(), { closed: false })
      void awaitLongBody(sender, () => bytes, response as never).then(() => {
        begun += 1
        response.emit('close')
      })
    }
    const counts: number[] = []
    for (let second = 0; second < 4; second += 1) {
      for (let tenth = 0; tenth < 10; tenth += 1) {
        // One after the other, each of them several turns.
        for (let turn = 0; turn < 20; turn += 1) await setImmediate()
        vi.advanceTimersByTime(100)
      }
      counts.push(begun)
    }
    return counts
  }

  test('are received at 4 MiB per second of one user, after 8 MiB at once', async () => {
    expect(await countBegun({ key: 'anna', isUser: true }, mebibyte)).toEqual([12, 16, 20, 24])
  })

  test('are received at four times that rate of one network', async () => {
    const counts = await countBegun({ key: '192.0.2.1', isUser: false }, mebibyte)
    // Timers have whole milliseconds.
    for (const [second, most] of [48, 64, 80, 96].entries()) {
      expect(counts[second]).toBeGreaterThan(most - 8)
      expect(counts[second]).toBeLessThanOrEqual(most)
    }
  })

  test('are received without a pause where they have less than 64 KiB', async () => {
    expect(await countBegun({ key: 'anna', isUser: true }, 65_535)).toEqual([100, 100, 100, 100])
  })
})

test('a sender waits no longer than for one body, however many came before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const awaitLongBody = openLongBodies()
  const sender = { key: 'anna', isUser: true }
  const send = () => {
    const response = Object.assign(new EventEmitter(), { closed: false })
    const begun = awaitLongBody(sender, () => 1024 * 1024, response as never)
    return { response, begun }
  }
  const all = Array.from({ length: 100 }, send)
  vi.advanceTimersByTime(5_000)
  await Promise.all(all.map(({ begun }) => begun))
  for (const { response } of all) response.emit('close')
  vi.advanceTimersByTime(7_000)
  // As after a pause.
  for (let number = 0; number < 8; number += 1) {
    const { response, begun } = send()
    await begun
    response.emit('close')
  }
})

test('a long body whose client goes makes room for the next', async () => {
  await using portal = await startListening()
  const { token } = await portal.admin()
  const whole = text.replace('\r\n', `\r\nAuthorization: Bearer ${token}\r\n`)
  const [first, second, third] = openThree(portal.url)
  for (const [number, connection] of [first, second].entries()) {
    connection.answer.catch(() => undefined)
    await connection.send(whole.slice(0, whole.length / 2))
    await until('the request has come', () => portal.requests.length === number + 1)
  }
  // One while it waits, and one in the middle of its body.
  second.close()
  first.close()
  void third.send(whole)
  expect((await third.read()).status).toBe(200)
})

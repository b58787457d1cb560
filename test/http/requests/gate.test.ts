import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { permissionDenied } from '../../../src/errors.ts'
import { openGate } from '../../../src/http/requests/gate.ts'
import { createTransport } from '../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits } from '../../../src/limits.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

/** A server with one route, whose answers tests hold, give or refuse, and a clock that they set; users are those of a portal. */
async function openGated() {
  const portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  const limitCounts = countLimits()
  const dependencies = {
    ...portal.server.dependencies,
    limitCounts,
    database: { engine: 'sqlite' as const, migrations: [] },
  }
  const settings = { trustProxy: false, logLevel: 'silent', publicUrl: undefined, allowedOrigins: [], tls: undefined }
  const app = await createTransport({ ...settings, limits: defaultLimits }, dependencies)
  onTestFinished(() => app.close())
  const [anna, bert] = [await portal.user('anna'), await portal.user('bert')]
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const gate = openGate(app, dependencies)
  const held: { name: string; finish(): void; refuse(): void }[] = []
  const begun: string[] = []
  app.route({
    method: ['GET', 'POST'],
    url: '/:name',
    handler(request, reply) {
      const { name } = request.params as { name: string }
      const token = /Bearer (\S+)/.exec(request.headers.authorization ?? '')?.[1]
      return gate.pass(request, reply, async () => ({
        task: 'try',
        bodyBytes: 0,
        isSearch: false,
        tokenHash: token && dependencies.random.hashToken(token),
        answer: () => {
          begun.push(name)
          return new Promise<FastifyReply>((resolve, reject) => {
            const finish = () => resolve(reply.send(name))
            held.push({ name, finish, refuse: () => reject(permissionDenied()) })
          })
        },
        recordRefusal: async () => undefined,
        sendRefusal: async ({ code }) => reply.code(code).send(),
      }))
    },
  })
  const tokens = { anna: anna.token!, bert: bert.token! }
  const authorization = (name: keyof typeof tokens) => ({ authorization: `Bearer ${tokens[name]}` })
  const ask = (name: keyof typeof tokens) => app.inject({ url: `/${name}`, headers: authorization(name) })
  return { app, held, begun, ask, authorization, limitCounts }
}

test('a refusal is charged like an answer: the one who is refused all the time waits for the others', async () => {
  const { held, begun, ask } = await openGated()
  const answered = ask('bert')
  const refused = [ask('anna'), ask('anna')]
  await until('all are in progress', () => held.length === 3)
  vi.advanceTimersByTime(30)
  held.find(({ name }) => name === 'bert')!.finish()
  await answered
  vi.advanceTimersByTime(70)
  for (const { name, refuse } of held) if (name === 'anna') refuse()
  expect((await Promise.all(refused)).map(({ statusCode }) => statusCode)).toEqual([403, 403])

  // One is in progress of the one whose requests have used much, three of the other, so that the next ones wait.
  const working = [ask('anna'), ...Array.from({ length: 3 }, () => ask('bert'))]
  await until('as many as may are in progress', () => held.length === 7)
  const waiting = [ask('anna'), ask('bert')]
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  begun.length = 0
  for (const { finish } of held) finish()
  await until('the others are', () => begun.length === 2)
  expect(begun).toEqual(['bert', 'anna'])
  for (const { finish } of held) finish()
  await Promise.all([...working, ...waiting])
})

test('a long body is not received before its sender has a place, and takes it by the token of its header', async () => {
  const { app, held, begun, ask, authorization, limitCounts } = await openGated()
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const first = [ask('bert'), ...Array.from({ length: 12 }, () => ask('anna'))]
  await until('as many as may are in progress', () => held.length === 13)
  const before = limitCounts.of('requestsWaiting')
  const socket = connect(Number(address.port), address.hostname)
  onTestFinished(() => void socket.destroy())
  const bytes = 512 * 1024
  const lines = [
    'POST /anna HTTP/1.1',
    `Host: ${address.host}`,
    `Authorization: ${authorization('anna').authorization}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${bytes}`,
    'Expect: 100-continue',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.write('x'.repeat(bytes - 1))
  await until('it waits', () => limitCounts.of('requestsWaiting') === before + 1)
  const asked = ask('bert')
  await until('another is in progress', () => held.length === 14)
  expect(begun.at(-1)).toBe('bert')
  // Its place is taken while it is received, though it is not whole; each of the fourteen has used more than two milliseconds.
  vi.advanceTimersByTime(30)
  held[1]!.finish()
  const next = ask('anna')
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
  expect(held).toHaveLength(14)
  socket.write('x')
  await until('it is in progress', () => held.length === 15)
  for (let all = 0; all < 20; all += 1) {
    for (const { finish } of held) finish()
    await setImmediate()
  }
  await Promise.all([...first, asked, next])
})

test('of a user who sends many concurrent requests, ten are in progress beside a colleague who asks again and again', async () => {
  const { held, begun, ask } = await openGated()
  const asked = Array.from({ length: 8 }, () => ask('anna'))
  await until('all are in progress', () => held.length === 8)
  for (let times = 0; times < 2; times += 1) {
    const look = ask('bert')
    await until('the colleague is served', () => begun.at(-1) === 'bert')
    held.at(-1)!.finish()
    await look
    asked.push(ask('anna'))
    await until('another one is in progress', () => begun.at(-1) === 'anna')
  }
  for (const { finish } of held) finish()
  await Promise.all(asked)
})

test('a place of a long body ends with its client, and changes to the user whose token is in the body', async () => {
  await using portal = await startPortal({ environment: { PORT: '0', PUBLIC_URL: '' } })
  const [anna, admin] = [await portal.user('anna'), await portal.admin()]
  const url = await portal.server.listen()
  const { hostname, port } = new URL(url)
  const head = `POST /sharing/rest/community/createGroup HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  // More of them than an address has places, each of whose clients goes before the body is whole.
  for (let number = 0; number < 100; number += 1) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.write(`${head}Content-Length: 100000\r\n\r\nx`, () => resolve()))
    socket.resetAndDestroy()
    await until('it is closed', () => socket.destroyed)
  }
  await admin.get('/community/self')
  const titles = Array.from({ length: 30 }, (_, number) => `Maps ${number}`)
  const answers = await Promise.all(
    titles.map(async (title) => {
      const filler = 'x'.repeat(20_000)
      const body = new URLSearchParams({ f: 'json', title, tags: 'a', filler, token: anna.token! })
      const answer = await fetch(`${url}/sharing/rest/community/createGroup`, { method: 'POST', body })
      return (await answer.json()) as { readonly success: boolean }
    }),
  )
  expect(answers.map(({ success }) => success)).toEqual(titles.map(() => true))
})

test('a long body that is refused at the gate is answered with when to retry', async () => {
  await using portal = await startPortal({ environment: { PORT: '0', PUBLIC_URL: '' } })
  const url = await portal.server.listen()
  const answers: string[] = []
  // Before the server, which waits for them.
  using sockets = new DisposableStack()
  // Bodies that do not come: as many as have places, as wait together, and some more.
  for (let number = 0; number < 140; number += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.defer(() => socket.destroy())
    socket.on('error', () => undefined).on('data', (bytes) => answers.push(String(bytes)))
    const type = 'Content-Type: application/x-www-form-urlencoded'
    socket.write(`POST /sharing/rest/search HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: 1048576\r\n\r\n`)
  }
  await until('some are refused', () => answers.length > 0)
  expect(answers[0]).toMatch(/^HTTP\/1\.1 429 /)
  expect(answers[0]).toMatch(/\r\nretry-after: 5\r\n/i)
})

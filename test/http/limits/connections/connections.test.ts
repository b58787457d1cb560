import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { cheapPasswords, startPortal } from '../../../support/portal/portal.ts'
import { scrape } from '../../../support/portal/scrape.ts'
import { until } from '../../../support/until.ts'

const health = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'

const body = 'username=admin&password=wrong'
const signIn = `POST /sharing/rest/generateToken HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`

async function startSmallPortal(limit: number, passwords = cheapPasswords) {
  const environment = { LIMIT_CONNECTIONS: String(limit), PUBLIC_URL: '', PORT: '0' }
  const portal = await startPortal({ environment, isReused: false, passwords })
  const port = Number(new URL(await portal.server.listen()).port)
  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const reached = async () =>
    (await scrape(portal.server.app)).series.get('cartulary_limits_reached_total{limit="connections"}')
  return { portal, open, reached }
}

async function isAnswered(socket: Socket, request = health): Promise<boolean> {
  socket.write(request)
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

test('a connection above the limit closes the longest silent one of the address that has most', async () => {
  const { portal, open, reached } = await startSmallPortal(3)
  await using _ = portal
  const mine = await open()
  const answered = await open('127.0.0.2')
  const silent = await open('127.0.0.2')
  expect(await isAnswered(answered)).toBe(true)
  const next = await open()
  await once(silent, 'close')
  expect(await isAnswered(next)).toBe(true)
  const other = await open('127.0.0.3')
  await once(mine, 'close')
  expect(await Promise.all([answered, next, other].map((socket) => isAnswered(socket)))).toEqual([true, true, true])
  expect(await reached()).toBe(2)
})

test('one whose request has not come whole is silent; while a request is answered on each, the new one is closed', async () => {
  const gate = Promise.withResolvers<void>()
  let asked = 0
  const { portal, open, reached } = await startSmallPortal(2, {
    ...cheapPasswords,
    async verify() {
      asked += 1
      await gate.promise
      return false
    },
  })
  await using _ = portal
  const [incomplete, first] = [await open(), await open()]
  const answers = [isAnswered(first, signIn)]
  incomplete.write(signIn.slice(0, -1))
  await until('the first is answered', () => asked === 1)
  const second = await open()
  await once(incomplete, 'close')
  answers.push(isAnswered(second, signIn))
  await until('both are answered', () => asked === 2)
  expect(await isAnswered(await open())).toBe(false)
  expect(await reached()).toBe(2)
  gate.resolve()
  expect(await Promise.all(answers)).toEqual([true, true])
  await until('there is room again', async () => isAnswered(await open()))
})

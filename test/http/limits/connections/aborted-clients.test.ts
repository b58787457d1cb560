import { Worker } from 'node:worker_threads'
import { verify } from 'argon2'
import { expect, test } from 'vitest'
import { RawConnection, requestText } from '../../../support/faults/socket.ts'
import { adminPassword, cheapPasswords, formEncode, startPortal } from '../../../support/portal/portal.ts'
import { scrape, seriesOf } from '../../../support/portal/scrape.ts'
import { until } from '../../../support/until.ts'

const environment = { PUBLIC_URL: '', PORT: '0', RATE_LIMIT_SIGN_IN_FAILURES: '3' }

function signInText(password: string): string {
  const body = formEncode({ username: 'admin', password, f: 'json' })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) }
  return requestText('POST /sharing/rest/generateToken', headers, body)
}

/** Sends a request on each of some connections and resets them, before this thread has accepted one. */
function resetBeforeAccepted(port: number, text: string, count: number): void {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const program = `
    const { workerData: { port, text, count, done } } = require('node:worker_threads')
    let left = count
    for (let connection = 0; connection < count; connection += 1) {
      const socket = require('node:net').connect(port, '127.0.0.1', () => socket.write(text, () => socket.resetAndDestroy()))
      socket.once('close', () => {
        left -= 1
        if (left > 0) return
        Atomics.store(done, 0, 1)
        Atomics.notify(done, 0)
      })
    }`
  new Worker(program, { eval: true, workerData: { port, text, count, done } }).unref()
  Atomics.wait(done, 0, 0)
}

test('a connection that was reset before its request was read gets no work done', async () => {
  let hashes = 0
  const passwords = {
    ...cheapPasswords,
    verify: (...given: Parameters<typeof cheapPasswords.verify>) => {
      hashes += 1
      return cheapPasswords.verify(...given)
    },
  }
  await using portal = await startPortal({ environment, passwords })
  const url = new URL(await portal.server.listen())
  resetBeforeAccepted(Number(url.port), signInText('wrong'), 20)
  // Accepted after all of those.
  expect((await fetch(new URL('/health/live', url))).status).toBe(200)
  await portal.admin()
  expect(hashes).toBe(1)
})

test('a failed sign-in counts if its client hangs up before the password is compared', async () => {
  let comparing = 0
  const gate = Promise.withResolvers<void>()
  const passwords = {
    ...cheapPasswords,
    async verify(password: string, hash: string | undefined) {
      comparing += 1
      await gate.promise
      return hash !== undefined && verify(hash, password)
    },
  }
  await using portal = await startPortal({ environment, passwords })
  const url = await portal.server.listen()
  let closed = 0
  portal.server.app.server.on('connection', (socket) => socket.once('close', () => (closed += 1)))
  for (let failure = 0; failure < 3; failure += 1) {
    const connection = new RawConnection(url)
    connection.answer.catch(() => undefined)
    await connection.send(signInText('wrong'))
    await until('the password is compared', () => comparing === failure + 1)
    connection.close()
  }
  await until('all clients have hung up', () => closed === 3)
  gate.resolve()
  const attempt = () => portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })
  await until('the failures are counted', async () => (await attempt()).error?.code === 429)
  const outcomes = seriesOf(await scrape(portal.server.app), 'cartulary_requests_total')
  expect(Object.keys(outcomes).filter((labels) => labels.includes('500'))).toEqual([])
})

import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { served } from '../cli/run-command.ts'
import { RawConnection, requestText } from '../support/faults/socket.ts'
import { formEncode } from '../support/portal/portal.ts'

const password = 'a long enough password'
const environment = { DATABASE_URL: 'file::memory:', ADMIN_PASSWORD: password }
const signInForm = formEncode({ username: 'admin', password })

/** A sign-in of which all but the last bytes are sent. */
async function beginSignIn(server: { readonly url: string }): Promise<RawConnection> {
  const connection = new RawConnection(server.url)
  const headers = {
    Connection: 'keep-alive',
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(signInForm.length),
  }
  await connection.send(requestText('POST /sharing/rest/generateToken', headers, signInForm.slice(0, -5)))
  // The server answers requests in the order of their arrival: the sign-in has reached it.
  await fetch(`${server.url}/health/live`)
  return connection
}

/** Resolves when nothing listens there any more. */
async function closed(url: string): Promise<void> {
  while (true) {
    try {
      await (await fetch(`${url}/health/live`, { headers: { connection: 'close' } })).text()
    } catch {
      return
    }
  }
}

test('a server that is asked to end finishes what is in flight, and takes nothing new', async () => {
  await using server = await served(environment)
  const signIn = await beginSignIn(server)
  const ended = server.stop()
  await closed(server.url)
  await signIn.send(signInForm.slice(-5))
  const { status, body } = await signIn.read()
  expect(status).toBe(200)
  expect(JSON.parse(body)).toHaveProperty('token')
  expect(await ended).toBe(0)
  expect(server.said()).not.toContain('exit')
})

test('a server that is asked to end does not wait for connections on which nothing happens', async () => {
  await using server = await served(environment)
  const silent = new RawConnection(server.url)
  const begun = new RawConnection(server.url)
  await begun.send('GET /sharing/rest HTTP/1.1\r\nHost:')
  const idle = new RawConnection(server.url)
  await idle.send(requestText('GET /health/live', { Connection: 'keep-alive' }))
  await fetch(`${server.url}/health/live`)
  expect(await server.stop()).toBe(0)
  // Where it waits, they are cut off.
  expect(server.said()).not.toContain('exit')
  await Promise.allSettled([silent.read(), begun.read(), idle.read()])
})

test('a server that is asked to end waits 10 seconds for a request that never ends, and says that it was cut off', async () => {
  await using server = await served(environment)
  const signIn = await beginSignIn(server)
  const before = server.said()
  const since = () => server.said().slice(before.length).trim()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended = server.stop()
  while (vi.getTimerCount() === 0) await setImmediate()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(since()).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  expect(since()).toBe('Requests were still running after 10 seconds and were cut off.\nexit 1')
  await signIn.send(signInForm.slice(-5))
  await Promise.all([signIn.read(), ended])
})

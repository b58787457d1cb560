import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { RawConnection, requestText } from '../support/faults/socket.ts'
import { formEncode } from '../support/portal/portal.ts'
import { Folder, serve } from '../support/portal/process.ts'

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

describe.concurrent('a process that is asked to end', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes what is in flight, takes nothing new, and ends with code 0',
    async (signal, { expect }) => {
      using folder = new Folder()
      await using server = await serve({ folder: folder.path, environment })
      const signIn = await beginSignIn(server)
      const ended = server.stop(signal)
      await closed(server.url)
      await signIn.send(signInForm.slice(-5))
      const { status, body } = await signIn.read()
      expect(status).toBe(200)
      expect(JSON.parse(body)).toHaveProperty('token')
      const { code, err } = await ended
      expect(code).toBe(0)
      expect(err).toBe('')
    },
  )

  test('does not wait for connections on which nothing happens', async ({ expect }) => {
    using folder = new Folder()
    await using server = await serve({ folder: folder.path, environment })
    const silent = new RawConnection(server.url)
    const begun = new RawConnection(server.url)
    await begun.send('GET /sharing/rest HTTP/1.1\r\nHost:')
    const idle = new RawConnection(server.url)
    await idle.send(requestText('GET /health/live', { Connection: 'keep-alive' }))
    await fetch(`${server.url}/health/live`)
    // Where it waits, it is cut off with code 1.
    const { code } = await server.stop()
    expect(code).toBe(0)
    await Promise.allSettled([silent.read(), begun.read(), idle.read()])
  })

  test('keeps what it acknowledged', async ({ expect }) => {
    using folder = new Folder()
    const onDisk = { ADMIN_PASSWORD: password }
    const categorySchema = { categorySchema: [{ title: 'Region' }] }
    {
      await using server = await serve({ folder: folder.path, environment: onDisk })
      const token = await server.signIn('admin', password)
      const assigned = await server.post('/portals/self/assignCategorySchema', { token, categorySchema })
      expect(assigned).toEqual({ success: true })
      await server.stop('SIGKILL')
    }
    await using server = await serve({ folder: folder.path, environment: onDisk })
    const token = await server.signIn('admin', password)
    expect(await server.post('/portals/self/categorySchema', { token })).toEqual(categorySchema)
  })
})

test('a server that is asked to end waits 10 seconds for a request that never ends, and says that it was cut off', async () => {
  const asked = new AbortController()
  const listening = Promise.withResolvers<string>()
  const errors: string[] = []
  const codes: number[] = []
  const ended = runCommand([], {
    environment: { ...environment, PORT: '0', LOG_LEVEL: 'silent' },
    signal: asked.signal,
    print(text) {
      const url = /is ready at (\S+),/.exec(text)?.[1]
      if (url) listening.resolve(url)
    },
    printError: (text) => errors.push(text),
    exit: (code) => codes.push(code),
  })
  const signIn = await beginSignIn({ url: await listening.promise })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  asked.abort()
  while (vi.getTimerCount() === 0) await setImmediate()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(codes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(codes).toEqual([1])
  expect(errors).toEqual(['Requests were still running after 10 seconds and were cut off.'])
  await signIn.send(signInForm.slice(-5))
  await Promise.all([signIn.read(), ended])
})

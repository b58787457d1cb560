import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTransport } from '../../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits } from '../../../../src/limits.ts'
import { random } from '../../../../src/secrets/random.ts'
import { until } from '../../../support/until.ts'

const bytes = 1_000_000
const headOf = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${bytes}\r\n\r\n`

/** A server that keeps two bodies, and connections that send one each, but for its last byte. */
async function openServer() {
  const limitCounts = countLimits()
  const settings = { trustProxy: false, logLevel: 'silent', publicUrl: undefined, allowedOrigins: [], tls: undefined }
  const limits = { ...defaultLimits, requestBytes: 2 * bytes }
  const app = await createTransport({ ...settings, limits }, { random, limitCounts })
  let received = 0
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    raw.on('data', ({ length }: Buffer) => {
      received += length
    })
    done(null, payload)
  })
  app.post('/', (_request, reply) => reply.send('done'))
  const working = { begun: 0, closed: 0 }
  app.post('/endless', ({ raw }) => {
    working.begun += 1
    raw.socket.once('close', () => {
      working.closed += 1
    })
    return new Promise(() => undefined)
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  onTestFinished(() => app.close())
  return {
    working,
    count: () => limitCounts.of('requestBytes'),
    async begin(path = '/') {
      const before = received
      const state = { answer: '', isClosed: false }
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.on('data', (part) => {
        state.answer += part
      })
      socket.on('close', () => {
        state.isClosed = true
      })
      onTestFinished(() => void socket.destroy())
      socket.write(headOf(path) + 'x'.repeat(bytes - 1))
      await until('the body is received', () => received === before + bytes - 1)
      return { state, end: () => socket.write('x'), leave: () => socket.resetAndDestroy() }
    },
  }
}

test('beyond the bytes of all bodies, the connection is closed whose body has been incomplete for the longest time', async () => {
  const { begin, count } = await openServer()
  const [first, second] = [await begin(), await begin()]
  expect(count()).toBe(0)
  const third = await begin()
  await until('the first is closed', () => first.state.isClosed)
  expect(count()).toBe(1)
  for (const { end } of [second, third]) end()
  await until('the others are answered', () => [second, third].every(({ state }) => state.answer.endsWith('done')))
  expect(first.state.answer).toBe('')
})

test('bodies that are answered do not count', async () => {
  const { begin, count } = await openServer()
  for (let times = 0; times < 5; times += 1) {
    const { state, end } = await begin()
    end()
    await until('it is answered', () => state.answer.endsWith('done'))
  }
  expect(count()).toBe(0)
})

test('whole bodies whose client has gone before the answer do not count', async () => {
  const { begin, count, working } = await openServer()
  for (let times = 1; times <= 3; times += 1) {
    const { end, leave } = await begin('/endless')
    end()
    await until('the work has begun', () => working.begun === times)
    leave()
    await until('the client has gone', () => working.closed === times)
  }
  const { state, end } = await begin()
  end()
  await until('it is answered', () => state.answer.endsWith('done'))
  expect(count()).toBe(0)
})

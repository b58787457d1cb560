import { expect, test } from 'vitest'
import { startPortal } from '../../support/portal/portal.ts'

const throughProxy = { 'x-forwarded-for': '203.0.113.7' }

test('a server that was asked to end is not ready, and answers each request as the last one of its connection', async () => {
  await using portal = await startPortal({ isReused: false })
  const { app } = portal.server
  const before = await app.inject('/sharing/rest/info?f=json')
  expect(before.headers.connection).toBe('keep-alive')
  void app.draining.drain(1_000_000, () => undefined)
  const ready = await app.inject('/health/ready')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', reason: 'The server is ending.' }])
  for (const headers of [{}, throughProxy]) {
    const answer = await app.inject({ url: '/sharing/rest/info?f=json', headers })
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  }
})

test('at its end, what a proxy may send to another server is refused, and nothing else', async () => {
  await using portal = await startPortal({ isReused: false })
  const { app } = portal.server
  void app.draining.drain(1, () => undefined)
  const ask = async (method: 'GET' | 'HEAD' | 'POST', url: string, headers: Readonly<Record<string, string>>) =>
    (await app.inject({ method, url, headers })).statusCode
  const info = '/sharing/rest/info?f=json'
  await expect.poll(() => ask('GET', info, throughProxy)).toBe(503)
  expect(await ask('GET', info, {})).toBe(200)
  expect(await ask('POST', info, throughProxy)).toBe(200)
  expect(await ask('GET', '/health/live', throughProxy)).toBe(200)
  const refusal = await app.inject({ url: info, headers: throughProxy })
  expect(refusal.headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
  expect(refusal.json()).toMatchObject({ error: { code: 503, message: 'The service is temporarily unavailable.' } })
})

test('a server that closes its port immediately refuses nothing, and waits for connections that are open', async () => {
  await using portal = await startPortal({ isReused: false })
  const { app } = portal.server
  const states: boolean[] = []
  await app.draining.drain(0, () => states.push(app.draining.isBegun()))
  expect(states).toEqual([false])
  const answer = await app.inject({ url: '/sharing/rest/info?f=json', headers: throughProxy })
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
})

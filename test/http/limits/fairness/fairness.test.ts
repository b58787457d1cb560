import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { letSendersWait } from '../../../../src/http/fairness/fairness.ts'
import { openSenders } from '../../../../src/http/fairness/sender.ts'
import { readToken } from '../../../../src/http/request/bearer-token.ts'
import { readRequestParameters } from '../../../../src/http/request/request-parameters.ts'
import { createTransport } from '../../../../src/http/transport/transport.ts'
import { countLimits, defaultLimits } from '../../../../src/limits.ts'
import { random } from '../../../../src/secrets/random.ts'
import { until } from '../../../support/until.ts'

test('a request is in progress until its answer is ready, and not until its client has read it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const dependencies = { random, limits: defaultLimits, limitCounts: countLimits() }
  const settings = { trustProxy: false, logLevel: 'silent', publicUrl: undefined, allowedOrigins: [], tls: undefined }
  const app = await createTransport({ ...settings, limits: defaultLimits }, dependencies)
  onTestFinished(() => app.close())
  const { begin } = letSendersWait(app, dependencies, async (tokenHash) => ({
    userId: tokenHash,
    username: tokenHash,
    portalId: 'portal',
  }))
  const [answering, sending] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let begun = 0
  let ready = 0
  app.get('/:user', async (request, reply) => {
    await begin(request, reply, request.headers.authorization)
    begun += 1
    await answering.promise
    return 'done'
  })
  app.addHook('onSend', async () => {
    ready += 1
    if (ready > 3) await sending.promise
  })
  const ask = (token: string) => app.inject({ url: '/', headers: { authorization: `Bearer ${token}` } })

  const first = [ask('anna'), ask('anna'), ask('anna')]
  await until('three are in progress', () => begun === 3)
  vi.advanceTimersByTime(1_000)
  answering.resolve()
  await Promise.all(first)
  const afterwards = [ask('bert'), ask('anna'), ask('anna')]
  await until('all are ready', () => ready === 6)
  expect(dependencies.limitCounts.of('requestsAtOnce')).toBe(1)
  sending.resolve()
  await Promise.all(afterwards)
})

test('a token that does not count, or was refused, makes a request one of its network', async () => {
  const owners = new Map([
    [random.hashToken('anna'), 'anna'],
    [random.hashToken('bert'), 'bert'],
  ])
  const senders = openSenders({ random }, async (tokenHash) => {
    const userId = owners.get(tokenHash)
    return userId === undefined ? undefined : { userId, username: userId, portalId: 'portal' }
  })
  const find = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const parameters = await readRequestParameters({
      query,
      contentType: undefined,
      body: undefined,
      bareBody: undefined,
    })
    const request = { raw: { url: `/?${query}` }, headers, ip: '192.0.2.1' } as unknown as FastifyRequest
    return (await senders.find(request, readToken(parameters, headers, random.hashToken).hash)).key
  }
  expect(await find('token=anna&token=bert')).toBe('bert')
  expect(await find('', { authorization: 'Bearer anna', 'x-esri-authorization': 'x' })).toBe('anna')
  expect(await find('', { 'x-esri-authorization': 'Bearer anna, Bearer anna' })).toBe('anna')
  expect(await find('token=anna', { authorization: 'Bearer bert' })).toBe('192.0.2.1')
  senders.refuse(random.hashToken('anna'))
  expect([await find('token=anna'), await find('token=bert')]).toEqual(['192.0.2.1', 'bert'])
})

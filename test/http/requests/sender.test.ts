import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { readToken } from '../../../src/http/decoding/bearer-token.ts'
import { readRequestParameters } from '../../../src/http/decoding/request-parameters.ts'
import { openSenders } from '../../../src/http/requests/sender.ts'
import { startPortal } from '../../support/portal/portal.ts'

/** Senders of a portal, and how often they have asked the storage. */
async function openPortal() {
  const portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  const [anna, bert] = [await portal.user('anna'), await portal.user('bert')]
  const { storage, random } = portal.server.dependencies
  const asked = { times: 0 }
  const read: typeof storage.read = (work, until) => {
    asked.times += 1
    return storage.read(work, until)
  }
  const clock = { now: 0 }
  const senders = openSenders({ random, storage: { ...storage, read } }, () => clock.now)

  /** The username, or the network, of a request. */
  async function find(query: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const source = { query, contentType: undefined, body: undefined, bareBody: undefined }
    const token = readToken(await readRequestParameters(source), headers, random.hashToken)
    const known = senders.findKnown('192.0.2.1', token.hash)
    const { key, user } = known ?? (await senders.ask('192.0.2.1', token.hash!))
    return user?.userId === key ? user.username : key
  }
  const peek = (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const request = { raw: { url }, headers, ip: '2001:db8::7' } as unknown as FastifyRequest
    const { key, user } = senders.peek(request)
    return user?.userId === key ? user.username : key
  }
  return { senders, clock, asked, find, peek, random, tokens: { anna: anna.token!, bert: bert.token! } }
}

test('a request is its user’s, by the token that counts; without one, or with two, its network’s', async () => {
  const { find, peek, tokens } = await openPortal()
  expect(await find(`token=${tokens.anna}?token=${tokens.bert}`)).toBe('bert')
  expect(await find('', { authorization: `Bearer ${tokens.anna}` })).toBe('anna')
  expect(await find('', { 'x-esri-authorization': `Bearer ${tokens.anna}, Bearer ${tokens.anna}` })).toBe('anna')
  expect(await find(`token=${tokens.anna}`, { authorization: `Bearer ${tokens.bert}` })).toBe('192.0.2.1')
  expect(await find('token=unknown')).toBe('192.0.2.1')
  expect(await find('')).toBe('192.0.2.1')
  // Peeking uses cached callers only: the storage is not asked before a request has its turn.
  expect(peek(`/?token=${tokens.anna}`)).toBe('anna')
  expect(peek('/?token=unknown')).toBe('2001:db8:0:0::/64')
  expect(peek('/', { authorization: `Bearer ${tokens.bert}` })).toBe('bert')
  expect(peek('/')).toBe('2001:db8:0:0::/64')
})

test('the storage is asked once for each token, and for an unknown one once in a minute', async () => {
  const { find, clock, asked, tokens } = await openPortal()
  for (let times = 0; times < 3; times += 1) await find(`token=${tokens.anna}`)
  expect(asked.times).toBe(1)
  for (let times = 0; times < 3; times += 1) await find('token=unknown')
  expect(asked.times).toBe(2)
  // Concurrent lookups of one token share one read.
  const names = await Promise.all(Array.from({ length: 20 }, () => find(`token=${tokens.bert}`)))
  expect([new Set(names), asked.times]).toEqual([new Set(['bert']), 3])
  clock.now += 60_001
  await find('token=unknown')
  expect(asked.times).toBe(4)
})

test('requests with a token that was refused are their network’s for a minute', async () => {
  const { senders, clock, find, random, tokens } = await openPortal()
  expect(await find(`token=${tokens.anna}`)).toBe('anna')
  senders.refuse(random.hashToken(tokens.anna))
  expect([await find(`token=${tokens.anna}`), await find(`token=${tokens.bert}`)]).toEqual(['192.0.2.1', 'bert'])
  clock.now += 60_001
  expect(await find(`token=${tokens.anna}`)).toBe('anna')
})

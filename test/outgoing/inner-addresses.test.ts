import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openOutgoing } from '../../src/outgoing/outgoing.ts'
import { makeCertificate } from '../support/portal/certificate.ts'
import { innerNames, spellInnerAddresses } from './spellings.ts'
import { body, openWorld, publicAddress, startReceiver, timeout } from './world.ts'

const sentence =
  /^url: (An address is like |Only https is allowed; |That is this server itself|The address of \S+ is (private|not sent to); )/

test('no spelling of an inner address is stored, and none of them is sent to: the listener sees no connection', async () => {
  await using listener = await startReceiver()
  const world = openWorld({ names: innerNames })
  const spellings = spellInnerAddresses(listener.port)
  expect(new Set(spellings).size).toBeGreaterThanOrEqual(350)
  const stored: string[] = []
  const sent: unknown[] = []
  for (const url of spellings) {
    const refusal = await world.findRefusal(url)
    if (refusal === undefined || !sentence.test(refusal)) stored.push(`${url}: ${refusal}`)
    const outcome = await world.post(url)
    if (!('failure' in outcome) || outcome.failure !== 'address not allowed') sent.push({ url, outcome })
  }
  expect([stored, sent, world.dialled, listener.connections]).toEqual([[], [], [], 0])
})

test('names of this machine are looked up by the system, and refused by both gates', async () => {
  await using listener = await startReceiver()
  const refused = { publicUrl: 'https://maps.example.com', ports: [], services: [] }
  const { allowedHosts } = readConfig({}).webhooks
  const outgoing = openOutgoing({ allowedHosts, refused })
  const url = `https://localhost:${listener.port}/`
  expect(await outgoing.findRefusal(url)).toBe(
    'url: The address of localhost is not sent to; the setting WEBHOOK_ALLOWED_HOSTS has to name it exactly.',
  )
  const outcome = await outgoing.post({ url, headers: {}, body: Buffer.from(body), timeout })
  expect([outcome, listener.connections]).toEqual([{ failure: 'address not allowed', tookMs: expect.any(Number) }, 0])
})

test.each(['127.0.0.1', '10.0.0.1', '::1', '64:ff9b::a00:1'])(
  'a name that is public when it is stored and %s when it is sent to is not connected to',
  async (inner) => {
    await using listener = await startReceiver()
    const answers = [[publicAddress], [publicAddress, inner]]
    const world = openWorld({ names: { 'hook.example.com': () => answers.shift()! } })
    const url = `https://hook.example.com:${listener.port}/`
    expect(await world.findRefusal(url)).toBeUndefined()
    expect(await world.post(url)).toMatchObject({ failure: 'address not allowed' })
    expect([world.dialled, listener.connections]).toEqual([[], 0])
  },
)

test('a name that changes between gate and connection is connected to at the address that was judged', async () => {
  const certificate = makeCertificate('hook.example.com')
  await using receiver = await startReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nthanks'), certificate)
  const answers = [[publicAddress], ['127.0.0.1'], ['127.0.0.1']]
  const names = { 'hook.example.com': () => answers.shift()! }
  const world = openWorld({ names, authorities: certificate.cert })
  const outcome = await world.post(`https://hook.example.com:${receiver.port}/`)
  expect([outcome, world.asked, world.dialled]).toEqual([
    { status: 200, text: 'thanks', retryAfter: undefined, tookMs: 0 },
    ['hook.example.com'],
    [publicAddress],
  ])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { readAuthorities } from '../../src/outgoing/outgoing.ts'
import { type Certificate, makeCertificate } from '../support/portal/certificate.ts'
import { until } from '../support/until.ts'
import { openWorld, publicAddress, startReceiver, timeout } from './world.ts'

const name = 'hook.example.com'
const names = { [name]: [publicAddress] }
const right = makeCertificate(name)
const answerWith = (bytes: string | Buffer) => (socket: Socket) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n')
  socket.end(bytes)
}

/** Sends by https to a receiver with such a certificate. */
async function sendTo(answer: (socket: Socket) => void, certificate: Certificate | undefined, authorities?: string) {
  const world = openWorld({ names, ...(authorities && { authorities }) })
  await using receiver = await startReceiver(answer, certificate)
  const outcome = await world.post(`https://${name}:${receiver.port}/`)
  await until('the connection is closed', () => receiver.openSockets === 0)
  return { outcome, received: receiver.received }
}

describe('a certificate', () => {
  test('of a further authority is trusted', async () => {
    const { outcome, received } = await sendTo(answerWith('thanks'), right, `${makeCertificate('x').cert}${right.cert}`)
    expect(outcome).toEqual({ status: 200, text: 'thanks', retryAfter: undefined, tookMs: 0 })
    expect(received).toContain(`host: ${name}:`)
  })

  const other = makeCertificate('other.example.com')
  const expired = makeCertificate(name, '200101', '210101')
  test.each([
    ['of no authority', right, undefined],
    ['of another authority', right, makeCertificate(name).cert],
    ['for another name', other, other.cert],
    ['of other days', expired, expired.cert],
  ])('%s is not trusted, and nothing is sent', async (_what, certificate, authorities) => {
    const { outcome, received } = await sendTo(answerWith(''), certificate, authorities)
    expect([outcome, received]).toEqual([{ failure: 'certificate not trusted', tookMs: 0 }, ''])
  })

  test('counts also where the environment says that none does', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { outcome } = await sendTo(answerWith(''), right).finally(() => vi.unstubAllEnvs())
    expect(outcome).toMatchObject({ failure: 'certificate not trusted' })
  })
})

test.each([
  ['speaks no TLS', 'answer not understood', undefined, (socket: Socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n')],
  ['resets the handshake', 'no connection', undefined, (socket: Socket) => socket.resetAndDestroy()],
  ['closes behind the handshake', 'no connection', right, (socket: Socket) => socket.end()],
  ['answers garbage', 'answer not understood', right, (socket: Socket) => socket.end('220 mail.example.com ESMTP\r\n')],
])('a receiver that %s fails: %s', async (_what, failure, certificate, answer) => {
  expect((await sendTo(answer, certificate, right.cert)).outcome).toMatchObject({ failure })
})

test('a handshake that is not answered fails in time, and is closed', async () => {
  const world = openWorld({ names })
  await using receiver = await startReceiver(() => world.clock.pass(timeout))
  const outcome = await world.post(`https://${name}:${receiver.port}/`)
  expect(outcome).toEqual({ failure: 'no answer in time', tookMs: timeout })
  await until('the connection is closed', () => receiver.openSockets === 0)
})

describe('the text of an answer', () => {
  test.each([
    ['is kept to 256 bytes', 'x'.repeat(5_000), 'x'.repeat(256)],
    ['ends with a whole character', `x${'é'.repeat(200)}`, `x${'é'.repeat(127)}`],
    ['ends with a whole character of four bytes', `xx${'🗺'.repeat(100)}`, `xx${'🗺'.repeat(63)}`],
    ['is short where bytes are no text', Buffer.alloc(300, 0xff), '\u{fffd}'.repeat(85)],
    ['has no U+0000', 'a\u{0}b', 'a\u{fffd}b'],
    ['may be empty', '', ''],
  ])('%s', async (_what, body, text) => {
    const { outcome } = await sendTo(answerWith(body), right, right.cert)
    expect(outcome).toMatchObject({ status: 200, text })
  })

  test.each([name, `${publicAddress},10.0.0.0/8`])(
    'is not kept where WEBHOOK_ALLOWED_HOSTS names the host: %s',
    async (allowed) => {
      await using receiver = await startReceiver(answerWith('inner'), right)
      const world = openWorld({ names: { [name]: [publicAddress, '10.0.0.1'] }, allowed, authorities: right.cert })
      const outcome = await world.post(`https://${name}:${receiver.port}/`)
      expect(outcome).toEqual({ status: 200, text: undefined, retryAfter: undefined, tookMs: 0 })
    },
  )
})

describe('WEBHOOK_CA_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('gives its certificates, without texts between them', () => {
    const file = join(folder, 'two.pem')
    writeFileSync(file, `# Two\n${right.cert}\n# and\n${makeCertificate('x').cert}`)
    expect(readAuthorities(file).match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  })

  test.each([
    ['has no certificate', 'no certificate'],
    ['has a malformed one', `${right.cert}${right.cert.replace(/^MI/m, 'XX')}`],
    ['has a key', right.key],
    ['is not there', undefined],
  ])('is refused in a sentence where it %s', (_what, text) => {
    const file = join(folder, text === undefined ? 'nowhere.pem' : 'wrong.pem')
    if (text !== undefined) writeFileSync(file, text)
    expect(() => readAuthorities(file)).toThrow(`WEBHOOK_CA_FILE is ${file}, which has no certificates in PEM: `)
  })
})

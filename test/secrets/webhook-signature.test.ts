import { expect, test } from 'vitest'
import { createWebhookSecret, signDelivery } from '../../src/secrets/webhook-signature.ts'
import { version } from '../../src/version.ts'

const made = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const own = 'mein schönes Geheimnis'
/** The signatures were made by openssl. */
const body = Buffer.from('{"events":[],"s":"é"}')
const delivery = { id: 'msg_1', attempt: 2, now: 1_764_500_000_999, body } as const

test('the example of Standard Webhooks has its signature', () => {
  const headers = signDelivery({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    attempt: 1,
    now: 1_614_265_330_000,
    body: Buffer.from('{"test": 2432232314}'),
    secrets: [made],
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('the headers have id, attempt, seconds and both signatures, and never the secret', () => {
  const headers = signDelivery({ ...delivery, secrets: [made, own] })
  expect(Object.entries(headers)).toEqual([
    ['content-type', 'application/json'],
    ['content-length', '22'],
    ['user-agent', `Cartulary/${version}`],
    ['webhook-id', 'msg_1'],
    ['webhook-timestamp', '1764500000'],
    [
      'webhook-signature',
      'v1,MyR7N6hkTkKzP5/3BOkSB6esQix5QPaDJETHeBbruUw= v1,Tid9NtxYTwEq1RroPCXx9ZAIOM8qNQD5lcTOeT3YRUU=',
    ],
    ['webhook-attempt', '2'],
    ['x-esriHook-Signature', 'sha256=MO2UNV3Ve4UG8nWS3nepK+RKZsRR7Xz3NJLdlYCssZA='],
  ])
  expect(JSON.stringify(headers)).not.toContain(made.slice(6))
})

test('an own secret signs by its UTF-8, and the newer one signs x-esriHook-Signature', () => {
  expect(signDelivery({ ...delivery, secrets: [own] })).toMatchObject({
    'webhook-signature': 'v1,Tid9NtxYTwEq1RroPCXx9ZAIOM8qNQD5lcTOeT3YRUU=',
    'x-esriHook-Signature': 'sha256=LNcMXhHMg3s3aWKbiM+Qo1HR7Q9bnolLaeiroFD5PTw=',
  })
  expect(signDelivery({ ...delivery, secrets: [own, made] })['webhook-signature']).toBe(
    'v1,Tid9NtxYTwEq1RroPCXx9ZAIOM8qNQD5lcTOeT3YRUU= v1,MyR7N6hkTkKzP5/3BOkSB6esQix5QPaDJETHeBbruUw=',
  )
})

test('a secret that is made has 32 random bytes in base64', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()] as const
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
  expect(secrets[0]).not.toBe(secrets[1])
  expect(signDelivery({ ...delivery, secrets })['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
})

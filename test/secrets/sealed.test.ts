import { hash } from 'node:crypto'
import fc from 'fast-check'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { openSeal, SealBroken } from '../../src/secrets/sealed.ts'
import { sealInEarlierForm } from '../support/inputs/earlier-seal.ts'

const secret = 'a secret that is long enough for a key'
const other = 'another secret, just as long as the first'
const key = hash('sha256', secret, 'buffer')

/** A text that was sealed under `secret` by the first version, taken from its database. */
const sealedByFirstVersion = 'ez0g1vFuxbfNw7s5DdaBzBVueiaFncrlzVF7VyrArTzp6PwduGwf'

const forms = [
  ['a sealed text', (text: string, by = secret) => openSeal(by).seal(text)],
  ['a text sealed in the earlier form', async (text: string, by = secret) => sealInEarlierForm(by, text)],
] as const

describe.each(forms)('%s', (_form, seal) => {
  test('opens again, whatever it is', async () => {
    const { open } = openSeal(secret)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        expect(await open(await seal(text))).toBe(text)
      }),
    )
  })

  test('opens under its own secret, as the present one or the previous one, and under no other', async () => {
    const sealed = await seal('private key')
    expect(await openSeal(secret).open(sealed)).toBe('private key')
    expect(await openSeal(secret, other).open(sealed)).toBe('private key')
    expect(await openSeal(other, secret).open(sealed)).toBe('private key')
    await expect(openSeal(`${secret} `).open(sealed)).rejects.toThrow(SealBroken)
    await expect(openSeal(other, `${secret} `).open(sealed)).rejects.toThrow(SealBroken)
  })

  test('differs each time, and cannot be read', async () => {
    const texts = await Promise.all(Array.from({ length: 50 }, () => seal('private key')))
    expect(new Set(texts).size).toBe(50)
    for (const text of texts) {
      expect(text).toMatch(/^[A-Za-z0-9_.-]+$/)
      for (const part of text.split('.')) expect(Buffer.from(part, 'base64url').includes('private')).toBe(false)
    }
  })

  test.each(['private key', ''])('of %j does not open with any byte altered', async (text) => {
    const { open } = openSeal(secret)
    const parts = (await seal(text)).split('.').map((part) => Buffer.from(part, 'base64url'))
    for (const [place, part] of parts.entries()) {
      for (let at = 0; at < part.length; at += 1) {
        const altered = parts.map((bytes) => Buffer.from(bytes))
        altered[place]![at]! ^= 1
        const sealed = altered.map((bytes) => bytes.toString('base64url')).join('.')
        await expect(open(sealed), `byte ${at} of part ${place}`).rejects.toThrow(SealBroken)
      }
    }
  })

  test.each(['private key', ''])('of %j does not open with its end cut off', async (text) => {
    const { open } = openSeal(secret)
    const sealed = await seal(text)
    // Fewer than eight bits less are no byte less.
    for (let length = 0; length < sealed.length - 1; length += 1) {
      await expect(open(sealed.slice(0, length)), `${length} characters`).rejects.toThrow(SealBroken)
    }
  })
})

test('a text that the first version sealed opens', async () => {
  expect(await openSeal(secret).open(sealedByFirstVersion)).toBe('private key')
})

test('a sealed text is a compact JWE that says its form and its key, and that any implementation decrypts', async () => {
  const sealed = await openSeal(secret).seal('private key')
  expect(decodeProtectedHeader(sealed)).toEqual({
    alg: 'dir',
    enc: 'A256GCM',
    typ: 'cartulary-sealed-v1+jwe',
    kid: '652e3135e36400fb',
  })
  const { plaintext } = await compactDecrypt(sealed, key)
  expect(new TextDecoder().decode(plaintext)).toBe('private key')
})

describe('the key id', () => {
  const idOf = async (text: string) => decodeProtectedHeader(await openSeal(text).seal('private key')).kid

  test('is the same for the same secret, and another one for another secret', async () => {
    expect(await idOf(secret)).toBe(await idOf(secret))
    expect(await idOf(other)).not.toBe(await idOf(secret))
  })

  test('shows no part of the secret, of the key, or of a plain digest of either', async () => {
    const id = (await idOf(secret))!
    for (const known of [secret, key, hash('sha256', key, 'buffer'), hash('sha512', secret, 'buffer')]) {
      expect(Buffer.from(known).toString('hex')).not.toContain(id)
    }
  })
})

describe('a text is current', () => {
  test('if it is sealed under the present secret with its key id', async () => {
    const seal = openSeal(secret, other)
    expect(seal.isCurrent(await seal.seal('private key'))).toBe(true)
    expect(seal.isCurrent(await openSeal(secret).seal('private key'))).toBe(true)
  })

  test('and not if it is sealed under the previous one, in the earlier form, or not at all', async () => {
    const seal = openSeal(secret, other)
    const texts = [await openSeal(other).seal('private key'), sealInEarlierForm(secret, 'private key'), '', 'x.y.z']
    expect(texts.map(seal.isCurrent)).toEqual([false, false, false, false])
  })
})

test.each(['', 'x', 'no seal at all', '🗺', '....', 'a.b.c.d.e', '..', `${btoa('{}')}....`])(
  '%j does not open',
  async (text) => {
    await expect(openSeal(secret).open(text)).rejects.toThrow(SealBroken)
  },
)

test.each([
  ['another algorithm of the content', { enc: 'A128CBC-HS256' }],
  ['another form', { typ: 'cartulary-sealed-v2+jwe' }],
  ['no form', { typ: undefined }],
  ['another key id', { kid: '0123456789abcdef' }],
  ['no key id', { kid: undefined }],
])('what is encrypted under the very key, but with %s, does not open', async (_what, change) => {
  const seal = openSeal(secret)
  const header = decodeProtectedHeader(await seal.seal('private key')) as { alg: string; enc: string }
  const encrypt = (changed: object) =>
    new CompactEncrypt(Buffer.from('private key')).setProtectedHeader({ ...header, ...changed }).encrypt(key)
  expect(await seal.open(await encrypt({}))).toBe('private key')
  await expect(seal.open(await encrypt(change))).rejects.toThrow(SealBroken)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSeal, SealBroken } from '../../src/secrets/sealed.ts'

const secret = 'a secret that is long enough for a key'

test('what is sealed opens again, whatever it is', () => {
  const seal = openSeal(secret)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(seal.open(seal.seal(text))).toBe(text)
    }),
  )
})

test('another seal of the same secret opens it, one of another secret does not', () => {
  const sealed = openSeal(secret).seal('private key')
  expect(openSeal(secret).open(sealed)).toBe('private key')
  expect(() => openSeal(`${secret} `).open(sealed)).toThrow(SealBroken)
})

test('the same text is sealed differently each time, and cannot be read in it', () => {
  const seal = openSeal(secret)
  const texts = Array.from({ length: 50 }, () => seal.seal('private key'))
  expect(new Set(texts).size).toBe(50)
  for (const text of texts) {
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(Buffer.from(text, 'base64url').includes('private')).toBe(false)
  }
})

test('whichever byte is altered, it does not open', () => {
  const seal = openSeal(secret)
  const bytes = Buffer.from(seal.seal('private key'), 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes)
    altered[at]! ^= 1
    expect(() => seal.open(altered.toString('base64url')), `byte ${at}`).toThrow(SealBroken)
  }
})

test.each(['private key', ''])('whatever is cut off from %j, it does not open', (text) => {
  const seal = openSeal(secret)
  const bytes = Buffer.from(seal.seal(text), 'base64url')
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => seal.open(bytes.subarray(0, length).toString('base64url')), `${length} bytes`).toThrow(SealBroken)
  }
})

test.each(['', 'x', 'no seal at all', '🗺'])('%j does not open', (text) => {
  expect(() => openSeal(secret).open(text)).toThrow(SealBroken)
})

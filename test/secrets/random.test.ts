import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { random } from '../../src/secrets/random.ts'

test.each([
  ['id', () => random.id(), /^[0-9a-f]{32}$/],
  ['shortId', () => random.shortId(), /^[A-Za-z0-9]{16}$/],
  ['token', () => random.token(), /^[A-Za-z0-9_-]{43}$/],
] as const)('%s has its documented shape, and comes but once', (_name, draw, shape) => {
  const drawn = Array.from({ length: 2000 }, draw)
  expect(new Set(drawn).size).toBe(drawn.length)
  for (const text of drawn) expect(text).toMatch(shape)
})

test('every letter and digit turns up in short ids about as often as any other', () => {
  const counts = new Map<string, number>()
  for (let time = 0; time < 4000; time += 1) {
    for (const letter of random.shortId()) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  const expected = (4000 * 16) / 62
  expect(counts.size).toBe(62)
  // Ten standard deviations: a fair draw never gets there, a biased one does.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(10 * Math.sqrt(expected))
})

test('a token is remembered by its SHA-256 in lower-case hex', () => {
  expect(random.hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  const token = random.token()
  expect(random.hashToken(token)).toBe(createHash('sha256').update(token).digest('hex'))
})

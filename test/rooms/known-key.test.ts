import { expect, test } from 'vitest'
import { findKeyProblem, judgeKey, type KnownKey } from '../../src/collaborations/known-key.ts'

const known: KnownKey = {
  portalId: 'PortalOfSeas0002',
  signerPortalId: 'PortalOfMaps0001',
  fingerprint: 'f'.repeat(43),
  knownSince: 1_768_478_400_000,
}
const other = 'g'.repeat(43)

test('a key is new, known, or another than the known one', () => {
  expect(judgeKey(undefined, other)).toEqual({ state: 'new' })
  expect(judgeKey(known, known.fingerprint)).toEqual({ state: 'known', known })
  expect(judgeKey(known, other)).toEqual({ state: 'changed', known })
})

test.each([
  ['Host', 'host'],
  ['Guest', 'guest'],
] as const)('only another key of a %s is a problem, in one sentence with both fingerprints', (role, word) => {
  expect(findKeyProblem(role, other, judgeKey(undefined, other))).toBeUndefined()
  expect(findKeyProblem(role, known.fingerprint, judgeKey(known, known.fingerprint))).toBeUndefined()
  expect(findKeyProblem(role, other, judgeKey(known, other))).toBe(
    `The ${word} is known by the key ${known.fingerprint}, and this file is signed by the key ${other}: ` +
      `ask the ${word} for its fingerprint, and give acceptNewKey=true if that is the new one.`,
  )
})

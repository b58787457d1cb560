import { expect, test } from 'vitest'
import { compareKeys } from '../../../pages/src/collaborations/partner-files/key-comparison.ts'

const signer = { portalId: 'fish', fingerprint: 'new', fingerprintHex: '00ff' }
const before = { fingerprint: 'old', fingerprintHex: '0aaa', since: 7 }
const atUrl = { portalId: 'seas', fingerprint: 'there', fingerprintHex: '0bbb', since: 3 }
const ofFile = { of: 'signer', ...signer }

test('a signer that is not known, or by this key, has no other key beside it', () => {
  expect(compareKeys({ state: 'new' }, signer)).toEqual({ kind: 'new' })
  expect(compareKeys({ state: 'known', ...before }, signer)).toEqual({ kind: 'known', since: 7 })
})

test('another key of the same portal stands beside the one before', () => {
  expect(compareKeys({ state: 'changed', ...before }, signer)).toEqual({
    kind: 'otherKey',
    keys: [{ of: 'signerBefore', portalId: 'fish', ...before }, ofFile],
  })
})

test('of another portal at a known URL, both portals are named, and nothing is known of the signer', () => {
  expect(compareKeys({ state: 'changed', atUrl }, signer)).toEqual({
    kind: 'otherPortal',
    known: 'seas',
    hasOtherKey: false,
    keys: [{ of: 'portalAtUrl', ...atUrl }, ofFile],
  })
})

test('such a portal that is known elsewhere by this key has no key before, by another one it has', () => {
  const known = { ...before, fingerprint: signer.fingerprint }
  expect(compareKeys({ state: 'changed', ...known, atUrl }, signer)).toMatchObject({
    hasOtherKey: false,
    keys: [{ of: 'portalAtUrl' }, { of: 'signer' }],
  })
  expect(compareKeys({ state: 'changed', ...before, atUrl }, signer)).toEqual({
    kind: 'otherPortal',
    known: 'seas',
    hasOtherKey: true,
    keys: [{ of: 'portalAtUrl', ...atUrl }, { of: 'signerBefore', portalId: 'fish', ...before }, ofFile],
  })
})

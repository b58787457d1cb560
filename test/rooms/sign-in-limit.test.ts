import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/limits.ts'
import { findSignInRefusal, type SignInFailure, type SignInSource } from '../../src/tokens/sign-in-limit.ts'

const minute = 60_000
const now = 1_000 * minute
const limit = { failures: 10, minutes: 15 }
const other = 'https://other.example'

interface Given extends Partial<SignInSource> {
  readonly isKnown?: boolean
}

/** The limit that refuses a sign-in to anna's account from an address, and when the next attempt is allowed. */
function refusalOf(failures: readonly SignInFailure[], { isKnown = false, ...given }: Given = {}) {
  const source = { accountKey: 'anna', address: 'here', crossSiteOrigin: undefined, ...given }
  const counted = failures.filter(({ crossSiteOrigin }) => !crossSiteOrigin === !source.crossSiteOrigin)
  const ofAccount = counted.filter(({ accountKey }) => accountKey === source.accountKey)
  const ofAddress = counted.filter(({ address }) => address === source.address)
  const refusal = findSignInRefusal(source, { ofAccount, ofAddress }, isKnown, limit, defaultLimits, now)
  return refusal && [refusal.limit, refusal.freeAt - now]
}

/** Failures, one a second, the last one a number of milliseconds ago. */
function failures(count: number, given: (number: number) => Partial<SignInFailure> = () => ({}), ago = 0) {
  return Array.from({ length: count }, (_, number) => ({
    accountKey: 'anna',
    address: 'here',
    crossSiteOrigin: undefined,
    failedAt: now - ago - (count - 1 - number) * 1_000,
    ...given(number),
  }))
}

test('ten failures for an account from an address', () => {
  expect(refusalOf(failures(9))).toBeUndefined()
  expect(refusalOf(failures(10))).toEqual(['signInFailures', 15 * minute - 9_000])
  expect(refusalOf(failures(10), { isKnown: true })).toEqual(['signInFailures', 15 * minute - 9_000])
  expect(refusalOf(failures(10), { address: 'there' })).toBeUndefined()
  expect(refusalOf(failures(10), { accountKey: 'bert' })).toBeUndefined()
})

test('fifty failures for an account from all addresses: then one attempt in ten seconds from addresses not known', () => {
  const fromAnywhere = (number: number) => ({ address: `address ${number}` })
  expect(refusalOf(failures(49, fromAnywhere))).toBeUndefined()
  expect(refusalOf(failures(50, fromAnywhere))).toEqual(['signInFailuresOfAccount', 10_000])
  expect(refusalOf(failures(50, fromAnywhere, 9_999))).toEqual(['signInFailuresOfAccount', 1])
  expect(refusalOf(failures(50, fromAnywhere, 10_000))).toBeUndefined()
  expect(refusalOf(failures(5_000, fromAnywhere), { isKnown: true })).toBeUndefined()
  expect(refusalOf(failures(50, fromAnywhere), { accountKey: 'bert' })).toBeUndefined()
})

test('a hundred failures of an address for all accounts', () => {
  const ofAnyone = (number: number) => ({ accountKey: `account ${number}` })
  expect(refusalOf(failures(99, ofAnyone))).toBeUndefined()
  expect(refusalOf(failures(100, ofAnyone))).toEqual(['signInFailuresOfAddress', 15 * minute - 99_000])
  expect(refusalOf(failures(100, ofAnyone), { isKnown: true })).toBeUndefined()
  expect(refusalOf(failures(100, ofAnyone), { address: 'there' })).toBeUndefined()
})

test('five failures by pages of another origin refuse these, and nothing else', () => {
  const crossSite = () => ({ crossSiteOrigin: other })
  expect(refusalOf(failures(4, crossSite), { crossSiteOrigin: other })).toBeUndefined()
  expect(refusalOf(failures(5, crossSite), { crossSiteOrigin: other, isKnown: true })?.[0]).toBe(
    'crossSiteSignInFailures',
  )
  const ofAnyone = (number: number) => ({ crossSiteOrigin: other, accountKey: `account ${number}` })
  expect(refusalOf(failures(5, ofAnyone), { crossSiteOrigin: other })?.[0]).toBe('crossSiteSignInFailures')
  expect(refusalOf(failures(5, crossSite), { crossSiteOrigin: 'https://third.example' })).toBeUndefined()
  expect(refusalOf(failures(5, crossSite), { crossSiteOrigin: other, address: 'there' })).toBeUndefined()
  expect(refusalOf(failures(1_000, crossSite))).toBeUndefined()
})

test('a program that invents an origin for each attempt is limited all the same', () => {
  const invented = (number: number) => ({ crossSiteOrigin: `https://${number}.example` })
  expect(refusalOf(failures(10, invented), { crossSiteOrigin: other })?.[0]).toBe('signInFailures')
  const elsewhere = (number: number) => ({ ...invented(number), address: `address ${number}` })
  expect(refusalOf(failures(50, elsewhere), { crossSiteOrigin: other })?.[0]).toBe('signInFailuresOfAccount')
  const ofAnyone = (number: number) => ({ ...invented(number), accountKey: `account ${number}` })
  expect(refusalOf(failures(100, ofAnyone), { crossSiteOrigin: other })?.[0]).toBe('signInFailuresOfAddress')
})

test('no failures of others, however many, refuse an owner at an address from which he signed in', () => {
  const failure = fc.record({
    accountKey: fc.constantFrom('anna', 'bert'),
    address: fc.constantFrom('here', 'there', 'elsewhere'),
    crossSiteOrigin: fc.constantFrom(undefined, other),
    failedAt: fc.integer({ min: now - 15 * minute + 1, max: now }),
  })
  fc.assert(
    fc.property(fc.array(failure, { maxLength: 300 }), (all) => {
      const own = ({ accountKey, address, crossSiteOrigin }: SignInFailure) =>
        accountKey === 'anna' && address === 'here' && crossSiteOrigin === undefined
      const ofOthers = all.filter((each) => !own(each)).toSorted((one, two) => one.failedAt - two.failedAt)
      expect(refusalOf(ofOthers, { isKnown: true })).toBeUndefined()
    }),
  )
})

test('the bucket of a limit is that of what is counted together', () => {
  const bucketOf = (given: Partial<SignInSource>, all: readonly SignInFailure[]) => {
    const source = { accountKey: 'anna', address: 'here', crossSiteOrigin: undefined, ...given }
    return findSignInRefusal(source, { ofAccount: all, ofAddress: all }, false, limit, defaultLimits, now)?.bucket
  }
  const same = bucketOf({}, failures(10))
  expect(bucketOf({}, failures(20))).toBe(same)
  const crossSite = failures(10, () => ({ crossSiteOrigin: other }))
  expect(bucketOf({ crossSiteOrigin: other }, crossSite)).not.toBe(same)
  expect(bucketOf({ address: 'there' }, failures(100))).not.toBe(same)
})

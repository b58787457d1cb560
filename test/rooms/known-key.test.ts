import { expect, test } from 'vitest'
import { addressOf } from '../../src/collaborations/known-address.ts'
import { findKeyProblem, judgeKey, type KnownKey } from '../../src/collaborations/known-key.ts'

const known: KnownKey = {
  portalId: 'PortalOfSeas0002',
  signerPortalId: 'PortalOfMaps0001',
  fingerprint: 'f'.repeat(43),
  knownSince: 1_768_478_400_000,
}
const other = 'g'.repeat(43)
const url = 'https://maps.example.com'
const neighbour: KnownKey = { ...known, signerPortalId: 'PortalOfLakes003', fingerprint: 'h'.repeat(43) }

function claim(fingerprint: string, signerPortalId = known.signerPortalId) {
  return { signerPortalId, fingerprint, url }
}

test('a signer is new, known, or known by another key', () => {
  expect(judgeKey(claim(other), undefined, [])).toEqual({ state: 'new' })
  expect(judgeKey(claim(known.fingerprint), known, [])).toEqual({ state: 'known', known })
  expect(judgeKey(claim(other), known, [known])).toEqual({ state: 'changed', known })
})

test('a URL at which only others are known is another change, whether the signer is known or not', () => {
  expect(judgeKey(claim(other, 'PortalOfSwamps04'), undefined, [known, neighbour])).toEqual({
    state: 'changed',
    atUrl: known,
  })
  expect(judgeKey(claim(known.fingerprint), known, [neighbour])).toEqual({ state: 'changed', known, atUrl: neighbour })
  expect(judgeKey(claim(known.fingerprint), known, [neighbour, known])).toEqual({ state: 'known', known })
})

test.each([
  ['Host', 'host'],
  ['Guest', 'guest'],
] as const)('what is known otherwise of a %s is a problem, in one sentence with all fingerprints', (role, word) => {
  const problem = (...[given, before, here]: Parameters<typeof judgeKey>) =>
    findKeyProblem(role, given, judgeKey(given, before, here))
  expect(problem(claim(other), undefined, [])).toBeUndefined()
  expect(problem(claim(known.fingerprint), known, [known])).toBeUndefined()
  expect(problem(claim(other), known, [known])).toBe(
    `The ${word} is known by the key ${known.fingerprint}, and this file is signed by the key ${other}: ` +
      `ask the ${word} for its fingerprint, and give acceptNewKey=true if that is the new one.`,
  )
  const there = `At ${url}, the portal PortalOfLakes003 is known by the key ${neighbour.fingerprint}, and this file is of the portal `
  const advice = `ask the ${word} for its id and fingerprint, and give acceptNewKey=true if they are these.`
  expect(problem(claim(known.fingerprint), known, [neighbour])).toBe(
    `${there}PortalOfMaps0001, and signed by the key ${known.fingerprint}: ${advice}`,
  )
  expect(problem(claim(other), known, [neighbour])).toBe(
    `${there}PortalOfMaps0001, which is known by the key ${known.fingerprint}, and signed by the key ${other}: ${advice}`,
  )
})

test.each([
  'https://maps.example.com/portal',
  'http://maps.example.com/portal',
  'https://MAPS.example.com:443/portal/',
  'https://maps.example.com:80/Portal',
  'https://maps.example.com./portal//',
  'https://maps.example.com/%70ortal',
  'https://maps.example.com/portal/sharing/rest',
  'https://maps.example.com/portal/home/',
])('%s is one address', (spelling) => {
  expect(addressOf(spelling)).toBe('maps.example.com/portal')
})

test.each([
  ['https://maps.example.com', 'maps.example.com'],
  ['https://maps.example.com/home', 'maps.example.com'],
  ['https://maps.example.com//home/index.html', 'maps.example.com'],
  ['http://localhost:7080', 'localhost:7080'],
  ['https://[::1]:8443/a%2', '[::1]:8443/a%2'],
  ['https://münchen.example/Ä', 'xn--mnchen-3ya.example/ä'],
  ['http://maps.example.org.', 'maps.example.org'],
  ['https://maps.example.org:80', 'maps.example.org'],
  ['https://maps.example.org:7443//My%20Portal', 'maps.example.org:7443/my portal'],
  ['https://maps.example.org/to/http://other', 'maps.example.org/to/http:/other'],
])('the address of %s is %s', (url, address) => {
  expect(addressOf(url)).toBe(address)
})

import { expect, test } from 'vitest'
import { findCrossSiteOrigin } from '../../../src/http/decoding/cross-site.ts'

const publicUrl = 'https://maps.example.com/portal'
const other = 'https://other.example'

test.each([
  [{}, undefined],
  [{ origin: 'https://maps.example.com' }, undefined],
  [{ origin: 'https://maps.example.com', 'sec-fetch-site': 'same-origin' }, undefined],
  [{ 'sec-fetch-site': 'same-origin' }, undefined],
  [{ 'sec-fetch-site': 'none' }, undefined],
  [{ origin: other }, other],
  [{ origin: other, 'sec-fetch-site': 'cross-site' }, other],
  [{ origin: 'https://apps.example.com', 'sec-fetch-site': 'same-site' }, 'https://apps.example.com'],
  [{ origin: 'http://maps.example.com' }, 'http://maps.example.com'],
  [{ origin: 'null' }, 'null'],
  [{ 'sec-fetch-site': 'cross-site' }, 'null'],
  [{ 'sec-fetch-site': 'same-site' }, 'null'],
  [{ origin: 'x'.repeat(10_000) }, 'x'.repeat(270)],
])('%j comes from %s', (headers, origin) => {
  expect(findCrossSiteOrigin(headers, publicUrl, undefined)).toBe(origin)
})

test('an origin that is allowed by name is not another one', () => {
  const headers = { origin: other, 'sec-fetch-site': 'cross-site' }
  expect(findCrossSiteOrigin(headers, publicUrl, [other])).toBeUndefined()
  expect(findCrossSiteOrigin(headers, publicUrl, ['https://third.example'])).toBe(other)
})

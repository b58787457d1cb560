import { expect, test } from 'vitest'
import { hasShape } from '../../src/collaborations/shape.ts'

const id = '0123456789abcdef'.repeat(2)
const shape = { id: 'id', portal: 'portalId', name: 'text', at: 'time', parts: [{ name: 'text' }] } as const
const good = { id, portal: 'PortalOfMaps0001', name: '', at: 0, parts: [] }

test.each<object>([
  good,
  { ...good, name: 'Ålesund 🗺\n' },
  { ...good, at: Number.MAX_SAFE_INTEGER },
  { ...good, parts: [{ name: 'a' }, { name: 'b' }] },
])('%o has the shape', (value) => {
  expect(hasShape(value, shape)).toBe(true)
})

test.each<unknown>([
  undefined,
  null,
  'text',
  [],
  [good],
  {},
  { ...good, more: 1 },
  { ...good, id: undefined },
  { ...good, id: id.toUpperCase() },
  { ...good, id: id.slice(1) },
  { ...good, id: `${id}0` },
  { ...good, id: `${id}\n` },
  { ...good, id: [id] },
  { ...good, portal: 'PortalOfMaps001' },
  { ...good, portal: 'PortalOfMaps00001' },
  { ...good, portal: 'PortalOfMaps-001' },
  { ...good, portal: 'PortalOfMaps0001\n' },
  { ...good, name: 1 },
  { ...good, name: null },
  { ...good, name: '\u0000' },
  { ...good, name: '\ud800' },
  { ...good, at: '0' },
  { ...good, at: 0.5 },
  { ...good, at: Number.MAX_SAFE_INTEGER + 1 },
  { ...good, at: Number.NaN },
  { ...good, parts: {} },
  { ...good, parts: [{}] },
  { ...good, parts: [[]] },
  { ...good, parts: [{ name: 'a', more: 'b' }] },
  { portal: good.portal, id, name: '', at: 0, parts: [] },
])('%o does not', (value) => {
  expect(hasShape(value, shape)).toBe(false)
})

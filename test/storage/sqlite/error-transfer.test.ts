import { expect, test } from 'vitest'
import { PortalError } from '../../../src/errors.ts'
import { deserializeError, serializeError } from '../../../src/storage/sqlite/error-transfer.ts'
import { DamagedDocument, StorageUnavailable } from '../../../src/storage/storage.ts'
import { type Thrown, thrown } from './write-commands.ts'

/** Returns the error as it arrives from another thread. */
function travel(error: unknown): Error {
  return deserializeError(structuredClone(serializeError(error)))
}

/** All that an error says; its stack is of the thread that it is in. */
function shown(error: Error): object {
  return { ...error, name: error.name, message: error.message }
}

test.each([
  ['portal', PortalError],
  ['bare portal', PortalError],
  ['refused', PortalError],
  ['refused unless', PortalError],
  ['unavailable', StorageUnavailable],
  ['damaged', DamagedDocument],
] as const)('an error that is expected is the same on the other side: %s', (kind, type) => {
  const error = thrown[kind]() as Error
  const come = travel(error)
  expect(come).toBeInstanceOf(type)
  expect(shown(come)).toEqual(shown(error))
  expect(Object.keys(come).toSorted()).toEqual(Object.keys(error).toSorted())
})

test('a bug keeps its name, its message and where it was', () => {
  const error = new RangeError('far out')
  const come = travel(error)
  expect([come.name, come.message, come.stack]).toEqual(['RangeError', 'far out', error.stack])
  expect(come).not.toBeInstanceOf(StorageUnavailable)
})

test.each([
  ['a text', 'no error at all', 'no error at all'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('strange'), 'Symbol(strange)'],
  ['an error that carries what cannot travel', Object.assign(new Error('heavy'), { load: () => undefined }), 'heavy'],
])('whatever else is thrown becomes a bug: %s', (_, value, message) => {
  const come = travel(value)
  expect(come).toBeInstanceOf(Error)
  expect(come.message).toBe(message)
})

test('every kind of error can be packed', () => {
  for (const kind of Object.keys(thrown) as Thrown[]) expect(travel(thrown[kind]())).toBeInstanceOf(Error)
})

import { expect, test } from 'vitest'
import { reasonOf } from '../src/errors.ts'

test.each([
  ['an error', new Error('no room'), 'no room'],
  ['what is not an error', 'no room', 'no room'],
  ['several errors at once', new AggregateError([new Error('no route'), new Error('no room')]), 'no route, no room'],
])('the reason of %s is its words', (_what, error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})

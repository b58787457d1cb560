import { expect, test } from 'vitest'
import { allOf, anyOf, type Condition, negationOf } from '../../../src/search/condition.ts'

const all: Condition = { kind: 'all' }
const none: Condition = { kind: 'none' }
const a: Condition = { kind: 'words', fields: ['title'], words: ['a'], isPrefix: false }
const b: Condition = { kind: 'key', field: 'owner', value: 'b', isPrefix: false }
const c: Condition = { kind: 'range', field: 'created', min: 1, max: 2 }

test.each([
  ['nothing', [], all],
  ['one', [a], a],
  ['two', [a, b], { kind: 'and', of: [a, b] }],
  ['everything', [a, all], a],
  ['only everything', [all, all], all],
  ['nothing at all', [a, none, b], none],
  ['conjunctions', [allOf([a, b]), c], { kind: 'and', of: [a, b, c] }],
  ['a disjunction', [anyOf([a, b]), c], { kind: 'and', of: [{ kind: 'or', of: [a, b] }, c] }],
])('the conjunction of %s', (_, conditions, expected) => {
  expect(allOf(conditions)).toEqual(expected)
})

test.each([
  ['nothing', [], none],
  ['one', [a], a],
  ['two', [a, b], { kind: 'or', of: [a, b] }],
  ['everything', [a, all], all],
  ['nothing at all', [a, none, b], { kind: 'or', of: [a, b] }],
  ['disjunctions', [a, anyOf([b, c])], { kind: 'or', of: [a, b, c] }],
])('the disjunction of %s', (_, conditions, expected) => {
  expect(anyOf(conditions)).toEqual(expected)
})

test.each([
  ['everything', all, none],
  ['nothing', none, all],
  ['a negation', { kind: 'not', of: a } satisfies Condition, a],
  ['words', a, { kind: 'not', of: a }],
])('the negation of %s', (_, condition, expected) => {
  expect(negationOf(condition)).toEqual(expected)
})

import { expect, test } from 'vitest'
import type { Draft } from '../../../pages/src/drafts/draft-store.ts'
import { inputOf, putTogether, replaceTheirs } from '../../../pages/src/review/resolving.ts'
import type { Category } from '../../../src/categories/schema.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })
const base = { categorySchema: [of('Bike lanes'), of('Cycle lanes', of('New'))] }
/** A draft in which the cycle lanes were merged into the bike lanes. */
const draft: Draft = {
  categorySchema: [of('Bike lanes', of('New'))],
  origins: [['/Bike lanes', '/Cycle lanes'], '/Cycle lanes/New'],
  baseVersion: 1,
  began: 1,
  saved: 1,
}
const theirMoves = [{ from: '/Bike lanes', to: '/Bikes' }]
const sides = { base, theirs: { categorySchema: [of('Bikes'), of('Cycle lanes', of('New'))] }, theirMoves }

test('a merge stays one when its target was renamed meanwhile', () => {
  const input = inputOf({ ...sides, choices: new Map() }, draft, [])
  expect(putTogether(input, draft)).toEqual({
    categorySchema: [{ title: 'Bikes', categories: [{ title: 'New' }] }],
    origins: [['/Bikes', '/Cycle lanes'], '/Cycle lanes/New'],
    moves: [],
  })
})

test('a merge stays one when the draft replaces their version', () => {
  const input = inputOf({ ...sides, choices: new Map() }, draft, [])
  expect(replaceTheirs(input, draft)).toEqual({
    origins: [['/Bikes', '/Cycle lanes'], '/Cycle lanes/New'],
    moves: [],
  })
})

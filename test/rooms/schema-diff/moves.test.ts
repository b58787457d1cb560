import { expect, test } from 'vitest'
import { followMoves, judgeMoves, type Move } from '../../../src/categories/moves.ts'

const before = ['/A', '/A/x', '/B', '/B/y']
const after = ['/A', '/A/x', '/C', '/C/y', '/D']
const carried = new Set(['/Old', '/Old/z'])
const isCarried = (path: string) => carried.has(path)

function move(from: string, to: string): Move {
  return { from, to }
}

test.each<{ what: string; moves: Move[]; reasons: string[] }>([
  { what: 'a rename', moves: [move('/B', '/C')], reasons: [] },
  { what: 'a path that only items carry', moves: [move('/Old', '/D')], reasons: [] },
  { what: 'a merge', moves: [move('/B', '/C'), move('/Old', '/C')], reasons: [] },
  {
    what: 'a path without a slash',
    moves: [move('B', '/C')],
    reasons: ['moves/0: from "B" is not a category path.'],
  },
  {
    what: 'a path that is not there',
    moves: [move('/B', '/C'), move('/E', '/D')],
    reasons: ['moves/1: from "/E" is neither in the present category schema nor carried by an item.'],
  },
])('$what', ({ moves, reasons }) => {
  expect(judgeMoves(moves, { before, after, isCarried })).toEqual(reasons)
})

test('moves are one mapping, and the longest prefix counts', () => {
  const follow = followMoves([move('/A', '/B'), move('/B', '/A'), move('/A/x', '/C')])
  expect(['/A', '/B/y', '/A/x/z', '/A/xx', '/E'].map(follow)).toEqual(['/B', '/A/y', '/C/z', '/B/xx', '/E'])
})

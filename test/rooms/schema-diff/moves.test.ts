import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeMovesBack, composeMoves as composeVersions } from '../../../src/categories/history/compose-moves.ts'
import { composeMoves, followMoves, judgeMoves, type Move } from '../../../src/categories/moves.ts'
import { countOf } from '../../support/length.ts'

const before = new Set(['/A', '/A/x', '/B', '/B/y', '/Twin', '/Twin'])
const after = new Set(['/A', '/A/x', '/C', '/C/y', '/D', '/Twin', '/Other twin'])
const carried = new Set(['/Old', '/Old/z'])
const isCarried = (path: string) => carried.has(path)

function move(from: string, to: string): Move {
  return { from, to }
}

const notAPath = (member: string, path: string) => `moves/0: ${member} ${JSON.stringify(path)} is not a category path.`
const stays = (position: number, path: string) =>
  `moves/${position}: from "${path}" is still in the new category schema, and no move leads to it.`

test.each<{ what: string; moves: Move[]; reasons?: string[] }>([
  { what: 'no moves', moves: [] },
  { what: 'a rename', moves: [move('/B', '/C')] },
  { what: 'a path that only items carry', moves: [move('/Old', '/D'), move('/Old/z', '/C/y')] },
  { what: 'a merge of two', moves: [move('/B', '/C'), move('/Old', '/C')] },
  { what: 'a merge into one that stays', moves: [move('/B', '/A')] },
  { what: 'a swap', moves: [move('/A', '/A/x'), move('/A/x', '/A')] },
  { what: 'a chain', moves: [move('/B', '/A'), move('/A', '/C')] },
  { what: 'no slash', moves: [move('B', '/C')], reasons: [notAPath('from', 'B')] },
  { what: 'a slash at the end', moves: [move('/B/', '/C')], reasons: [notAPath('from', '/B/')] },
  { what: 'the root', moves: [move('/B', '/')], reasons: [notAPath('to', '/')] },
  { what: 'nothing', moves: [move('', '/C')], reasons: [notAPath('from', '')] },
  { what: 'a blank title', moves: [move('/B/ ', '/C')], reasons: [notAPath('from', '/B/ ')] },
  { what: 'a comma', moves: [move('/B', '/C,D')], reasons: [notAPath('to', '/C,D')] },
  { what: 'a control character', moves: [move('/B\u0007', '/C')], reasons: [notAPath('from', '/B\u0007')] },
  { what: 'a lone surrogate', moves: [move('/B\ud800', '/C')], reasons: [notAPath('from', '/B\ud800')] },
  {
    what: 'a very long path',
    moves: [move(`/${'B'.repeat(2_000)}`, '/C')],
    reasons: [notAPath('from', `/${'B'.repeat(499)}…`)],
  },
  {
    what: 'a path that is nowhere',
    moves: [move('/B', '/C'), move('/E', '/D')],
    reasons: ['moves/1: from "/E" is neither in the present category schema nor carried by an item.'],
  },
  {
    what: 'a target that is not there',
    moves: [move('/B', '/E')],
    reasons: ['moves/0: to "/E" is not in the new category schema.'],
  },
  { what: 'no change', moves: [move('/A', '/A')], reasons: ['moves/0: from and to are both "/A".'] },
  {
    what: 'two targets of one path',
    moves: [move('/B', '/C'), move('/B', '/D')],
    reasons: ['moves/1: "/B" is moved by moves/0 already.'],
  },
  { what: 'a path that stays', moves: [move('/A', '/C')], reasons: [stays(0, '/A')] },
  { what: 'one of two equal siblings', moves: [move('/Twin', '/Other twin')], reasons: [stays(0, '/Twin')] },
  {
    what: 'several reasons, one for each move',
    moves: [move('/A', '/C'), move('/B', '/C'), move('/B', '/B')],
    reasons: [stays(0, '/A'), 'moves/2: from and to are both "/B".'],
  },
  {
    what: 'more moves than a schema has categories',
    moves: Array.from({ length: 201 }, () => move('/B', '/C')),
    reasons: ['moves: 201 moves; at most 200 are allowed.'],
  },
])('$what', ({ moves, reasons = [] }) => {
  expect(judgeMoves(moves, { before, after, isCarried })).toEqual(reasons)
})

test('items are looked at only for paths that the present schema does not have', () => {
  const asked: string[] = []
  const moves = [move('/B', '/C'), move('/Old', '/D'), move('/B', '/D'), move('/E,', '/D')]
  judgeMoves(moves, { before, after, isCarried: (path) => asked.push(path) > 0 })
  expect(asked).toEqual(['/Old'])
})

test.each([
  { what: 'a path that is moved', from: '/A', to: '/B' },
  { what: 'one below it', from: '/A/y/z', to: '/B/y/z' },
  { what: 'the way back of a swap', from: '/B/y', to: '/A/y' },
  { what: 'the longest prefix', from: '/A/x/z', to: '/C/z' },
  { what: 'a longer title', from: '/AB', to: '/AB' },
  { what: 'a chain, one step', from: '/C', to: '/D' },
  { what: 'a title that every object has', from: '/constructor/A', to: '/constructor/A' },
])('$what follows', ({ from, to }) => {
  const follow = followMoves([move('/A', '/B'), move('/B', '/A'), move('/A/x', '/C'), move('/C', '/D')])
  expect(follow(from)).toBe(to)
})

/** A naive reference: by titles, each move tried, the one with the most titles taken. */
function followAgain(moves: readonly Move[], path: string): string {
  const titles = path.split('/')
  const fitting = moves.filter(({ from }) => from.split('/').every((title, level) => titles[level] === title))
  const [longest] = fitting.toSorted((one, other) => other.from.split('/').length - one.from.split('/').length)
  return longest ? [longest.to, ...titles.slice(longest.from.split('/').length)].join('/') : path
}

const anyPath = fc
  .array(fc.constantFrom('A', 'B', 'AB'), { minLength: 1, maxLength: 4 })
  .map((titles) => `/${titles.join('/')}`)
const anyMoves = fc.array(fc.record({ from: anyPath, to: anyPath }), { maxLength: 6 })
const settings = { seed: 2029, numRuns: countOf({ sample: 400, system: 2_000, long: 50_000 }) }

test('moves lead where a plain reading of them leads', () => {
  fc.assert(
    fc.property(anyMoves, anyPath, (moves, path) => {
      expect(followMoves(moves)(path)).toBe(followAgain(moves, path))
    }),
    settings,
  )
})

test('composed moves lead each path where the steps lead it, one after the other', () => {
  fc.assert(
    fc.property(fc.array(anyMoves, { maxLength: 4 }), fc.array(anyPath, { maxLength: 12 }), (steps, paths) => {
      const composed = composeMoves(steps, paths)
      const follow = followMoves(composed)
      for (const path of paths) {
        expect(follow(path)).toBe(steps.reduce((at, moves) => followAgain(moves, at), path))
      }
      // None could be left out.
      for (const one of composed) {
        const others = followMoves(composed.filter((other) => other !== one))
        expect(others(one.from)).not.toBe(one.to)
      }
    }),
    settings,
  )
})

test('moves over several versions lead each path to where the steps lead it, or to no category', () => {
  const paths = fc.uniqueArray(anyPath, { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(anyMoves, { maxLength: 4 }), paths, paths, (steps, oldPaths, newPaths) => {
      const parentsFirst = oldPaths.toSorted((one, other) => one.length - other.length)
      const follow = followMoves(composeVersions(parentsFirst, newPaths, steps))
      for (const path of oldPaths) {
        const place = steps.reduce((at, moves) => followAgain(moves, at), path)
        if (newPaths.includes(place)) expect(follow(path)).toBe(place)
        else expect(newPaths).not.toContain(follow(path))
      }
    }),
    settings,
  )
})

const ab = [move('/A', '/B')]

test.each([
  { what: 'a rename', old: ['/A', '/A/x'], present: ['/B', '/B/x'], steps: [ab], back: [move('/B', '/A')] },
  {
    what: 'a swap',
    old: ['/A', '/B'],
    present: ['/A', '/B'],
    steps: [[...ab, move('/B', '/A')]],
    back: [move('/A', '/B'), move('/B', '/A')],
  },
  { what: 'a merge, to the path that was there', old: ['/A', '/B'], present: ['/B'], steps: [ab], back: [] },
  {
    what: 'a merge, to the first',
    old: ['/A', '/C'],
    present: ['/B'],
    steps: [[...ab, move('/C', '/B')]],
    back: [move('/B', '/A')],
  },
  {
    what: 'a rename, with a new category at the old path',
    old: ['/A'],
    present: ['/A', '/B'],
    steps: [ab, []],
    back: [move('/B', '/A')],
  },
  {
    what: 'several renames',
    old: ['/A'],
    present: ['/C/D'],
    steps: [ab, [move('/B', '/C/D')]],
    back: [move('/C/D', '/A')],
  },
])('the way back of $what', ({ old, present, steps, back }) => {
  expect(composeMovesBack(old, present, steps)).toEqual(back)
})

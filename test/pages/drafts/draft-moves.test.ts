import fc from 'fast-check'
import { expect, test } from 'vitest'
import { movesOfDraft } from '../../../pages/src/drafts/moves-to-publish.ts'
import { joinOrigins, pathsOfOrigin } from '../../../pages/src/drafts/origin.ts'
import { followMoves, judgeMoves } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })

test('a renamed category takes those below it along by one move', () => {
  const categorySchema = [of('Place', of('World'), of('Moon'))]
  expect(movesOfDraft({ categorySchema, origins: ['/Region', '/Region/World', null] })).toEqual([
    { from: '/Region', to: '/Place' },
  ])
})

test('a child that leaves its renamed parent has a move of its own', () => {
  const categorySchema = [of('Place'), of('World')]
  expect(movesOfDraft({ categorySchema, origins: ['/Region', '/Region/World'] })).toEqual([
    { from: '/Region', to: '/Place' },
    { from: '/Region/World', to: '/World' },
  ])
})

test('two that swap their titles are two moves', () => {
  expect(movesOfDraft({ categorySchema: [of('B'), of('A')], origins: ['/A', '/B'] })).toEqual([
    { from: '/A', to: '/B' },
    { from: '/B', to: '/A' },
  ])
})

test('a path that two categories have has no move', () => {
  expect(movesOfDraft({ categorySchema: [of('C'), of('C')], origins: ['/A', '/B'] })).toEqual([])
})

test('no move leads from a title that a new category has taken', () => {
  expect(movesOfDraft({ categorySchema: [of('B'), of('A')], origins: ['/A', null] })).toEqual([])
})

test('a category that others were merged into has a move from each of them, and none from what follows anyway', () => {
  const categorySchema = [of('B', of('X'))]
  expect(
    movesOfDraft({
      categorySchema,
      origins: [
        ['/B', '/A', '/C', '/C/Z'],
        ['/B/X', '/A/X'],
      ],
    }),
  ).toEqual([
    { from: '/A', to: '/B' },
    { from: '/C', to: '/B' },
    { from: '/C/Z', to: '/B' },
  ])
})

test('whatever the draft is, the server accepts its moves, and each leads its category to its place', () => {
  const title = fc.constantFrom('A', 'B', 'C', 'D')
  const branch = (below: fc.Arbitrary<Category>) => fc.record({ title, categories: fc.array(below, { maxLength: 3 }) })
  const tree = branch(branch(fc.record({ title })))
  const schema = fc.array(tree, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(schema, schema, fc.infiniteStream(fc.nat()), (before, after, choices) => {
      const beforePaths = listCategories({ categorySchema: before }).map(({ path }) => path!)
      const free = [...beforePaths]
      const afterPaths = listCategories({ categorySchema: after }).map(({ path }) => path!)
      const take = () => free.splice(choices.next().value! % (free.length + 1), 1)
      const origins = afterPaths.map(() => joinOrigins(...take(), ...(choices.next().value! % 3 === 0 ? take() : [])))
      const claimed = origins.flatMap(pathsOfOrigin)
      const moves = movesOfDraft({ categorySchema: after, origins })
      expect(
        judgeMoves(moves, { before: new Set(beforePaths), after: new Set(afterPaths), isCarried: () => false }),
      ).toEqual([])
      const follow = followMoves(moves)
      for (const { from } of moves)
        expect(follow(from)).toBe(afterPaths[origins.findIndex((origin) => pathsOfOrigin(origin).includes(from))])
      for (const [position, path] of afterPaths.entries()) {
        const isSure =
          origins[position] === path &&
          claimed.indexOf(path) === claimed.lastIndexOf(path) &&
          afterPaths.indexOf(path) === afterPaths.lastIndexOf(path)
        if (isSure) expect(follow(path)).toBe(path)
      }
    }),
    { numRuns: 500 },
  )
})

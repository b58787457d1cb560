import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import { type Merged, mergeSchemas, type Question } from '../../../src/categories/merge/merge.ts'
import { originsOf } from '../../../src/categories/merge/side.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories, listPaths } from '../../../src/categories/schema-paths.ts'
import { pairsWithin } from '../../rooms/schema-diff/random-schemas.ts'
import { outline } from '../../support/inputs/outline.ts'
import { sketch } from '../../support/inputs/sketch.ts'
import { countOf } from '../../support/length.ts'

interface Given {
  readonly base: CategorySchema
  readonly theirs: CategorySchema
  readonly mine: CategorySchema
  readonly theirMoves?: readonly Move[]
  /** Former paths that the editor knows, of categories that have another path than in the base. */
  readonly renamed?: Readonly<Record<string, string>>
  readonly moves?: readonly Move[]
  readonly mineAt?: readonly string[]
}

/** Merges, with the questions of these kinds answered by what I have. */
function merge({ base, theirs, mine, theirMoves = [], renamed = {}, moves = [], mineAt = [] }: Given): Merged {
  const paths = listCategories(mine).map(({ path }) => path!)
  const origins = originsOf(base, mine).map((origin, position) => renamed[paths[position]!] ?? origin)
  const input = { base, theirs, theirMoves, mine, origins, moves }
  const { questions } = mergeSchemas({ ...input, choices: new Map() })
  const choices = new Map(questions.filter(({ kind }) => mineAt.includes(kind)).map(({ id }) => [id, 'mine' as const]))
  return mergeSchemas({ ...input, choices })
}

function asked({ questions }: Merged): readonly string[] {
  return questions.map(
    ({ kind, path, base, theirs, mine }: Question) => `${kind} ${path}: ${base} | ${theirs} | ${mine}`,
  )
}

const base = outline('Themes', '  Water: wet', '    Rivers', '  Land', 'Regions', '  Europe')

test('what only one of two persons has changed is as this one has it', () => {
  const merged = merge({
    base,
    theirs: outline('Themes', '  Waters: wet', '    Rivers', '    Lakes', '  Land', 'Regions', '  Europe'),
    theirMoves: [{ from: '/Themes/Water', to: '/Themes/Waters' }],
    mine: outline('Themes', '  Water: blue', '    Springs', '    Rivers', '  Land', 'Areas', '  Europe', '  Asia'),
    renamed: { '/Areas': '/Regions', '/Areas/Europe': '/Regions/Europe' },
  })
  expect(sketch(merged.schema)).toBe('Themes (Waters: blue (Springs, Rivers, Lakes), Land), Areas (Europe, Asia)')
  expect(asked(merged)).toEqual([])
  expect(merged.origins).toEqual([
    '/Themes',
    '/Themes/Waters',
    null,
    '/Themes/Waters/Rivers',
    '/Themes/Waters/Lakes',
    '/Themes/Land',
    '/Regions',
    '/Regions/Europe',
    null,
  ])
})

test('of two that each side has put below the other, one is asked, and both are where the chosen side has them', () => {
  const given = {
    base: outline('Land', 'Water'),
    theirs: outline('Water', '  Land'),
    theirMoves: [{ from: '/Land', to: '/Water/Land' }],
    mine: outline('Land', '  Water'),
    renamed: { '/Land/Water': '/Water' },
  }
  const merged = merge(given)
  expect(asked(merged)).toEqual(['parent /Water:  |  | /Land'])
  expect(sketch(merged.schema)).toBe('Water (Land)')
  expect(sketch(merge({ ...given, mineAt: ['parent'] }).schema)).toBe('Land (Water)')
})

test('a title that looks like the number of an equal sibling is one of its own', () => {
  const merged = merge({
    base: outline('Themes'),
    theirs: outline('Themes', '  a', '  a'),
    mine: outline('Themes', '  a 2'),
  })
  expect(asked(merged)).toEqual([])
  expect(sketch(merged.schema)).toBe('Themes (a 2, a, a)')
})

test('what both have changed is asked, and is as they have it before it is answered', () => {
  const given = {
    base,
    theirs: outline('Themes', '  Waters: wet', '    Rivers', '  Land: firm', 'Regions', '  Europe'),
    theirMoves: [{ from: '/Themes/Water', to: '/Themes/Waters' }],
    mine: outline('Themes', '  Hydrography: wet', '    Rivers', '  Land: dry', 'Regions', '  Europe'),
    renamed: { '/Themes/Hydrography': '/Themes/Water', '/Themes/Hydrography/Rivers': '/Themes/Water/Rivers' },
  }
  const merged = merge(given)
  expect(asked(merged)).toEqual([
    'title /Themes/Water: Water | Waters | Hydrography',
    'description /Themes/Land: null | firm | dry',
  ])
  expect(canonicalText(merged.schema)).toBe(canonicalText(given.theirs))
  expect(sketch(merge({ ...given, mineAt: ['title'] }).schema)).toBe(
    'Themes (Hydrography: wet (Rivers), Land: firm), Regions (Europe)',
  )
})

test('what one has removed and the other has changed is asked once, for all that is below it', () => {
  const theirs = outline('Themes', '  Water: wet', '    Rivers: long', '  Land', 'Regions', '  Europe')
  const mine = outline('Themes', '  Land', 'Regions', '  Europe')
  const merged = merge({ base, theirs, mine })
  expect(asked(merged)).toEqual(['removed /Themes/Water: /Themes/Water | /Themes/Water | null'])
  expect(canonicalText(merged.schema)).toBe(canonicalText(theirs))
  expect(sketch(merge({ base, theirs, mine, mineAt: ['removed'] }).schema)).toBe(sketch(mine))
  const reversed = { base, theirs: mine, mine: theirs }
  expect(asked(merge(reversed))).toEqual(['removed /Themes/Water: /Themes/Water | null | /Themes/Water'])
  expect(sketch(merge(reversed).schema)).toBe(sketch(mine))
  expect(canonicalText(merge({ ...reversed, mineAt: ['removed'] }).schema)).toBe(canonicalText(theirs))
})

test('what one has removed and the other has left as it was is removed', () => {
  const merged = merge({ base, theirs: outline('Themes', '  Land', 'Regions', '  Europe'), mine: base })
  expect(sketch(merged.schema)).toBe('Themes (Land), Regions (Europe)')
  expect(asked(merged)).toEqual([])
})

test('what both have added is one category', () => {
  const theirs = outline(
    'Themes',
    '  Water: wet',
    '    Rivers',
    '  Land',
    '  Air: thin',
    '    Wind',
    'Regions',
    '  Europe',
  )
  const mine = outline('Themes', '  Air', '    Clouds', '  Water: wet', '    Rivers', '  Land', 'Regions', '  Europe')
  const merged = merge({ base, theirs, mine })
  expect(sketch(merged.schema)).toBe('Themes (Water: wet (Rivers), Land, Air: thin (Clouds, Wind)), Regions (Europe)')
  expect(asked(merged)).toEqual([])
})

test('a category that was moved out of what the other has removed is asked', () => {
  const theirs = outline('Themes', '  Land', 'Regions', '  Europe')
  const mine = outline('Themes', '  Water: wet', '  Land', '    Rivers', 'Regions', '  Europe')
  const renamed = { '/Themes/Land/Rivers': '/Themes/Water/Rivers' }
  const merged = merge({ base, theirs, mine, renamed })
  expect(asked(merged)).toContain('removed /Themes/Water/Rivers: /Themes/Water/Rivers | null | /Themes/Land/Rivers')
  expect(sketch(merge({ base, theirs, mine, renamed, mineAt: ['removed'] }).schema)).toBe(
    'Themes (Land (Rivers)), Regions (Europe)',
  )
})

test('two that were moved below each other stay a tree', () => {
  const flat = outline('A', 'B')
  const merged = merge({
    base: flat,
    theirs: outline('A', '  B'),
    theirMoves: [{ from: '/B', to: '/A/B' }],
    mine: outline('B', '  A'),
    renamed: { '/B/A': '/A' },
  })
  expect(sketch(merged.schema)).toBe('A (B)')
})

test('an order that one has changed is taken; two new orders are asked', () => {
  const [three, reversed] = [outline('A', 'B', 'C'), outline('C', 'B', 'A')]
  const merged = merge({ base: three, theirs: outline('A', 'B', 'New', 'C'), mine: reversed })
  expect(sketch(merged.schema)).toBe('C, B, New, A')
  expect(asked(merged)).toEqual([])
  const both = merge({ base: three, theirs: outline('B', 'A', 'C'), mine: reversed })
  expect(asked(both)).toEqual(['order : A · B · C | B · A · C | C · B · A'])
  expect(sketch(both.schema)).toBe('B, A, C')
})

test('moves that I have declared begin at the paths that they have made, and end at those of the result', () => {
  const merged = merge({
    base,
    theirs: outline('Topics', '  Water: wet', '    Rivers', '  Land', 'Regions', '  Europe'),
    theirMoves: [{ from: '/Themes', to: '/Topics' }],
    mine: outline('Themes', '  Water: wet', '  Land', 'Regions', '  Europe'),
    moves: [
      { from: '/Themes/Water/Rivers', to: '/Themes/Water' },
      { from: '/Stale', to: '/Regions' },
      { from: '/Themes/Land', to: '/Themes/Gone' },
    ],
  })
  expect(merged.moves).toEqual([
    { from: '/Topics/Water/Rivers', to: '/Topics/Water' },
    { from: '/Stale', to: '/Regions' },
  ])
})

const options = { seed: 11, numRuns: countOf({ sample: 60, system: 300, long: 300 }) }

test('of any two schemas: where one side has changed nothing, the other one is the result; where both did the same, that', () => {
  fc.assert(
    fc.property(pairsWithin(portalLimits), ([before, after]) => {
      // A draft does not know which of two equal paths it began with.
      const paths = listPaths(before)
      fc.pre(new Set(paths).size === paths.length)
      for (const [theirs, mine, expected] of [
        [after, before, after],
        [before, after, after],
        [after, after, after],
      ] as const) {
        const merged = merge({ base: before, theirs, mine })
        expect(merged.questions).toEqual([])
        expect(canonicalText(merged.schema)).toBe(canonicalText(expected))
        expect(merged.origins).toHaveLength(listCategories(merged.schema).length)
      }
    }),
    options,
  )
})

test('of any three schemas: nothing that one of them has added is lost, and nothing is there twice', () => {
  fc.assert(
    fc.property(pairsWithin(portalLimits), pairsWithin(portalLimits), ([before, theirs], [mine]) => {
      const merged = merge({ base: before, theirs, mine })
      const paths = listCategories(theirs).map(({ path }) => path)
      const added = originsOf(before, theirs).flatMap((origin, position) =>
        origin === null ? (paths[position] ?? []) : [],
      )
      for (const path of added) expect(merged.origins).toContain(path)
      for (const path of new Set(merged.origins)) {
        const isThis = (other: string | null | undefined) => path !== null && other === path
        expect(merged.origins.filter(isThis).length).toBeLessThanOrEqual(paths.filter(isThis).length)
      }
    }),
    options,
  )
})

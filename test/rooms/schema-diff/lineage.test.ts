import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlacedCategory } from '../../../src/categories/carried-paths.ts'
import { movePlaces } from '../../../src/categories/lineage.ts'
import { followMoves } from '../../../src/categories/moves.ts'
import { countOf } from '../../support/length.ts'

const titles = fc.constantFrom('A', 'B', 'C')
const paths = fc.array(titles, { minLength: 1, maxLength: 3 }).map((titles) => `/${titles.join('/')}`)
const places = fc.array(fc.tuple(paths, fc.constantFrom('primary', 'merged', 'cleared')), {
  minLength: 4,
  maxLength: 12,
})
const moves = fc.uniqueArray(fc.record({ from: paths, to: paths }), {
  selector: ({ from }) => from,
  minLength: 1,
  maxLength: 4,
})

/** At most one of each path is primary. */
function categoriesAt(given: readonly (readonly [path: string, state: string])[]): readonly PlacedCategory[] {
  const primary = new Set<string>()
  return given.map(([path, state], at) => {
    const isSecond = state === 'primary' && primary.has(path)
    if (state === 'primary') primary.add(path)
    return { id: at + 1, path, state: (isSecond ? 'merged' : state) as PlacedCategory['state'] }
  })
}

const numRuns = countOf({ sample: 400, system: 2_000, long: 100_000 })

test('where a move leads categories does not depend on the order in which they are read', () => {
  let merged = 0
  fc.assert(
    fc.property(places, moves, fc.array(paths), fc.infiniteStream(fc.nat()), (given, moved, used, numbers) => {
      const categories = categoriesAt(given)
      const order = new Map(categories.map(({ id }) => [id, numbers.next().value as number]))
      const shuffled = categories.toSorted((one, other) => order.get(one.id)! - order.get(other.id)!)
      const there = movePlaces(categories, moved, used)
      const { rows, lastId, back } = movePlaces(shuffled, moved, used)
      merged += rows.filter(({ from, to }) => from.state === 'primary' && to.state === 'merged').length
      expect(rows.toSorted((one, other) => one.id - other.id)).toEqual(there.rows)
      expect(lastId).toBe(there.lastId)
      const reached = categories.map(({ path }) => followMoves(moved)(path))
      expect(reached.map(followMoves(back))).toEqual(reached.map(followMoves(there.back)))
    }),
    { seed: 20_261_124, numRuns },
  )
  expect(merged).toBeGreaterThan(numRuns / 20)
})

import { describe, expect, test } from 'vitest'
import { engine } from '../../support/databases/engine.ts'
import { addPeople, anItem } from '../contract/records.ts'
import { openWatched } from '../watched-storage.ts'

const owner = { kind: 'portal', portalId: anItem().portalId } as const
const pathsOf = (tree: string, count: number) =>
  new Set([`/${tree}`, ...Array.from({ length: count - 1 }, (_, at) => `/${tree}/${at}`)])

describe(engine, () => {
  test('a move of 200 categories, and the way back, send as many statements as those of one', async () => {
    const { storage, takeStatements } = await openWatched()
    await addPeople(storage)
    const statementsOf = async (count: number) => {
      const [from, to] = [`From ${count}`, `To ${count}`]
      const before = pathsOf(from, count)
      // They are known from an earlier move, which adds each by itself.
      const moves = [{ from: `/${from}`, to: `/${to}` }]
      const back = [{ from: `/${to}`, to: `/${from}` }]
      await storage.items.movePaths(owner, moves, before)
      await storage.items.movePaths(owner, back, pathsOf(to, count))
      takeStatements()
      const moved = await storage.items.movePaths(owner, moves, before)
      expect(moved.rows).toHaveLength(count)
      const there = takeStatements()
      await storage.items.undoMoves(owner, [moved])
      return [there, takeStatements()].map((statements) => statements.filter((text) => /categor/.test(text)).length)
    }
    // From now on there are categories that the schema does not have, which are asked for.
    await statementsOf(2)
    const ofOne = await statementsOf(1)
    expect(ofOne.every((statements) => statements >= 2)).toBe(true)
    expect(await statementsOf(200)).toEqual(ofOne)
  })
})

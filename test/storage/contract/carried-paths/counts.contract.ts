import { expect, test } from 'vitest'
import type { IdSet, PathSet } from '../../../../src/categories/carried-paths.ts'
import type { SchemaOwner } from '../../../../src/categories/store.ts'
import { type OpenStorage, otherPortal } from '../records.ts'
import { group, openWith, portal, type World } from './world.ts'

/** Which categories items carry, and how many. */
export function countedPathsContract(open: OpenStorage): void {
  test('items are counted once however many of the paths they carry', async () => {
    const world = await openWith(open, [['/A/B', '/A/C'], ['/A', '/D'], ['/D/E'], ['/Ax']], ['/A'])
    await world.move({ '/Ax': '/A/C/x' })
    const counted = (owner: SchemaOwner, ...sets: readonly (PathSet | IdSet)[]) =>
      world.read((items) => items.countItems(owner, sets))
    const under = (...paths: readonly string[]) => ({ paths, isBelowToo: true })
    const at = (...paths: readonly string[]) => ({ paths, isBelowToo: false })
    expect(
      await counted(
        portal,
        under('/A'),
        under('/A/C', '/A/B'),
        under('/A', '/D'),
        at('/A', '/D'),
        at('/A/C/x', '/nothing'),
        under(),
      ),
    ).toEqual([3, 2, 4, 1, 1, 0])
    expect(await counted(group, under('/A'))).toEqual([1])
    await world.clear(['/A/B'])
    const carried = await world.read((items) => items.listCarried(portal))
    expect(carried.map(({ path, state }) => `${path} ${state}`).sort()).toEqual([
      '/A primary',
      '/A/B cleared',
      '/A/C primary',
      '/A/C/x primary',
      '/D primary',
      '/D/E primary',
    ])
    const idsOf = (...paths: readonly string[]) => ({
      ids: carried.filter(({ path }) => paths.includes(path)).map(({ id }) => id),
    })
    expect(await counted(portal, idsOf('/A/B'), idsOf('/A/C', '/A', '/D'), idsOf())).toEqual([1, 2, 0])
    const other = { kind: 'portal', portalId: otherPortal.portalId } as const
    expect(await counted(other, under('/A'))).toEqual([0])
    expect(await coverageOf(world, portal)).toEqual({
      ...{ '': 4, uncategorized: 0, '/A': 3, '/A/C': 2, '/A/C/x': 1, '/D': 2, '/D/E': 1 },
    })
    expect(await coverageOf(world, group)).toEqual({ '': 1, uncategorized: 0, '/A': 1 })
    expect(await coverageOf(world, other)).toEqual({ '': 0, uncategorized: 0 })
  })

  test('paths are carried as long as an item shows them', async () => {
    const world = await openWith(open, [['/A/B', '/Łódź'], ['/A/B']])
    const carried = (path: string) => world.read((items) => items.isCarried(portal, path))
    const carriedOf = (...paths: readonly string[]) => world.read((items) => items.listCarriedOf(portal, paths))
    expect(await carriedOf('/Łódź', '/A', '/A/B', '/A/B/C', '/Łó')).toEqual(['/A/B', '/Łódź'])
    expect(await carriedOf('/Łódź')).toEqual(['/Łódź'])
    expect(await carriedOf()).toEqual([])
    expect([await carried('/A'), await carried('/A/B'), await carried('/A/B/C'), await carried('/Łó')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    await world.assign(0, ['/A/B'])
    const done = await world.clear(['/A/B'])
    expect(await carriedOf('/A/B', '/Łódź')).toEqual([])
    expect(await coverageOf(world, portal)).toEqual({ '': 2, uncategorized: 2 })
    expect(await carried('/A')).toBe(false)
    await world.undo([done])
    expect(await carried('/A')).toBe(true)
    const sets = [{ paths: ['/A/B'], isBelowToo: false }]
    expect(await world.read((items) => items.countItems(portal, sets))).toEqual([2])
  })
}

async function coverageOf(world: World, owner: SchemaOwner): Promise<Readonly<Record<string, number>>> {
  const counts = await world.read((items) => items.countCoverage(owner))
  return Object.fromEntries(counts.map(({ path, items }) => [path, items]))
}

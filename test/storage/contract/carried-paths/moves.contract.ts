import { expect, test } from 'vitest'
import type { OpenStorage } from '../records.ts'
import { group, groupId, openWith } from './world.ts'

/** Paths of categories that items carry: they move, merge, are cleared, and come back. */
export function movedPathsContract(open: OpenStorage): void {
  test('items follow a renamed category with everything below it, and searches and counts do so too', async () => {
    const world = await openWith(open, [['/A/Water/Lakes', '/A/Air'], ['/A/Water'], ['/A/Waterfalls']])
    await world.move({ '/A/Water': '/A/Hydrology' })
    expect(await world.paths()).toEqual([['/A/Hydrology/Lakes', '/A/Air'], ['/A/Hydrology'], ['/A/Waterfalls']])
    expect(await world.below('/A/Hydrology')).toEqual([0, 1])
    expect(await world.below('/A/Water')).toEqual([])
    expect(await world.below('/A')).toEqual([0, 1, 2])
    expect(await world.titled('hydrology')).toEqual([0, 1])
    expect(await world.titled('water')).toEqual([])
    expect(await world.counts()).toEqual({
      '/A': 3,
      '/A/Air': 1,
      '/A/Hydrology': 2,
      '/A/Hydrology/Lakes': 1,
      '/A/Waterfalls': 1,
    })
  })

  test('the longest declared prefix decides, and moves are one mapping: swaps and chains', async () => {
    const world = await openWith(open, [['/A/B'], ['/A/B/C'], ['/B'], ['/C/x'], ['/A']])
    const moves = { '/A': '/B', '/B': '/C', '/C': '/A', '/A/B': '/D/E' }
    const done = await world.move(moves)
    expect(await world.paths()).toEqual([['/D/E'], ['/D/E/C'], ['/C'], ['/A/x'], ['/B']])
    expect(await world.below('/D')).toEqual([0, 1])
    expect(await world.below('/B')).toEqual([4])
    expect(await world.below('/A')).toEqual([3])
    await world.undo([done])
    expect(await world.paths()).toEqual([['/A/B'], ['/A/B/C'], ['/B'], ['/C/x'], ['/A']])
    expect(await world.below('/A')).toEqual([0, 1, 4])
    expect(await world.below('/D')).toEqual([])
  })

  test('a category goes below another one and back, and every search finds its items where they are', async () => {
    const world = await openWith(open, [['/A/X/Y/Z'], ['/A/X'], ['/B'], ['/B/X/Q'], ['/A/K']])
    const done = await world.move({ '/A/X/Y': '/B/N/Y' })
    expect(await world.below('/A')).toEqual([1, 4])
    expect(await world.below('/A/X')).toEqual([1])
    expect(await world.below('/B')).toEqual([0, 2, 3])
    expect(await world.below('/B/N')).toEqual([0])
    expect(await world.below('/B/N/Y')).toEqual([0])
    expect(await world.titled('X')).toEqual([1, 3])
    await world.add(['/B/N/Y/Z', '/A'])
    expect(await world.below('/A')).toEqual([1, 4, 5])
    expect(await world.below('/B')).toEqual([0, 2, 3, 5])
    await world.undo([done])
    expect(await world.below('/A')).toEqual([0, 1, 4, 5])
    expect(await world.below('/B')).toEqual([2, 3])
    expect(await world.paths()).toEqual([['/A/X/Y/Z'], ['/A/X'], ['/B'], ['/B/X/Q'], ['/A/K'], ['/A/X/Y/Z', '/A']])
  })

  test('merged categories are one to items and searches, and are put apart again exactly', async () => {
    const world = await openWith(open, [['/A/x'], ['/B/x'], ['/A', '/B'], ['/C'], ['/B/y', '/A/y']])
    const done = await world.move({ '/B': '/A', '/C': '/A' }, ['/A', '/B', '/C'])
    expect(await world.paths()).toEqual([['/A/x'], ['/A/x'], ['/A'], ['/A'], ['/A/y']])
    expect(await world.below('/A')).toEqual([0, 1, 2, 3, 4])
    expect(await world.below('/A/x')).toEqual([0, 1])
    expect(await world.counts()).toEqual({ '/A': 5, '/A/x': 2, '/A/y': 1 })
    // A path that is added now belongs to the category that was there.
    await world.add(['/A', '/A/x'])
    await world.assign(2, ['/A', '/A/new'])
    await world.undo([done])
    expect(await world.paths()).toEqual([
      ['/A/x'],
      ['/B/x'],
      ['/A', '/B', '/A/new'],
      ['/C'],
      ['/B/y', '/A/y'],
      ['/A', '/A/x'],
    ])
    expect(await world.below('/B')).toEqual([1, 2, 4])
    expect(await world.counts()).toMatchObject({ '/A': 4, '/B': 3, '/C': 1, '/A/x': 2, '/B/x': 1 })
  })

  test('what is merged into a category that no item carries yet is put apart from what comes later', async () => {
    const world = await openWith(open, [['/B']])
    const done = await world.move({ '/B': '/A' }, ['/A', '/B'])
    await world.add(['/A'])
    expect(await world.paths()).toEqual([['/A'], ['/A']])
    await world.undo([done])
    expect(await world.paths()).toEqual([['/B'], ['/A']])
  })

  test('a category that neither the schema nor an item has is as if it had never been', async () => {
    const world = await openWith(open, [['/A/x'], ['/B']])
    await world.assign(0, [])
    const done = await world.move({ '/B': '/A' }, ['/B'])
    await world.add(['/A', '/A/x'])
    expect(await world.paths()).toEqual([[], ['/A'], ['/A', '/A/x']])
    await world.undo([done])
    expect(await world.paths()).toEqual([[], ['/B'], ['/B', '/A/x']])
    expect(await world.below('/A')).toEqual([2])
  })

  test('of two categories that are merged into a new one, what comes later belongs to the first', async () => {
    const world = await openWith(open, [['/B'], []])
    const done = await world.move({ '/A': '/N', '/B': '/N' }, ['/A', '/B'])
    await world.assign(1, ['/N'])
    await world.add(['/N/below'])
    await world.undo([done])
    expect(await world.paths()).toEqual([['/B'], ['/A'], ['/A/below']])
  })

  test('what comes below a moved category goes back with it, and forth again', async () => {
    const world = await openWith(open, [['/A/x']])
    const first = await world.move({ '/A': '/B' }, ['/A', '/A/x'])
    const second = await world.move({ '/B/x': '/C/x' }, ['/B', '/B/x', '/C'])
    await world.add(['/B/y', '/C/x/z', '/C', '/D'])
    const undone = await world.undo([second, first])
    expect(await world.paths()).toEqual([['/A/x'], ['/A/y', '/A/x/z', '/C', '/D']])
    expect(await world.below('/A')).toEqual([0, 1])
    expect(await world.below('/C')).toEqual([1])
    await world.undo([undone])
    expect(await world.paths()).toEqual([['/C/x'], ['/B/y', '/C/x/z', '/C', '/D']])
    expect(await world.below('/C')).toEqual([0, 1])
    expect(await world.below('/B')).toEqual([1])
  })

  test('cleared paths are gone from items, searches and counts, and come back', async () => {
    const world = await openWith(open, [['/A', '/A/B'], ['/A/B'], ['/A/B/C'], ['/D', '/A/B'], []])
    const done = await world.clear(['/A/B', '/A'])
    expect(await world.paths()).toEqual([[], [], ['/A/B/C'], ['/D'], []])
    expect(await world.uncategorized()).toEqual([0, 1, 4])
    expect(await world.below('/A')).toEqual([2])
    expect(await world.below('/A/B')).toEqual([2])
    expect(await world.titled('B')).toEqual([2])
    expect(await world.counts()).toEqual({ '/A': 1, '/A/B': 1, '/A/B/C': 1, '/D': 1 })
    await world.undo([done])
    expect(await world.paths()).toEqual([['/A', '/A/B'], ['/A/B'], ['/A/B/C'], ['/D', '/A/B'], []])
    expect(await world.below('/A')).toEqual([0, 1, 2, 3])
    expect(await world.uncategorized()).toEqual([4])
    expect(await world.counts()).toEqual({ '/A': 4, '/A/B': 4, '/A/B/C': 1, '/D': 1 })
  })

  test('a path that is assigned after it was cleared is another category', async () => {
    const world = await openWith(open, [['/A/B'], []])
    const done = await world.clear(['/A/B'])
    await world.assign(1, ['/A/B'])
    expect(await world.paths()).toEqual([[], ['/A/B']])
    expect(await world.below('/A')).toEqual([1])
    expect(await world.uncategorized()).toEqual([0])
    await world.undo([done])
    expect(await world.paths()).toEqual([['/A/B'], ['/A/B']])
    expect(await world.below('/A')).toEqual([0, 1])
    expect(await world.counts()).toEqual({ '/A': 2, '/A/B': 2 })
  })

  test('an item keeps what was cleared of it until its categories are replaced', async () => {
    const world = await openWith(open, [
      ['/A', '/B'],
      ['/A', '/B'],
    ])
    const done = await world.clear(['/B'])
    await world.assign(0, ['/A'])
    await world.assign(1, ['/A', '/C'])
    await world.undo([done])
    expect(await world.paths()).toEqual([
      ['/A', '/B'],
      ['/A', '/C'],
    ])
  })

  test('categories of a group are moved and cleared apart from those of the organization', async () => {
    const world = await openWith(open, [['/A/B'], ['/A']], ['/A/B', '/C'])
    const holder = { groupId }
    const moved = await world.move({ '/A': '/Z' }, [], group)
    expect(await world.paths()).toEqual([['/A/B'], ['/A']])
    expect(await world.groupPaths()).toEqual(['/Z/B', '/C'])
    expect(await world.below('/Z', holder)).toEqual([0])
    expect((await world.search({ kind: 'all' }, holder)).counts).toEqual({ '/Z': 1, '/Z/B': 1, '/C': 1 })
    const cleared = await world.clear(['/Z/B', '/C'], group)
    expect(await world.groupPaths()).toEqual([])
    expect(await world.uncategorized(holder)).toEqual([0])
    expect(await world.uncategorized()).toEqual([])
    await world.undo([cleared, moved], group)
    expect(await world.groupPaths()).toEqual(['/A/B', '/C'])
    expect(await world.uncategorized(holder)).toEqual([])
  })
}

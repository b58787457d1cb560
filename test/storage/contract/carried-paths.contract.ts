import { expect, test } from 'vitest'
import type { IdSet, PathMoves, PathSet } from '../../../src/categories/carried-paths.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { ItemSearch, ItemViewer } from '../../../src/items/search/item-search.ts'
import type { NewItem } from '../../../src/items/store.ts'
import { type CategoryCondition, type CategoryHolder, negationOf } from '../../../src/search/condition.ts'
import { fold } from '../../../src/search/folding.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, aGroup, anId, anItem, type OpenStorage, otherPortal } from './records.ts'

const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }
const groupId = anId(100)
const group: SchemaOwner = { kind: 'group', groupId }

const viewer: ItemViewer = {
  userId: anId(1),
  portalId: portal.portalId,
  seesOrganizationItems: true,
  seesEveryItem: true,
}

/** Items with these paths, in order; the first is shared with a group and has paths of it. */
async function openWith(
  open: OpenStorage,
  items: readonly (readonly string[])[],
  groupPaths: readonly string[] = [],
): Promise<World> {
  const storage = await open()
  await addPeople(storage)
  await storage.write(async (stores) => {
    await stores.directory.addGroup(aGroup({ groupId }))
    for (const [at, categories] of items.entries()) await stores.items.addItem(theItem(at, categories))
    await stores.items.putItemLink(theItem(0).itemId, { groupId, givesControl: false })
    await stores.items.putGroupCategories(groupId, [{ itemId: theItem(0).itemId, paths: groupPaths }])
  })
  return new World(storage, items.length)
}

function theItem(at: number, categories: readonly string[] = []): NewItem {
  return anItem({ itemId: anId(500 + at), categories })
}

class World {
  readonly #storage: WorkStorage
  #size: number

  constructor(storage: WorkStorage, size: number) {
    this.#storage = storage
    this.#size = size
  }

  move(moves: Readonly<Record<string, string>>, before: readonly string[] = [], owner = portal): Promise<PathMoves> {
    const list: Move[] = Object.entries(moves).map(([from, to]) => ({ from, to }))
    return this.#storage.write(({ items }) => items.movePaths(owner, list, before))
  }

  clear(paths: readonly string[], owner = portal): Promise<PathMoves> {
    return this.#storage.write(({ items }) => items.clearPaths(owner, paths))
  }

  undo(changes: readonly PathMoves[], owner = portal): Promise<PathMoves> {
    // As they are read from where they were kept.
    const kept = JSON.parse(JSON.stringify(changes)) as readonly PathMoves[]
    return this.#storage.write(({ items }) => items.undoMoves(owner, kept))
  }

  assign(at: number, categories: readonly string[]): Promise<void> {
    return this.#storage.write(({ items }) => items.updateItem(theItem(at, categories)))
  }

  add(categories: readonly string[]): Promise<void> {
    const at = this.#size
    this.#size += 1
    return this.#storage.write(({ items }) => items.addItem(theItem(at, categories)))
  }

  /** Paths of each item. */
  paths(): Promise<readonly (readonly string[])[]> {
    return this.#storage.read(({ items }) =>
      Promise.all(
        Array.from({ length: this.#size }, async (_, at) => {
          const found = await items.findItemFor(theItem(at).itemId, viewer.userId)
          return found!.item.categories
        }),
      ),
    )
  }

  async groupPaths(): Promise<readonly string[]> {
    const { itemId } = theItem(0)
    return (await this.#storage.read(({ items }) => items.listGroupCategories(groupId, [itemId]))).get(itemId) ?? []
  }

  /** Which items match, by their places, and how many have each path. */
  async search(condition: CategoryCondition | ItemSearch['condition'], holder: CategoryHolder = 'portal') {
    const search: ItemSearch = {
      condition,
      inTitle: undefined,
      bbox: undefined,
      sort: [],
      groupId: holder === 'portal' ? undefined : holder.groupId,
      countFields: ['categories'],
      countSize: 200,
    }
    const found = await this.#storage.read(({ items }) => items.searchItems(viewer, search, { start: 1, num: 100 }))
    const places = Array.from({ length: this.#size }, (_, at) => theItem(at).itemId)
    return {
      found: found.entries.map(({ item }) => places.indexOf(item.itemId)).sort(),
      counts: Object.fromEntries(found.counts[0]!.values.map(({ value, count }) => [value, count])),
    }
  }

  async below(path: string, holder: CategoryHolder = 'portal'): Promise<readonly number[]> {
    return (await this.search({ kind: 'category', holder, path: fold(path) }, holder)).found
  }

  async titled(title: string): Promise<readonly number[]> {
    return (await this.search({ kind: 'categoryTitle', holder: 'portal', title: fold(title) })).found
  }

  async uncategorized(holder: CategoryHolder = 'portal'): Promise<readonly number[]> {
    return (await this.search(negationOf({ kind: 'categorized', holder }), holder)).found
  }

  async counts(): Promise<Readonly<Record<string, number>>> {
    const { counts } = await this.search({ kind: 'all' })
    const listed = await this.#storage.read(({ items }) => items.countItemsByCategory(portal))
    expect(Object.fromEntries(listed.map(({ path, items }) => [path, items]))).toEqual(counts)
    return counts
  }

  read<Result>(work: (items: Parameters<Parameters<WorkStorage['read']>[0]>[0]['items']) => Promise<Result>) {
    return this.#storage.read(({ items }) => work(items))
  }
}

/** Paths of categories that items carry: they move, merge, are cleared, and come back. */
export function carriedPathsContract(open: OpenStorage): void {
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
    // What comes now belongs to the category that was there.
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
    expect(await counted({ kind: 'portal', portalId: otherPortal.portalId }, under('/A'))).toEqual([0])
  })

  test('paths are carried as long as an item shows them', async () => {
    const world = await openWith(open, [['/A/B', '/Łódź'], ['/A/B']])
    const carried = (path: string) => world.read((items) => items.isCarried(portal, path))
    expect(await world.read((items) => items.listCarriedPaths(portal))).toEqual(['/A/B', '/Łódź'])
    expect([await carried('/A'), await carried('/A/B'), await carried('/A/B/C'), await carried('/Łó')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    await world.assign(0, ['/A/B'])
    const done = await world.clear(['/A/B'])
    expect(await world.read((items) => items.listCarriedPaths(portal))).toEqual([])
    expect(await carried('/A')).toBe(false)
    await world.undo([done])
    expect(await carried('/A')).toBe(true)
    expect(await world.read((items) => items.countItems(portal, [{ paths: ['/A/B'], isBelowToo: false }]))).toEqual([2])
  })
}

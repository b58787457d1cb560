import { expect } from 'vitest'
import type { PathMoves } from '../../../../src/categories/carried-paths.ts'
import type { Move } from '../../../../src/categories/moves.ts'
import type { SchemaOwner } from '../../../../src/categories/store.ts'
import type { ItemSearch, ItemViewer } from '../../../../src/items/search/item-search.ts'
import type { NewItem } from '../../../../src/items/store.ts'
import { type CategoryCondition, type CategoryHolder, negationOf } from '../../../../src/search/condition.ts'
import { fold } from '../../../../src/search/folding.ts'
import type { WorkStorage } from '../../work-storage.ts'
import { countsByPath } from '../counts-by-path.ts'
import { addPeople, aGroup, anId, anItem, type OpenStorage } from '../records.ts'

export const portal: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }
export const groupId = anId(100)
export const group: SchemaOwner = { kind: 'group', groupId }

const viewer: ItemViewer = {
  userId: anId(1),
  portalId: portal.portalId,
  canViewOrganizationItems: true,
  canViewEveryItem: true,
}

/** Items with these paths, in order; the first is shared with a group and has paths of it. */
export async function openWith(
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

export class World {
  readonly #storage: WorkStorage
  #size: number

  constructor(storage: WorkStorage, size: number) {
    this.#storage = storage
    this.#size = size
  }

  move(moves: Readonly<Record<string, string>>, before: readonly string[] = [], owner = portal): Promise<PathMoves> {
    const list: Move[] = Object.entries(moves).map(([from, to]) => ({ from, to }))
    return this.#storage.items.movePaths(owner, list, new Set(before))
  }

  clear(paths: readonly string[], owner = portal): Promise<PathMoves> {
    return this.#storage.items.clearPaths(owner, paths)
  }

  undo(changes: readonly PathMoves[], owner = portal): Promise<PathMoves> {
    // Moves as they are read back from storage.
    const kept = JSON.parse(JSON.stringify(changes)) as readonly PathMoves[]
    return this.#storage.items.undoMoves(owner, kept)
  }

  assign(at: number, categories: readonly string[]): Promise<void> {
    return this.#storage.items.updateItem(theItem(at, categories))
  }

  add(categories: readonly string[]): Promise<void> {
    const at = this.#size
    this.#size += 1
    return this.#storage.items.addItem(theItem(at, categories))
  }

  /** Paths of each item. */
  paths(): Promise<readonly (readonly string[])[]> {
    return Promise.all(
      Array.from({ length: this.#size }, async (_, at) => {
        const found = await this.#storage.items.findItemFor(theItem(at).itemId, viewer.userId)
        return found!.item.categories
      }),
    )
  }

  async groupPaths(): Promise<readonly string[]> {
    const { itemId } = theItem(0)
    return (await this.#storage.items.listGroupCategories(groupId, [itemId])).get(itemId) ?? []
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
    const found = await this.#storage.items.searchItems(viewer, search, { start: 1, num: 100 })
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
    const listed = await countsByPath(this.#storage.items, portal)
    expect(Object.fromEntries(listed.map(({ path, items }) => [path, items]))).toEqual(counts)
    return counts
  }

  read<Result>(work: (items: Parameters<Parameters<WorkStorage['read']>[0]>[0]['items']) => Promise<Result>) {
    return this.#storage.read(({ items }) => work(items))
  }
}

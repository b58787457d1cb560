import type { PathMoves } from '../../../src/categories/carried-paths.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { Stores } from '../../../src/storage/storage.ts'
import { listAbove, NaiveLineage } from './naive-lineage.ts'
import type { ItemInMemory } from './naive-search.ts'
import { type Draw, drawPath, groups, portals } from './random-items.ts'

/** An owner of categories, as it is stored and as the model has it. */
export class LineageOfOwner {
  readonly owner: SchemaOwner
  readonly model = new NaiveLineage()
  readonly #drawPath: (draw: Draw) => string
  readonly #changes: PathMoves[] = []

  constructor(owner: SchemaOwner, drawPathOf: (draw: Draw) => string = drawPath) {
    this.owner = owner
    this.#drawPath = drawPathOf
  }

  /** Makes one random change to both; resolves with its description. */
  async change({ items }: Stores, draw: Draw): Promise<unknown> {
    const { owner, model } = this
    const kind = draw.one(['move', 'move', 'clear', 'undo'])
    if (kind === 'undo' && model.changes > 0) {
      const count = 1 + draw.below(Math.min(model.changes, 3))
      this.#changes.push(await items.undoMoves(owner, kept(this.#changes.slice(-count).reverse())))
      model.undo(count)
      return { undo: count }
    }
    if (kind === 'clear') {
      const paths = draw.some(3, () => this.#path(draw))
      this.#changes.push(await items.clearPaths(owner, paths))
      model.clear(paths)
      return { clear: paths }
    }
    const schema = [...new Set(draw.some(4, () => this.#path(draw)).flatMap((path) => [...listAbove(path), path]))]
    const moves = this.#moves(draw, [...new Set([...schema, ...model.shown()])])
    this.#changes.push(await items.movePaths(owner, moves, new Set(schema)))
    model.move(moves, schema)
    return { moves, schema }
  }

  /** From places in the schema, or of what items carry; to anywhere: below another one, onto it, or where another one was. */
  #moves(draw: Draw, known: readonly string[]): readonly Move[] {
    if (known.length === 0) return []
    const byFrom = new Map<string, Move>()
    for (let left = 1 + draw.below(4); left > 0; left -= 1) {
      const from = draw.one(known)
      const to = draw.once(3) ? `${this.#path(draw)}/${draw.one(['A', 'Water'])}` : this.#path(draw)
      if (from !== to) byFrom.set(from, { from, to })
    }
    return [...byFrom.values()]
  }

  #path(draw: Draw): string {
    const known = this.model.paths()
    return known.length === 0 || draw.once(3) ? this.#drawPath(draw) : draw.one(known)
  }

  /** Paths for an item: some that it has, and others. */
  paths(draw: Draw, itemId: string): readonly string[] {
    const present = this.model.pathsOf(itemId).filter(() => draw.once(2))
    return [...new Set([...present, ...draw.some(3, () => this.#path(draw))])]
  }
}

/** Changes as they come back from storage as text. */
function kept(changes: readonly PathMoves[]): readonly PathMoves[] {
  return JSON.parse(JSON.stringify(changes)) as readonly PathMoves[]
}

/** Every owner of the world, by the id of the organization or the group. */
export function lineagesOfWorld(): ReadonlyMap<string, LineageOfOwner> {
  const owners: readonly SchemaOwner[] = [
    ...portals.map((portalId) => ({ kind: 'portal', portalId }) as const),
    ...groups.map((groupId) => ({ kind: 'group', groupId }) as const),
  ]
  return new Map(
    owners.map((owner) => [owner.kind === 'group' ? owner.groupId : owner.portalId, new LineageOfOwner(owner)]),
  )
}

/** Gives an item random categories, of its organization or of a group that it is shared with. */
export async function categorize(
  { items }: Stores,
  draw: Draw,
  lineages: ReadonlyMap<string, LineageOfOwner>,
  { item, groups: shared }: ItemInMemory,
): Promise<unknown> {
  const groupId = draw.one([undefined, ...shared.keys()])
  const lineage = lineages.get(groupId ?? item.portalId)!
  const paths = lineage.paths(draw, item.itemId)
  if (groupId !== undefined) await items.putGroupCategories(groupId, [{ itemId: item.itemId, paths }])
  else await items.updateItem({ ...item, categories: paths })
  lineage.model.assign(item.itemId, paths)
  return { item: item.itemId, groupId, paths }
}

/** The item as the model has it now. */
export function asCategorized(
  lineages: ReadonlyMap<string, LineageOfOwner>,
  { item, groups: shared }: ItemInMemory,
): ItemInMemory {
  const pathsOf = (owner: string) => lineages.get(owner)!.model.pathsOf(item.itemId)
  return {
    item: { ...item, categories: pathsOf(item.portalId) },
    groups: new Map([...shared.keys()].map((groupId) => [groupId, pathsOf(groupId)])),
  }
}

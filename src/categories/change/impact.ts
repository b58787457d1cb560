import type { CarriedPathReader, CategoryPlace, PathMoves, PlacedCategory } from '../carried-paths.ts'
import type { Change, Diff, Suggestion } from '../diff/change.ts'
import { undoPlaces } from '../lineage.ts'
import { followMoves } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'
import { isAtOrBelow, listVanishing, type PathsOfChange } from './paths.ts'

/** A number of items; null where counting would take too long. */
export type ItemCount = number | null

export type CountedChange = Change & { readonly items?: ItemCount }
export type CountedSuggestion = Suggestion & { readonly items: ItemCount }

/** Effect of a change on items. All are counted, whether the caller sees them or not: a number reveals no names. */
export interface Impact {
  /** Items that move, or lose a category that is recognized now. */
  readonly items: ItemCount
  readonly moved: ItemCount
  readonly vanishing: ItemCount
  /** Items with a category that the schema does not have. */
  readonly unrecognizedBefore: ItemCount
  readonly unrecognizedAfter: ItemCount
  /** Vanishing categories, the highest of each branch. */
  readonly byPath: readonly { readonly path: string; readonly items: ItemCount }[]
}

/** Effect of a change on the categories that items carry. */
export interface ItemChange extends PathsOfChange {
  /** Whether items lose what vanishes. */
  readonly isCleared: boolean
  /** Moves that a restore undoes, the newest first: then `moves` are only those of schemas, and items follow these. */
  readonly undone?: readonly PathMoves[] | undefined
}

export interface CountedDiff {
  readonly changes: readonly CountedChange[]
  readonly suggestions: readonly CountedSuggestion[]
  readonly impact: Impact
}

/** Maximum number of sets of items that one plan counts (chosen). */
const maxSets = 200

export type ItemCounter = Pick<CarriedPathReader, 'listCarried' | 'countItems'>

/** Adds the numbers of items to a diff. */
export async function countItems(
  items: ItemCounter,
  owner: SchemaOwner,
  change: ItemChange,
  { changes, suggestions }: Diff,
): Promise<CountedDiff> {
  const carried = findSteps(await items.listCarried(owner), change)
  const sets = new CountedSets()
  const { before: known, after: kept } = change
  const moving = carried.filter(({ from, to }) => to !== undefined && to !== from)
  const lost = carried.filter(({ from, to }) => isIn(known, from) && !isIn(kept, to))

  const impact = {
    items: sets.add([...new Set([...moving, ...lost])]),
    moved: sets.add(moving),
    vanishing: sets.add(lost),
    unrecognizedBefore: sets.add(carried.filter(({ from }) => from !== undefined && !known.has(from))),
    unrecognizedAfter: sets.add(carried.filter(({ to }) => to !== undefined && !kept.has(to))),
  }
  const lostPaths = [...new Set(lost.map(({ from }) => from!))].sort()
  const tops = lostPaths.filter((path) => !lostPaths.some((other) => other !== path && isAtOrBelow(path, other)))
  const byPath = tops.map((path) => ({ path, items: sets.add(stepsFrom(lost, path)) }))
  const ofChanges = changes.map((one) => {
    const concerned = stepsOf(one, carried, lost)
    return concerned ? { ...one, items: sets.add(concerned) } : one
  })
  const ofSuggestions = suggestions.map((one) => ({ ...one, items: sets.add(stepsFrom(carried, one.from)) }))

  const count = await sets.count(items, owner)
  return {
    changes: ofChanges.map((one) => ('items' in one ? { ...one, items: count(one.items) } : one)),
    suggestions: ofSuggestions.map((one) => ({ ...one, items: count(one.items) })),
    impact: {
      items: count(impact.items),
      moved: count(impact.moved),
      vanishing: count(impact.vanishing),
      unrecognizedBefore: count(impact.unrecognizedBefore),
      unrecognizedAfter: count(impact.unrecognizedAfter),
      byPath: byPath.map((one) => ({ path: one.path, items: count(one.items) })),
    },
  }
}

/** Effect of a change on a category that items carry: its path before and after, undefined where it is cleared. */
interface Step {
  readonly id: number
  readonly from: string | undefined
  readonly to: string | undefined
}

function findSteps(carried: readonly PlacedCategory[], change: ItemChange): readonly Step[] {
  const places = change.undone ? undoneFrom(carried, change.undone) : movedFrom(carried, change)
  return carried.map((category) => ({
    id: category.id,
    from: shownPath(category),
    to: shownPath(places.get(category.id) ?? category),
  }))
}

/** Exact, as merged and cleared categories stay separate: no mapping of paths distinguishes them. */
function undoneFrom(carried: readonly PlacedCategory[], undone: readonly PathMoves[]) {
  return new Map(undoPlaces(carried, undone).rows.map(({ id, to }) => [id, to]))
}

function movedFrom(carried: readonly PlacedCategory[], change: ItemChange): ReadonlyMap<number, CategoryPlace> {
  const follow = followMoves(change.moves)
  const shown = carried.filter(({ state }) => state !== 'cleared')
  const cleared = change.isCleared ? listVanishing(change) : new Set<string>()
  return new Map(
    shown.map(({ id, path, state }) => [id, { path: follow(path), state: cleared.has(path) ? 'cleared' : state }]),
  )
}

function shownPath({ path, state }: CategoryPlace): string | undefined {
  return state === 'cleared' ? undefined : path
}

function isIn(paths: ReadonlySet<string>, path: string | undefined): boolean {
  return path !== undefined && paths.has(path)
}

function stepsFrom(steps: readonly Step[], path: string): readonly Step[] {
  return steps.filter(({ from }) => from !== undefined && isAtOrBelow(from, path))
}

/** Categories whose items a change concerns; undefined where it concerns none. */
function stepsOf(change: Change, carried: readonly Step[], lost: readonly Step[]): readonly Step[] | undefined {
  const { op, path } = change
  if (op === 'remove') return stepsFrom(lost, path)
  if (op !== 'rename' && op !== 'move' && op !== 'merge') return undefined
  // Items do not follow without a move.
  if (!change.declared) return stepsFrom(lost, path)
  return stepsFrom(carried, path).filter(({ to }) => to !== undefined && isAtOrBelow(to, change.to))
}

/** Sets of categories whose items are counted together, each set once. */
class CountedSets {
  readonly #positions = new Map<string, number>()
  readonly #sets: (readonly number[])[] = []

  /** The position of the set. */
  add(steps: readonly Step[]): number {
    const ids = steps.map(({ id }) => id)
    const key = ids.join()
    const position = this.#positions.get(key) ?? this.#sets.push(ids) - 1
    this.#positions.set(key, position)
    return position
  }

  async count(items: ItemCounter, owner: SchemaOwner): Promise<(position: number) => ItemCount> {
    const asked = this.#sets.slice(0, maxSets).map((ids) => ({ ids }))
    const counted = await items.countItems(owner, asked)
    return (position) => (this.#sets[position]!.length === 0 ? 0 : (counted[position] ?? null))
  }
}

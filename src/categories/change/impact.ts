import type { CarriedPathReader } from '../carried-paths.ts'
import type { Change, Diff, Suggestion } from '../diff/change.ts'
import { followMoves } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'
import { chooseLost, isAtOrBelow, type PathsOfChange } from './paths.ts'

/** A number of items; null where counting would take too long. */
export type ItemCount = number | null

export type CountedChange = Change & { readonly items?: ItemCount }
export type CountedSuggestion = Suggestion & { readonly items: ItemCount }

/** What a change means for items. All are counted, whether the caller sees them or not: a number tells no names. */
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

export interface CountedDiff {
  readonly changes: readonly CountedChange[]
  readonly suggestions: readonly CountedSuggestion[]
  readonly impact: Impact
}

/** Most sets of items that one plan counts (chosen). */
const mostSets = 200

/** Adds the numbers of items to a diff. `isCleared`: items lose what vanishes. */
export async function countItems(
  items: CarriedPathReader,
  owner: SchemaOwner,
  change: PathsOfChange & { readonly isCleared: boolean },
  { changes, suggestions }: Diff,
): Promise<CountedDiff> {
  const carried = await items.listCarriedPaths(owner)
  const sets = new CountedSets()
  const follow = followMoves(change.moves)
  const kept = new Set(change.after)
  const known = new Set(change.before)
  const lost = chooseLost(carried, change)
  const isLost = new Set(lost)
  const moving = carried.filter((path) => follow(path) !== path)
  const unrecognized = carried.filter((path) => !kept.has(follow(path)) && !(change.isCleared && isLost.has(path)))

  const impact = {
    items: sets.add([...new Set([...moving, ...lost])]),
    moved: sets.add(moving),
    vanishing: sets.add(lost),
    unrecognizedBefore: sets.add(carried.filter((path) => !known.has(path))),
    unrecognizedAfter: sets.add(unrecognized),
  }
  const tops = lost.filter((path) => !lost.some((other) => other !== path && isAtOrBelow(path, other)))
  const byPath = tops.map((path) => ({ path, items: sets.add(lost.filter((one) => isAtOrBelow(one, path))) }))
  const ofChanges = changes.map((one) => {
    const places = placesOf(one, carried, lost)
    return places ? { ...one, items: sets.add(places) } : one
  })
  const ofSuggestions = suggestions.map((one) => ({
    ...one,
    items: sets.add(carried.filter((path) => isAtOrBelow(path, one.from))),
  }))

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

/** Carried paths whose items a change concerns; undefined where it concerns none. */
function placesOf(change: Change, carried: readonly string[], lost: readonly string[]): readonly string[] | undefined {
  const { op, path } = change
  if (op === 'remove') return lost.filter((one) => isAtOrBelow(one, path))
  if (op !== 'rename' && op !== 'move' && op !== 'merge') return undefined
  // Without a move, items do not follow.
  return (change.declared ? carried : lost).filter((one) => isAtOrBelow(one, path))
}

/** Sets of paths whose items are counted together, each set once. */
class CountedSets {
  readonly #positions = new Map<string, number>()
  readonly #sets: (readonly string[])[] = []

  /** The position of the set. */
  add(paths: readonly string[]): number {
    const key = paths.join('\n')
    const position = this.#positions.get(key) ?? this.#sets.push(paths) - 1
    this.#positions.set(key, position)
    return position
  }

  async count(items: CarriedPathReader, owner: SchemaOwner): Promise<(position: number) => ItemCount> {
    const asked = this.#sets.slice(0, mostSets).map((paths) => ({ paths, isBelowToo: false }))
    const counted = await items.countItems(owner, asked)
    return (position) => (this.#sets[position]!.length === 0 ? 0 : (counted[position] ?? null))
  }
}

import type { CategoryPlace, PathMoves, PlacedCategory } from './carried-paths.ts'
import { composeMoves, followMoves, type Move } from './moves.ts'

/** Moves of categories when paths are moved or cleared, and back. */

/**
 * Moves the categories. `used` are the paths of the schema of before and those that items carry: what has another path, and none
 * of these below it, yields its path to what comes there, as if it had never been.
 */
export function movePlaces(
  categories: readonly PlacedCategory[],
  moves: readonly Move[],
  used: readonly string[],
): PathMoves {
  const follow = followMoves(moves)
  const followed = categories.map(({ path, state }) => ({ path, to: follow(path), state }))
  const origins = findOrigins(moves, followed, used)
  const goTo = (_: PlacedCategory, at: number): CategoryPlace => {
    const { path, to, state } = followed[at]!
    return { path: to, state: state !== 'primary' || origins.get(to) === path ? state : 'merged' }
  }
  return {
    ...toRows(categories, goTo),
    forward: moves,
    back: inverseOf(origins),
  }
}

/** `/A/B/C` → `/A`, `/A/B`, `/A/B/C`. */
export function withAbove(path: string): readonly string[] {
  const paths: string[] = []
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) paths.push(path.slice(0, end))
  return path === '' ? [] : [...paths, path]
}

/** Hides what has exactly one of the paths. */
export function clearPlaces(categories: readonly PlacedCategory[], paths: readonly string[]): PathMoves {
  const cleared = new Set(paths)
  const hide = ({ path, state }: CategoryPlace): CategoryPlace => ({
    path,
    state: cleared.has(path) ? 'cleared' : state,
  })
  return { ...toRows(categories, hide), forward: [], back: [] }
}

/** Undoes the changes, the newest first. */
export function undoPlaces(categories: readonly PlacedCategory[], changes: readonly PathMoves[]): PathMoves {
  const places = new Map<number, CategoryPlace>(categories.map(({ id, path, state }) => [id, { path, state }]))
  for (const { rows, lastId, back } of changes) {
    const follow = followMoves(back)
    const returned = new Set<number>()
    for (const { id, from } of rows) if (places.has(id)) places.set(id, from)
    for (const [id, { path, state }] of places) {
      if (id <= lastId) continue
      const to = follow(path)
      if (to === path) continue
      returned.add(id)
      places.set(id, { path: to, state })
    }
    settle(places, (id) => (id <= lastId ? 0 : returned.has(id) ? 1 : 2))
  }
  // One mapping for all of them, however often changes are undone that undo others.
  const pathsOf = (some: Iterable<CategoryPlace>) => [...new Set(Array.from(some, ({ path }) => path))]
  return {
    ...toRows(categories, ({ id }) => places.get(id)!),
    forward: composeMoves(
      changes.map(({ back }) => back),
      pathsOf(categories),
    ),
    back: composeMoves(
      changes.toReversed().map(({ forward }) => forward),
      pathsOf(places.values()),
    ),
  }
}

/** Leaves one primary category at each path: the one of the lowest rank, and of these the oldest. */
function settle(places: Map<number, CategoryPlace>, rankOf: (id: number) => number): void {
  const first = new Map<string, number>()
  const primary = [...places].filter(([, { state }]) => state === 'primary').map(([id]) => id)
  for (const id of primary.toSorted((one, other) => rankOf(one) - rankOf(other) || one - other)) {
    const { path } = places.get(id)!
    if (first.has(path)) places.set(id, { path, state: 'merged' })
    else first.set(path, id)
  }
}

/** A category, and where the moves lead its path. */
interface FollowedPlace extends CategoryPlace {
  readonly to: string
}

/**
 * Maps each path after the moves to the one before that it continues: the path itself if it does not move, otherwise that of the
 * first move to it; one that is used before any other. The others are merged into it.
 */
function findOrigins(
  moves: readonly Move[],
  followed: readonly FollowedPlace[],
  used: readonly string[],
): ReadonlyMap<string, string> {
  const origins = new Map<string, string>()
  let withParents: ReadonlySet<string> | undefined
  const rank = (path: string) => {
    withParents ??= new Set(used.flatMap(withAbove))
    return rankOf(moves, path) + (withParents.has(path) ? 0 : moves.length + 1)
  }
  for (const { path, to, state } of followed) {
    if (state === 'cleared') continue
    const known = origins.get(to)
    // Nearly always the only one that goes there.
    if (known === undefined || (known !== path && rank(path) < rank(known))) origins.set(to, path)
  }
  return origins
}

/** The fewest moves by which each path goes back to its origin. */
function inverseOf(origins: ReadonlyMap<string, string>): readonly Move[] {
  const inverse: Move[] = []
  let follow = followMoves(inverse)
  for (const [to, from] of [...origins].toSorted(([one], [other]) => one.length - other.length)) {
    if (follow(to) === from) continue
    inverse.push({ from: to, to: from })
    follow = followMoves(inverse)
  }
  return inverse
}

/** The place of the move that decides where the path goes; -1 if none does. */
function rankOf(moves: readonly Move[], path: string): number {
  const above = moves.filter(({ from }) => path === from || path.startsWith(`${from}/`))
  const longest = Math.max(...above.map(({ from }) => from.length))
  return moves.findIndex((move) => move.from.length === longest && above.includes(move))
}

function toRows(
  categories: readonly PlacedCategory[],
  placeOf: (category: PlacedCategory, at: number) => CategoryPlace,
): Pick<PathMoves, 'rows' | 'lastId'> {
  const rows = categories.flatMap((category, at) => {
    const { id, path, state } = category
    const to = placeOf(category, at)
    return to.path === path && to.state === state ? [] : [{ id, from: { path, state }, to }]
  })
  return { rows, lastId: Math.max(0, ...categories.map(({ id }) => id)) }
}

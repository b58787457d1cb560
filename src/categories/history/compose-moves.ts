import { followMoves, type Move } from '../moves.ts'

/**
 * The moves of several versions, the oldest first, as one simultaneous mapping from the paths of the first schema to those
 * of the last. What leads to no path of the last schema is reported only where another move would lead it to one.
 */
export function composeMoves(
  before: readonly string[],
  after: readonly string[],
  steps: readonly (readonly Move[])[],
): readonly Move[] {
  const follow = followAll(steps)
  return declare(
    before.map((from) => ({ from, to: follow(from) })),
    new Set(after),
  )
}

/**
 * Moves back: from the paths of the last schema to those of the first. Where several paths came together, the way back is
 * that of the path that was there before, else of the first. A category that was added since then where another one was
 * before keeps its path, as its items do: the way back merges the other one into it.
 */
export function composeMovesBack(
  before: readonly string[],
  after: readonly string[],
  steps: readonly (readonly Move[])[],
): readonly Move[] {
  const follow = followAll(steps)
  const origins = new Map<string, string>()
  for (const origin of before) {
    const place = follow(origin)
    if (origin === place || !origins.has(place)) origins.set(place, origin)
  }
  return declare(
    after.flatMap((from) => (origins.has(from) ? [{ from, to: origins.get(from)! }] : [])),
    new Set(before),
  )
}

function followAll(steps: readonly (readonly Move[])[]): (path: string) => string {
  const follows = steps.map(followMoves)
  return (path) => follows.reduce((place, follow) => follow(place), path)
}

/** The mappings, parents first, that do not follow from those of a parent. */
function declare(mappings: readonly Move[], targets: ReadonlySet<string>): readonly Move[] {
  const declared: Move[] = []
  for (const mapping of mappings) {
    const place = followMoves(declared)(mapping.from)
    if (place !== mapping.to && (targets.has(mapping.to) || targets.has(place))) declared.push(mapping)
  }
  return declared
}

import type { CarriedPathReader } from '../carried-paths.ts'
import { followMoves, type Move } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'

/** Two schemas by their paths, and the moves between. */
export interface PathsOfChange {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly moves: readonly Move[]
}

/** Paths that items carry, that the present schema has, and that lead to none of the new one. */
export async function findLostPaths(
  items: CarriedPathReader,
  owner: SchemaOwner,
  change: PathsOfChange,
): Promise<readonly string[]> {
  return chooseLost(await items.listCarriedPaths(owner), change)
}

export function chooseLost(carried: readonly string[], { before, after, moves }: PathsOfChange): readonly string[] {
  const known = new Set(before)
  const kept = new Set(after)
  const follow = followMoves(moves)
  return carried.filter((path) => known.has(path) && !kept.has(follow(path)))
}

export function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`)
}

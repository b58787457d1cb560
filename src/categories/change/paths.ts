import type { CarriedPathReader } from '../carried-paths.ts'
import { followMoves, type Move } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'

/** Two schemas by their paths, and the moves between. */
export interface PathsOfChange {
  readonly before: ReadonlySet<string>
  readonly after: ReadonlySet<string>
  readonly moves: readonly Move[]
}

export type CarriedPaths = Pick<CarriedPathReader, 'isCarried' | 'listCarriedOf'>

/** Paths that items carry, that the present schema has, and that lead to none of the new one: asked of these paths alone. */
export async function findLostPaths(
  items: Pick<CarriedPaths, 'listCarriedOf'>,
  owner: SchemaOwner,
  change: PathsOfChange,
): Promise<readonly string[]> {
  const vanishing = [...listVanishing(change)]
  return vanishing.length > 0 ? items.listCarriedOf(owner, vanishing) : []
}

/** Paths of the present schema that lead to none of the new one. */
export function listVanishing({ before, after, moves }: PathsOfChange): ReadonlySet<string> {
  const follow = followMoves(moves)
  return new Set([...before].filter((path) => !after.has(follow(path))))
}

export function isAtOrBelow(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`)
}

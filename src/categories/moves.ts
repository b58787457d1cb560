/** A declared change of a path: items that carry `from`, or a path below it, follow. */
export interface Move {
  readonly from: string
  readonly to: string
}

/** Enough for each category of a schema (chosen). */
export const maxMoves = 200

/** Maximum length of a path, in UTF-16 code units: several times that of a schema's (chosen). */
const maxPathLength = 2_000

/** Schemas that the moves of one call are judged by; without `before`, by the new schema alone. */
export interface MoveContext {
  /** Paths of the present schema. */
  readonly before?: ReadonlySet<string>
  /** Paths of the new schema. */
  readonly after: ReadonlySet<string>
  /** Whether an item carries the path, or one below it; asked only for paths that the present schema does not have. */
  readonly isCarried?: (path: string) => boolean
}

/** A move that is refused, by its position among the moves, and why. */
export interface RefusedMove {
  readonly position: number
  readonly problem: string
}

/** Why the moves are refused, one sentence for each that is; none if they are accepted. */
export function judgeMoves(moves: readonly Move[], context: MoveContext): readonly string[] {
  if (moves.length > maxMoves) return [`moves: ${moves.length} moves; at most ${maxMoves} are allowed.`]
  return findRefusedMoves(moves, context).map(({ position, problem }) => `moves/${position}: ${problem}`)
}

/** The moves that are refused each for itself, however many there are. */
export function findRefusedMoves(
  moves: readonly Move[],
  { before, after, isCarried }: MoveContext,
): readonly RefusedMove[] {
  const positions = new Map<string, number>()
  const targets = new Set(moves.map(({ to }) => to))
  const problemOf = ({ from, to }: Move, position: number): string | undefined => {
    if (from === '' && to === '') return 'has no texts from and to.'
    if (!isPath(from)) return `from ${quote(from)} is not a category path.`
    if (!isPath(to)) return `to ${quote(to)} is not a category path.`
    if (from === to) return `from and to are both ${quote(from)}.`
    const earlier = positions.get(from)
    if (earlier !== undefined) return `${quote(from)} is moved by moves/${earlier} already.`
    positions.set(from, position)
    if (!after.has(to)) return `to ${quote(to)} is not in the new category schema.`
    if (after.has(from) && !targets.has(from)) {
      return `from ${quote(from)} is still in the new category schema, and no move leads to it.`
    }
    if (before && !before.has(from) && !isCarried?.(from)) {
      return `from ${quote(from)} is neither in the present category schema nor carried by an item.`
    }
    return undefined
  }
  return moves.flatMap((move, position) => {
    const problem = problemOf(move, position)
    return problem === undefined ? [] : [{ position, problem }]
  })
}

/** A slash before each title, and no title that is blank or has a reserved or control character. */
function isPath(path: string): boolean {
  if (path.length > maxPathLength || !path.isWellFormed() || !path.startsWith('/')) return false
  return path
    .slice(1)
    .split('/')
    .every((title) => title.trim() !== '' && !/[,\p{Cc}]/u.test(title))
}

const maxQuoteLength = 500

function quote(path: string): string {
  return JSON.stringify(path.length > maxQuoteLength ? `${path.slice(0, maxQuoteLength)}…` : path)
}

/**
 * Maps a path by the moves: one simultaneous mapping, not a sequence, so swaps and chains need no order. A path follows
 * the longest `from` that it equals or is below; the rest of it is appended. Of moves with one `from` the first counts.
 */
export function followMoves(moves: readonly Move[]): (path: string) => string {
  const targets = new Map<string, string>()
  for (const { from, to } of moves) if (!targets.has(from)) targets.set(from, to)
  return (path) => followTargets(path, targets)
}

function followTargets(path: string, targets: ReadonlyMap<string, string>): string {
  if (targets.size === 0) return path
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const target = targets.get(path.slice(0, end))
    if (target !== undefined) return target + path.slice(end)
  }
  return path
}

/**
 * The moves, parents first, that lead each of the paths where all the steps lead it, in order. One of a path to itself keeps
 * it from following a shorter one.
 */
export function composeMoves(steps: readonly (readonly Move[])[], paths: readonly string[]): readonly Move[] {
  const follows = steps.map(followMoves)
  const targets = new Map<string, string>()
  for (const from of [...paths].sort((one, other) => one.length - other.length)) {
    const to = follows.reduce((path, follow) => follow(path), from)
    if (followTargets(from, targets) !== to) targets.set(from, to)
  }
  return [...targets].map(([from, to]) => ({ from, to }))
}

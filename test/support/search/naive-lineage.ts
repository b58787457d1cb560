import type { Move } from '../../../src/categories/moves.ts'

/** A category of which only the model knows that it is the same wherever it goes. */
interface Hidden {
  path: string
  isShown: boolean
  /** Whether items get this category when they are given its path. */
  isPresent: boolean
  /** Whether an item ever carried it, or one below it: the others are known by a schema only. */
  isReal: boolean
}

interface Change {
  readonly before: readonly Hidden[]
  /** Where a category that came later would have been before. */
  readonly back: (path: string) => string
  readonly forward: (path: string) => string
}

/** The categories of one owner, and what items carry of them: every step as the rules say it, without any haste. */
export class NaiveLineage {
  readonly #categories: Hidden[] = []
  readonly #carried = new Map<string, readonly Hidden[]>()
  readonly #changes: Change[] = []

  get changes(): number {
    return this.#changes.length
  }

  /** Every path that a category has or had a part of, shown or not. */
  paths(): readonly string[] {
    return [...new Set(this.#categories.map(({ path }) => path))].sort()
  }

  pathsOf(itemId: string): readonly string[] {
    const shown = (this.#carried.get(itemId) ?? []).filter(({ isShown }) => isShown)
    return [...new Set(shown.map(({ path }) => path))]
  }

  assign(itemId: string, paths: readonly string[]): void {
    const present = this.pathsOf(itemId)
    if (JSON.stringify(present) === JSON.stringify(paths)) return
    const carried = this.#carried.get(itemId) ?? []
    const next = paths.flatMap((path) => {
      const own = carried.filter((one) => one.isShown && one.path === path)
      if (own.length > 0) return own
      for (const above of listAbove(path)) this.#requirePresent(above).isReal = true
      const given = this.#requirePresent(path)
      given.isReal = true
      return [given]
    })
    this.#carried.set(itemId, next)
  }

  move(moves: readonly Move[], schema: readonly string[]): void {
    for (const one of this.#categories) if (!one.isReal && !schema.includes(one.path)) one.isPresent = false
    for (const path of schema) this.#requirePresent(path)
    const before = this.#copy()
    const follow = (path: string) => goBy(longest(moves, path), path)
    /** Of each path after the moves, the path that it continues. */
    const continued = new Map<string, string>()
    const moved = (path: string) => longest(moves, path) !== undefined
    const inOrder = [
      ...new Set(
        this.#categories.filter((one) => one.isShown && (one.isReal || one.isPresent)).map(({ path }) => path),
      ),
    ]
    inOrder.sort((one, other) => orderOf(moves, one) - orderOf(moves, other))
    for (const path of inOrder) if (!continued.has(follow(path))) continued.set(follow(path), path)
    for (const one of this.#categories) {
      const to = follow(one.path)
      if (moved(one.path) && continued.get(to) !== one.path) one.isPresent = false
      one.path = to
    }
    this.#addAbove()
    const back = (path: string) => {
      const place = [path, ...listAbove(path).toReversed()].find((above) => continued.has(above))
      return place === undefined ? path : continued.get(place) + path.slice(place.length)
    }
    this.#changes.push({ before, back, forward: follow })
  }

  clear(paths: readonly string[]): void {
    const before = this.#copy()
    for (const one of this.#categories) {
      if (!paths.includes(one.path)) continue
      one.isShown = false
      one.isPresent = false
    }
    this.#changes.push({ before, back: (path) => path, forward: (path) => path })
  }

  /** Undoes the last changes, which is a change itself. */
  undo(count: number): void {
    const before = this.#copy()
    const undone = this.#changes.slice(-count).reverse()
    for (const change of undone) {
      const later = this.#categories.slice(change.before.length)
      const stayed = later.filter((one) => change.back(one.path) === one.path)
      for (const one of later) one.path = change.back(one.path)
      for (const [at, was] of change.before.entries())
        Object.assign(this.#categories[at]!, was, { isReal: this.#categories[at]!.isReal })
      // Those that were there first are the ones that items are given, then those that have come back.
      const rank = (one: Hidden) => (!one.isReal ? 3 : !later.includes(one) ? 0 : stayed.includes(one) ? 2 : 1)
      const taken = new Set<string>()
      for (const one of this.#categories.toSorted((some, other) => rank(some) - rank(other))) {
        if (!one.isPresent) continue
        if (taken.has(one.path)) one.isPresent = false
        taken.add(one.path)
      }
    }
    this.#addAbove()
    this.#changes.push({
      before,
      back: (path) => undone.toReversed().reduce((at, { forward }) => forward(at), path),
      forward: (path) => undone.reduce((at, { back }) => back(at), path),
    })
  }

  #copy(): readonly Hidden[] {
    return this.#categories.map((one) => ({ ...one }))
  }

  #requirePresent(path: string): Hidden {
    const known = this.#categories.find((one) => one.isPresent && one.path === path)
    if (known) return known
    const made = { path, isShown: true, isPresent: true, isReal: false }
    this.#categories.push(made)
    return made
  }

  /** What is above a category that items carry is one too. */
  #addAbove(): void {
    for (const { path, isReal } of [...this.#categories]) {
      if (!isReal) continue
      for (const above of listAbove(path)) {
        if (!this.#categories.some((one) => one.path === above && one.isReal)) this.#requirePresent(above).isReal = true
      }
    }
  }
}

/** `/A/B/C` → `/A`, `/A/B`. */
export function listAbove(path: string): readonly string[] {
  const titles = path.split('/')
  return titles.slice(2).map((_, at) => titles.slice(0, at + 2).join('/'))
}

function longest(moves: readonly Move[], path: string): Move | undefined {
  const above = moves.filter(({ from }) => `${path}/`.startsWith(`${from}/`))
  return above.toSorted((one, other) => other.from.length - one.from.length)[0]
}

function goBy(move: Move | undefined, path: string): string {
  return move ? move.to + path.slice(move.from.length) : path
}

/** What does not move comes first. */
function orderOf(moves: readonly Move[], path: string): number {
  const move = longest(moves, path)
  return move ? moves.indexOf(move) : -1
}

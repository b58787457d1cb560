import type { Move } from '../../../src/categories/moves.ts'

/** A category of which only the model knows that it is the same wherever it goes. */
interface Hidden {
  path: string
  isShown: boolean
  /** Whether items get this category when they are given its path. */
  isPresent: boolean
}

interface Change {
  /** Every category before it; later ones are not among them. */
  readonly before: readonly Hidden[]
  /** Where a category that came later would have been before. */
  readonly back: (path: string) => string
  readonly forward: (path: string) => string
}

/** The categories of one owner, and what items carry of them, step by step as the rules say it. */
export class NaiveLineage {
  readonly #categories: Hidden[] = []
  readonly #carried = new Map<string, readonly Hidden[]>()
  readonly #changes: Change[] = []

  get changes(): number {
    return this.#changes.length
  }

  /** Every path of a category, shown or not. */
  paths(): readonly string[] {
    return [...new Set(this.#categories.map(({ path }) => path))].sort()
  }

  shown(): readonly string[] {
    return [...new Set(this.#categories.filter(({ isShown }) => isShown).map(({ path }) => path))].sort()
  }

  pathsOf(itemId: string): readonly string[] {
    const shown = (this.#carried.get(itemId) ?? []).filter(({ isShown }) => isShown)
    return [...new Set(shown.map(({ path }) => path))]
  }

  assign(itemId: string, paths: readonly string[]): void {
    if (JSON.stringify(this.pathsOf(itemId)) === JSON.stringify(paths)) return
    const carried = this.#carried.get(itemId) ?? []
    const next = paths.flatMap((path) => {
      const own = carried.filter((one) => one.isShown && one.path === path)
      return own.length > 0 ? own : [this.#requirePresent(path)]
    })
    this.#carried.set(itemId, next)
  }

  move(moves: readonly Move[], schema: readonly string[]): void {
    for (const path of schema) this.#requirePresent(path)
    const before = this.#copy()
    const follow = (path: string) => goBy(longest(moves, path), path)
    /** Path that each path after the moves continues: of used paths, unmoved ones come first. */
    const continued = new Map<string, string>()
    const carried = [...this.#carried.keys()].flatMap((itemId) => this.pathsOf(itemId))
    const used = [...schema, ...carried].flatMap((path) => [path, ...listAbove(path)])
    const inOrder = this.shown().toSorted((one, other) => orderOf(moves, one) - orderOf(moves, other))
    for (const path of [...inOrder.filter((one) => used.includes(one)), ...inOrder]) {
      if (!continued.has(follow(path))) continued.set(follow(path), path)
    }
    for (const one of this.#categories) {
      const to = follow(one.path)
      if (continued.get(to) !== one.path) one.isPresent = false
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
      if (paths.includes(one.path)) Object.assign(one, { isShown: false, isPresent: false })
    }
    this.#changes.push({ before, back: (path) => path, forward: (path) => path })
  }

  /** Undoes the last changes, which is a change itself. */
  undo(count: number): void {
    const before = this.#copy()
    const undone = this.#changes.slice(-count).reverse()
    for (const change of undone) this.#undo(change)
    const after = this.#copy()
    this.#addAbove()
    this.#changes.push({
      before,
      back: asKnown(after, (path) => undone.toReversed().reduce((at, { forward }) => forward(at), path)),
      forward: asKnown(before, (path) => undone.reduce((at, { back }) => back(at), path)),
    })
  }

  #undo({ before, back }: Change): void {
    const later = this.#categories.slice(before.length)
    const moved = later.filter(({ path }) => back(path) !== path)
    for (const one of later) one.path = back(one.path)
    for (const [at, was] of before.entries()) Object.assign(this.#categories[at]!, was)
    // Items are given the one that was there first, or else one that has come back.
    const rank = (one: Hidden) => (!later.includes(one) ? 0 : moved.includes(one) ? 1 : 2)
    const taken = new Set<string>()
    for (const one of this.#categories.toSorted((some, other) => rank(some) - rank(other))) {
      if (one.isPresent && taken.has(one.path)) one.isPresent = false
      if (one.isPresent) taken.add(one.path)
    }
  }

  #copy(): readonly Hidden[] {
    return this.#categories.map((one) => ({ ...one }))
  }

  /** The category that items get, with those above it. */
  #requirePresent(path: string): Hidden {
    for (const above of listAbove(path)) this.#requirePresent(above)
    const known = this.#categories.find((one) => one.isPresent && one.path === path)
    if (known) return known
    const made = { path, isShown: true, isPresent: true }
    this.#categories.push(made)
    return made
  }

  /** Where nothing is above a category, there is a new one. */
  #addAbove(): void {
    for (const { path } of [...this.#categories]) {
      for (const above of listAbove(path)) {
        if (!this.#categories.some((one) => one.path === above)) this.#requirePresent(above)
      }
    }
  }
}

/** `/A/B/C` → `/A`, `/A/B`. */
export function listAbove(path: string): readonly string[] {
  const titles = path.split('/')
  return titles.slice(2).map((_, at) => titles.slice(0, at + 2).join('/'))
}

/** The mapping of the categories that there were; what is below one goes with it. */
function asKnown(known: readonly Hidden[], map: (path: string) => string): (path: string) => string {
  return (path) => {
    const place = [path, ...listAbove(path).toReversed()].find((above) => known.some((one) => one.path === above))
    return place === undefined ? path : map(place) + path.slice(place.length)
  }
}

function longest(moves: readonly Move[], path: string): Move | undefined {
  const above = moves.filter(({ from }) => `${path}/`.startsWith(`${from}/`))
  return above.toSorted((one, other) => other.from.length - one.from.length)[0]
}

function goBy(move: Move | undefined, path: string): string {
  return move ? move.to + path.slice(move.from.length) : path
}

function orderOf(moves: readonly Move[], path: string): number {
  const move = longest(moves, path)
  return move ? moves.indexOf(move) : -1
}

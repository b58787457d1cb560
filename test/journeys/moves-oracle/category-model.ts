import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'

/** A category that stays the same whatever its title and place are. Items know it, not its path. */
export interface Identity {
  path: string
  /** Whether items that are given the path get this category, of several at one path. */
  isPrimary: boolean
}

interface Place {
  readonly path: string
  readonly isPrimary: boolean
}

interface Version {
  readonly trees: readonly Category[]
  /** Places of all categories when the version was replaced. */
  places: ReadonlyMap<Identity, Place>
  /** Moves of paths that led to this version, and the way back. */
  readonly forward: readonly Move[]
  readonly back: readonly Move[]
}

/**
 * Where items are, kept the plain way: each category that was moved or that an item had is an object, items have these, and
 * each version remembers where all of them were.
 */
export class CategoryModel {
  readonly #identities: Identity[] = []
  readonly #versions: Version[] = []
  readonly items: Identity[][] = []

  get version(): number {
    return this.#versions.length
  }

  /** The trees of a version, the present one by default. */
  trees(version = this.version): readonly Category[] {
    return this.#versions[version - 1]?.trees ?? []
  }

  /** Paths that items have and the schema does not. */
  listStale(): readonly string[] {
    const present = new Set(pathsOf(this.trees()))
    return [...new Set(this.items.flat().map(({ path }) => path))].filter((path) => !present.has(path))
  }

  putItem(at: number, paths: readonly string[]): void {
    const carried = this.items[at] ?? []
    this.items[at] = paths.flatMap((path) => {
      // An item that shows the path already keeps the categories by which it has it.
      const own = carried.filter((identity) => identity.path === path)
      return own.length > 0 ? own : [this.#primaryAt(path)]
    })
  }

  /** Paths that each item has to show. */
  listItems(): readonly (readonly string[])[] {
    return this.items.map((identities) => [...new Set(identities.map(({ path }) => path))])
  }

  /** Items at the path or below it. */
  listItemsUnder(path: string): readonly number[] {
    return this.listItems().flatMap((paths, at) => (paths.some((one) => isBelow(one, path)) ? [at] : []))
  }

  /** Items of each category that has any, those below it among them. */
  countItems(): Readonly<Record<string, number>> {
    const paths = new Set(this.listItems().flatMap((shown) => shown.flatMap(listAbove)))
    return Object.fromEntries([...paths].map((path) => [path, this.listItemsUnder(path).length]))
  }

  /** Items that have one path by several categories. */
  countTogether(): number {
    return this.listItems().filter((paths, at) => paths.length < this.items[at]!.length).length
  }

  assign(trees: readonly Category[], moves: readonly Move[]): void {
    if (moves.length > 0) for (const path of pathsOf(this.trees())) this.#primaryAt(path)
    this.#leave()
    const used = this.#listUsed()
    const rankIn = ({ path }: Identity) => rankOf(moves, path) + (used.has(path) ? 0 : moves.length + 1)
    const primary = this.#identities.filter(({ isPrimary }) => isPrimary)
    const origins = new Map<string, string>()
    const arriving = Map.groupBy(primary, ({ path }) => lead(moves, path).to)
    for (const [to, identities] of arriving) {
      const ranked = identities.toSorted((one, other) => rankIn(one) - rankIn(other))
      origins.set(to, ranked[0]!.path)
      for (const identity of ranked.slice(1)) identity.isPrimary = false
    }
    for (const identity of this.#identities) identity.path = lead(moves, identity.path).to
    this.#versions.push({
      trees,
      places: new Map(),
      forward: moves,
      back: [...origins].map(([from, to]) => ({ from, to })),
    })
    this.#addAbove()
  }

  restore(version: number, items: 'follow' | 'stay'): void {
    const { trees } = this.#versions[version - 1]!
    const undone = items === 'follow' ? this.#versions.slice(version).reverse() : []
    this.#leave()
    const from = this.#listPaths()
    for (const [at, { back }] of undone.entries()) this.#undo(this.#versions[this.version - 2 - at]!.places, back)
    // The way of each path that existed. The way of any other path is unknown.
    this.#versions.push({
      trees,
      places: new Map(),
      forward: inOne(
        from,
        undone.map(({ back }) => back),
      ),
      back: inOne(
        this.#listPaths(),
        undone.toReversed().map(({ forward }) => forward),
      ),
    })
    this.#addAbove()
  }

  #listPaths(): readonly string[] {
    return this.#identities.map(({ path }) => path)
  }

  /** Paths in use. A category neither in the schema nor carried by an item, itself or below, yields its path to another. */
  #listUsed(): ReadonlySet<string> {
    const carried = this.items.flat().map(({ path }) => path)
    return new Set([...pathsOf(this.trees()), ...carried.flatMap(listAbove)])
  }

  #undo(places: ReadonlyMap<Identity, Place>, back: Version['back']): void {
    const ranks = new Map<Identity, number>()
    for (const identity of this.#identities) {
      const place = places.get(identity)
      const path = place?.path ?? lead(back, identity.path).to
      ranks.set(identity, place ? 0 : path === identity.path ? 2 : 1)
      Object.assign(identity, { path, isPrimary: place?.isPrimary ?? identity.isPrimary })
    }
    const primary = Map.groupBy(
      this.#identities.filter(({ isPrimary }) => isPrimary),
      ({ path }) => path,
    )
    for (const identities of primary.values()) {
      const [, ...others] = identities.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)
      for (const identity of others) identity.isPrimary = false
    }
  }

  /** Adds the ancestors of categories: each is a category too. */
  #addAbove(): void {
    const known = new Set(this.#listPaths())
    for (const path of new Set(this.#listPaths().flatMap(listAbove))) {
      if (!known.has(path)) this.#identities.push({ path, isPrimary: true })
    }
  }

  #leave(): void {
    const present = this.#versions.at(-1)
    if (present) present.places = new Map(this.#identities.map((identity) => [identity, { ...identity }]))
  }

  /** The one that an item gets: a new one where nothing ever was. */
  #primaryAt(path: string): Identity {
    for (const above of listAbove(path)) {
      if (!this.#identities.some((identity) => identity.isPrimary && identity.path === above)) {
        this.#identities.push({ path: above, isPrimary: true })
      }
    }
    return this.#identities.find((identity) => identity.isPrimary && identity.path === path)!
  }
}

/** Every path of the trees. */
export function pathsOf(trees: readonly Category[], above = ''): readonly string[] {
  return trees.flatMap(({ title, categories = [] }) => [
    `${above}/${title}`,
    ...pathsOf(categories, `${above}/${title}`),
  ])
}

/** Whether it is the other path, or below it. */
function isBelow(path: string, above: string): boolean {
  return `${path}/`.startsWith(`${above}/`)
}

/** The path and those above it. */
function listAbove(path: string): readonly string[] {
  const titles = path.split('/')
  return titles.slice(1).map((_, level) => titles.slice(0, level + 2).join('/'))
}

/** The plain reading of moves: title by title, the one that takes the most titles. */
export function lead(moves: readonly Move[], path: string): { readonly to: string; readonly by: Move | undefined } {
  const titles = path.split('/')
  const fitting = moves.filter(({ from }) => from.split('/').every((title, level) => titles[level] === title))
  const [by] = fitting.toSorted((one, other) => other.from.split('/').length - one.from.split('/').length)
  return { to: by ? [by.to, ...titles.slice(by.from.split('/').length)].join('/') : path, by }
}

/** Path to which all the steps, one after the other, move each of the paths. */
function inOne(paths: readonly string[], steps: readonly (readonly Move[])[]): readonly Move[] {
  return paths.map((from) => ({ from, to: steps.reduce((at, moves) => lead(moves, at).to, from) }))
}

/** Rank of a path: unmoved ones first, then the moves in their order. */
function rankOf(moves: readonly Move[], path: string): number {
  const { by } = lead(moves, path)
  return by ? moves.indexOf(by) : -1
}

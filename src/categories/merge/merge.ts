import type { Move } from '../moves.ts'
import type { Category, CategorySchema } from '../schema.ts'
import {
  baseSideOf,
  type Choice,
  matchesOf,
  mergeOrders,
  type Part,
  pointersOf,
  rootId,
  type Side,
  sideOf,
} from './side.ts'

/** Puts the changes of two persons to one schema together: what only one of them has changed is as they have it. */

/** Conflict: both sides have changed it, each in another way. */
export interface Question {
  readonly id: string
  /** `removed`: one has removed what the other has changed. */
  readonly kind: 'title' | 'description' | 'source' | 'parent' | 'removed' | 'order'
  /** Path of the category in the base; of one that both have added, in the newer schemas. */
  readonly path: string
  /** JSON pointer of what both have changed: in the base; in theirs, of a category that both have added. */
  readonly pointer: string
  /** Texts, paths of parents, titles in their order; null for none, or for what is removed. */
  readonly base: string | null
  readonly theirs: string | null
  readonly mine: string | null
}

export interface MergeInput {
  /** Schema that both sides began with. */
  readonly base: CategorySchema
  readonly theirs: CategorySchema
  /** Moves declared between the two. */
  readonly theirMoves: readonly Move[]
  readonly mine: CategorySchema
  /** Paths in the base of the categories of `mine`, in the order of the document; null for new ones. */
  readonly origins: readonly (string | null)[]
  /** Moves that are declared besides, from paths of the base to paths of `mine`. */
  readonly moves: readonly Move[]
  /** Keyed by the ids of questions. What is not answered is as they have it. */
  readonly choices: ReadonlyMap<string, Choice>
}

export interface Merged {
  readonly schema: CategorySchema
  /** Paths in `theirs` of its categories, in the order of the document; null for new ones. */
  readonly origins: readonly (string | null)[]
  /** The moves of the input, from paths of `theirs` to paths of `schema`. */
  readonly moves: readonly Move[]
  /** Everything that is to be chosen, answered or not. */
  readonly questions: readonly Question[]
}

export function mergeSchemas(input: MergeInput): Merged {
  return new Merge(input).run()
}

/** Paths in `theirs` of the categories of `mine`, for publishing mine as it is in place of theirs. */
export function originsInTheirs({ base, theirs, theirMoves, mine, origins }: MergeInput): readonly (string | null)[] {
  const pointers = matchesOf(base, theirs, theirMoves).map((match) => match?.pointer)
  const known = sideOf(theirs, pointers).nodes
  return [...sideOf(mine, pointersOf(base, mine, origins)).nodes.keys()].map((id) => known.get(id)?.path ?? null)
}

const members = ['title', 'description', 'source'] as const

/** Ends of pointers, by what is asked; of an order, it depends on whose. */
const memberOf = { title: '/title', description: '/description', source: '/source', parent: '', removed: '' } as const

class Merge {
  readonly #input: MergeInput
  readonly #base: Side
  readonly #theirs: Side
  readonly #mine: Side
  readonly #questions = new Map<string, Question>()

  constructor(input: MergeInput) {
    const { base, theirs, theirMoves, mine, origins } = input
    this.#input = input
    this.#base = baseSideOf(base)
    this.#theirs = sideOf(
      theirs,
      matchesOf(base, theirs, theirMoves).map((match) => match?.pointer),
    )
    this.#mine = sideOf(mine, pointersOf(base, mine, origins))
  }

  run(): Merged {
    const ids = [...new Set([...this.#theirs.parts.keys(), ...this.#mine.parts.keys()])].filter((id) => this.#stays(id))
    const parts = new Map(ids.map((id) => [id, this.#mergePart(id)]))
    const parents = this.#settleParents(parts)
    const children = this.#orderChildren(parents)
    const written: string[] = []
    const paths = new Map<string, string>()
    const write = (parent: string, above: string): readonly Category[] =>
      (children.get(parent) ?? []).map((id) => {
        const part = parts.get(id)!
        const path = `${above}/${part.title ?? part.source ?? ''}`
        written.push(id)
        paths.set(id, path)
        return categoryOf(part, write(id, path))
      })
    const schema = { categorySchema: write(rootId, '') }
    return {
      schema,
      origins: written.map((id) => this.#theirs.nodes.get(id)?.path ?? null),
      moves: this.#translateMoves(paths),
      questions: [...this.#questions.values()],
    }
  }

  /** Whether a category of either side is in the result. */
  #stays(id: string): boolean {
    const [base, theirs, mine] = [this.#base.parts.get(id), this.#theirs.parts.get(id), this.#mine.parts.get(id)]
    if (!base || (theirs && mine)) return true
    const [keeping, removing, keeper] = theirs
      ? ([this.#theirs, this.#mine, 'theirs'] as const)
      : ([this.#mine, this.#theirs, 'mine'] as const)
    const { parent } = keeping.parts.get(id)!
    // A category that was removed together with its parent is decided together with it.
    const isBelowRemoved = parent === base.parent && parent !== rootId && !removing.parts.has(parent)
    if (isBelowRemoved) return this.#stays(parent)
    if (!this.#isTouched(id, keeping)) return false
    const kept = keeping.nodes.get(id)!.name
    const choice = this.#ask(id, {
      kind: 'removed',
      path: this.#base.nodes.get(id)!.name,
      base: this.#base.nodes.get(id)!.name,
      theirs: keeper === 'theirs' ? kept : null,
      mine: keeper === 'mine' ? kept : null,
    })
    return choice === keeper
  }

  /** Whether a side has changed the category or anything below it. */
  #isTouched(id: string, side: Side): boolean {
    const [before, after] = [this.#base.parts.get(id), side.parts.get(id)!]
    if (!before || before.parent !== after.parent) return true
    if (members.some((member) => before[member] !== after[member])) return true
    return side.children.get(id)!.some((child) => this.#isTouched(child, side))
  }

  #mergePart(id: string): Part {
    const [base, theirs, mine] = [this.#base.parts.get(id), this.#theirs.parts.get(id), this.#mine.parts.get(id)]
    if (!theirs || !mine) return (theirs ?? mine)!
    const path = (this.#base.nodes.get(id) ?? this.#theirs.nodes.get(id))!.name
    const choose = (kind: 'title' | 'description' | 'source') =>
      this.#choose(id, kind, path, { base: base?.[kind] ?? null, theirs: theirs[kind], mine: mine[kind] })
    return {
      title: choose('title'),
      description: choose('description'),
      source: choose('source'),
      parent: this.#chooseParent(id, path, { base, theirs, mine }),
    }
  }

  #chooseParent(id: string, path: string, sides: Record<'theirs' | 'mine', Part> & { base: Part | undefined }): string {
    const { base, theirs, mine } = sides
    if (theirs.parent === mine.parent || mine.parent === base?.parent) return theirs.parent
    if (theirs.parent === base?.parent) return mine.parent
    const choice = this.#ask(id, {
      kind: 'parent',
      path,
      base: base ? nameOf(this.#base, base.parent) : null,
      theirs: nameOf(this.#theirs, theirs.parent),
      mine: nameOf(this.#mine, mine.parent),
    })
    return sides[choice].parent
  }

  /** Takes the value that only one side has changed, or that the person chooses. */
  #choose(
    id: string,
    kind: 'title' | 'description' | 'source',
    path: string,
    texts: Pick<Question, 'base' | 'theirs' | 'mine'>,
  ): string | null {
    const { base, theirs, mine } = texts
    if (theirs === mine || mine === base) return theirs
    if (theirs === base) return mine
    return texts[this.#ask(id, { kind, path, ...texts })]
  }

  #ask(category: string, asked: Omit<Question, 'id' | 'pointer'>): Choice {
    const { kind } = asked
    const id = `${kind} ${category}`
    const pointer = (this.#base.nodes.get(category) ?? this.#theirs.nodes.get(category))?.pointer ?? ''
    const member = kind === 'order' ? (category === rootId ? '/categorySchema' : '/categories') : memberOf[kind]
    this.#questions.set(id, { id, pointer: `${pointer}${member}`, ...asked })
    return this.#input.choices.get(id) ?? 'theirs'
  }

  /** A parent that is not there any more, or that came below the category, gives way to the one of a side that has it elsewhere. */
  #settleParents(parts: ReadonlyMap<string, Part>): ReadonlyMap<string, string> {
    const parents = new Map([...parts].map(([id, { parent }]) => [id, parent]))
    const isThere = (id: string) => id === rootId || parents.has(id)
    for (const id of parts.keys()) {
      const circle = findCircle(id, parents)
      const sides = { theirs: this.#theirs, mine: this.#mine }
      const chosen = sides[this.#chooseCircle(circle)]
      // The circle is none on either side.
      for (const member of circle) {
        const parent = chosen.parts.get(member)?.parent
        if (parent !== undefined && isThere(parent)) parents.set(member, parent)
      }
      if (leadsToRoot(id, parents)) continue
      const others = [this.#theirs, this.#mine, this.#base].flatMap((side) => side.parts.get(id)?.parent ?? [])
      for (const parent of [...others, rootId]) {
        if (!isThere(parent)) continue
        parents.set(id, parent)
        if (leadsToRoot(id, parents)) break
      }
    }
    return parents
  }

  /** Side whose places categories get of which each would be below the other: where both sides have moved one, the person is asked. */
  #chooseCircle(circle: readonly string[]): Choice {
    for (const id of circle) {
      const [base, theirs, mine] = [this.#base, this.#theirs, this.#mine].map((side) => side.parts.get(id))
      if (!theirs || !mine || theirs.parent === mine.parent || mine.parent === base?.parent) continue
      return this.#ask(id, {
        kind: 'parent',
        path: (this.#base.nodes.get(id) ?? this.#theirs.nodes.get(id))!.name,
        base: base ? nameOf(this.#base, base.parent) : null,
        theirs: nameOf(this.#theirs, theirs.parent),
        mine: nameOf(this.#mine, mine.parent),
      })
    }
    return 'theirs'
  }

  #orderChildren(parents: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>()
    for (const [id, parent] of parents) {
      const known = found.get(parent)
      if (known) known.push(id)
      else found.set(parent, [id])
    }
    return new Map([...found].map(([parent, ids]) => [parent, this.#orderSiblings(parent, new Set(ids))]))
  }

  #orderSiblings(parent: string, ids: ReadonlySet<string>): readonly string[] {
    const orderOf = ({ children }: Side) => (children.get(parent) ?? []).filter((id) => ids.has(id))
    const orders = { base: orderOf(this.#base), theirs: orderOf(this.#theirs), mine: orderOf(this.#mine) }
    const titlesOf = (side: Side, order: readonly string[]) =>
      order.map((id) => side.parts.get(id)!.title ?? side.parts.get(id)!.source ?? '').join(' · ')
    return mergeOrders({ ...orders, ids: [...ids] }, () =>
      this.#ask(parent, {
        kind: 'order',
        path: nameOf(this.#base, parent) || nameOf(this.#theirs, parent),
        base: titlesOf(this.#base, orders.base),
        theirs: titlesOf(this.#theirs, orders.theirs),
        mine: titlesOf(this.#mine, orders.mine),
      }),
    )
  }

  #translateMoves(paths: ReadonlyMap<string, string>): readonly Move[] {
    const idOf = (side: Side, path: string) => [...side.nodes].find(([, node]) => node.path === path)?.[0]
    return this.#input.moves.flatMap(({ from, to }) => {
      const source = idOf(this.#base, from)
      const target = idOf(this.#mine, to)
      // A path that the base does not have is one that only items carry.
      const newFrom = source === undefined ? from : this.#theirs.nodes.get(source)?.path
      const newTo = target === undefined ? undefined : paths.get(target)
      return newFrom === undefined || newTo === undefined || newFrom === newTo ? [] : [{ from: newFrom, to: newTo }]
    })
  }
}

/** The categories above a category, or itself, of which each is below the others; none if there are none. */
function findCircle(id: string, parents: ReadonlyMap<string, string>): readonly string[] {
  const passed: string[] = []
  for (let at: string | undefined = id; at !== undefined && at !== rootId; at = parents.get(at)) {
    if (passed.includes(at)) return passed.slice(passed.indexOf(at))
    passed.push(at)
  }
  return []
}

function leadsToRoot(id: string, parents: ReadonlyMap<string, string>): boolean {
  let at: string | undefined = id
  for (let steps = 0; at !== undefined && at !== rootId && steps <= parents.size; steps += 1) at = parents.get(at)
  return at === rootId
}

/** Path of a category; empty for what is above the trees. */
function nameOf({ nodes }: Side, id: string): string {
  return nodes.get(id)?.name ?? ''
}

function categoryOf({ title, description, source }: Part, categories: readonly Category[]): Category {
  return {
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(source !== null && { source }),
    ...(categories.length > 0 && { categories }),
  }
}

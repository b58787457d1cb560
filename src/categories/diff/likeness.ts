import { listNodes, type Node } from './tree.ts'

/** How alike two categories of different paths are. */
export interface Likeness {
  /** From 0 to 100. */
  readonly score: number
  readonly because: readonly string[]
  /** Categories below that have one path, seen from the two. */
  readonly shared: number
}

/** What counts, and how much (chosen; the sum is 100). */
const weights = { title: 35, parent: 20, place: 15, below: 20, description: 10 } as const
/** Sets that share less than this are not alike (chosen). */
const leastShared = 0.5

export function likenessOf(from: Node, to: Node): Likeness {
  const because: string[] = []
  let score = 0
  const count = (weight: number, reason: string) => {
    score += weight
    because.push(reason)
  }
  if (from.category.title === to.category.title) count(weights.title, 'same title')
  else {
    const titles = diceOf(pairsOfLetters(from), pairsOfLetters(to))
    if (titles >= leastShared) count(weights.title * titles, 'similar title')
  }
  if (from.parent!.match === to.parent) {
    count(weights.parent, 'same parent')
    if (haveSamePlace(from, to)) count(weights.place, 'same place')
  }
  const below = pathsBelow(from)
  const share = diceOf(below, pathsBelow(to))
  if (share >= leastShared) count(weights.below * share, 'same categories below')
  const { description } = from.category
  if (description && description === to.category.description) count(weights.description, 'same description')
  return { score, because, shared: below.intersection(pathsBelow(to)).size }
}

/** The same position, or one between the same two siblings that stay. */
function haveSamePlace(from: Node, to: Node): boolean {
  if (from.position === to.position) return true
  return ([-1, 1] as const).every((step) => neighbour(from, step)?.match === neighbour(to, step))
}

/** The nearest sibling on one side that the other schema has below the same parent. */
function neighbour({ parent, position }: Node, step: 1 | -1): Node | undefined {
  const siblings = parent!.children
  for (let at = position + step; siblings[at]; at += step) {
    if (siblings[at]!.match?.parent === parent!.match) return siblings[at]
  }
  return undefined
}

const remembered = new WeakMap<Node, ReadonlySet<string>>()
const letters = new WeakMap<Node, ReadonlySet<string>>()

function pathsBelow(node: Node): ReadonlySet<string> {
  const known = remembered.get(node) ?? new Set(listNodes(node).map(({ name }) => name.slice(node.name.length)))
  remembered.set(node, known)
  return known
}

/** The pairs of neighbouring letters of the title, in any case. */
function pairsOfLetters(node: Node): ReadonlySet<string> {
  const known = letters.get(node) ?? new Set(listPairs((node.category.title ?? '').toLowerCase()))
  letters.set(node, known)
  return known
}

function listPairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2))
}

/** Dice's coefficient: 1 for equal sets, 0 for those that share nothing, or are empty. */
function diceOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0
  return (2 * one.intersection(other).size) / (one.size + other.size)
}

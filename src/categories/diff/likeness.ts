import type { Gap } from './script.ts'
import { listNodes, type Node } from './tree.ts'

/** How alike two categories of different paths are. */
export interface Likeness {
  /** 0 to 100. */
  readonly score: number
  readonly because: readonly string[]
  /** Categories below that have one path, seen from the two. */
  readonly shared: number
}

/** Weights of the properties that are compared (chosen; the sum is 100). */
const weights = { title: 35, parent: 20, place: 15, below: 20, description: 10 } as const
/** Sets that share less than this are not alike (chosen). */
const minShared = 0.5

/** A category that only one schema has, and its place there. */
export interface Placed {
  readonly node: Node
  readonly gap: Gap
}

export function likenessOf(from: Placed, to: Placed): Likeness {
  const because: string[] = []
  let score = 0
  const count = (weight: number, reason: string) => {
    score += weight
    because.push(reason)
  }
  const below = shareOf(pathsBelow(from.node), pathsBelow(to.node))
  const titles = similarityOf(from.node, to.node)
  if (titles === 1) count(weights.title, 'same title')
  else if (titles >= minShared) count(weights.title * titles, 'similar title')
  if (from.node.parent!.match === to.node.parent) {
    count(weights.parent, 'same parent')
    const isReplaced = from.node.children.length > 0 && to.node.children.length > 0 && below.dice < minShared
    if (!isReplaced && haveSamePlace(from, to)) count(weights.place, 'same place')
  }
  if (below.dice >= minShared) count(weights.below * below.dice, 'same categories below')
  const { description } = from.node.category
  if (description && description === to.node.category.description) count(weights.description, 'same description')
  return { score, because, shared: below.count }
}

/** Between the same siblings that stay; without such siblings, both the only category of their parent. */
function haveSamePlace(from: Placed, to: Placed): boolean {
  const { previous, next } = from.gap
  if (previous !== to.gap.previous || next !== to.gap.next) return false
  const isOnly = ({ node }: Placed) => node.parent!.children.length === 1
  return previous !== undefined || next !== undefined || (isOnly(from) && isOnly(to))
}

function similarityOf(from: Node, to: Node): number {
  return from.key === to.key ? 1 : shareOf(letterPairsOf(from), letterPairsOf(to)).dice
}

const pathSets = new WeakMap<Node, ReadonlySet<string>>()
const letterSets = new WeakMap<Node, ReadonlySet<string>>()

/** Paths of the categories below, seen from the node. */
function pathsBelow(node: Node): ReadonlySet<string> {
  const paths = pathSets.get(node) ?? new Set(listNodes(node).map(({ name }) => name.slice(node.name.length)))
  pathSets.set(node, paths)
  return paths
}

/** The pairs of neighbouring letters of the title, in any case. */
function letterPairsOf(node: Node): ReadonlySet<string> {
  const pairs = letterSets.get(node) ?? new Set(listLetterPairs((node.category.title ?? '').toLowerCase()))
  letterSets.set(node, pairs)
  return pairs
}

function listLetterPairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(text.length - 1, 0) }, (_, at) => text.slice(at, at + 2))
}

/** How many values are in both sets, and Dice's coefficient: 1 for equal sets, 0 if nothing is shared. */
function shareOf(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): { readonly count: number; readonly dice: number } {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one]
  if (smaller.size === 0) return { count: 0, dice: 0 }
  let count = 0
  for (const value of smaller) if (larger.has(value)) count += 1
  return { count, dice: (2 * count) / (one.size + other.size) }
}

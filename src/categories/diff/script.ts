import type { Move } from '../moves.ts'
import type { Added, Change, Changed, Difference, Merged, Removed } from './change.ts'
import { listNodes, listParents, type Node } from './tree.ts'

/** The changes that lead from one tree of matched nodes to the other; removals come last. */
export function writeScript(
  before: Node,
  after: Node,
  moves: readonly Move[],
  follow: (path: string) => string,
): readonly Change[] {
  const kept = new Map<string, Node>()
  for (const node of listNodes(before)) if (node.match && !kept.has(node.text)) kept.set(node.text, node)
  const changes: Change[] = []
  for (const parent of listParents(after)) {
    const staying = parent.match ? stayingChildren(parent, parent.match) : new Set()
    for (const node of parent.children) {
      if (!node.match) {
        if (parent.match) changes.push(added(node, kept))
        continue
      }
      changes.push(...changesOf(node.match, node, staying.has(node), follow))
    }
  }
  changes.push(...listNodes(before).filter(isMergedTop).map(merged), ...listMergedStale(before, after, moves))
  return [...changes, ...listNodes(before).filter(isRemovedTop).map(removed)]
}

/** Children that keep their order: as many as can be with their title, then as many renamed ones, then those at their position. */
function stayingChildren(parent: Node, match: Node): ReadonlySet<Node> {
  const kept = parent.children.filter((node) => node.match?.parent === match)
  const more = kept.length + 1
  const weightOf = (node: Node) =>
    (node.match!.key === node.key ? more * more : more) + (node.match!.position === node.position ? 1 : 0)
  return new Set(heaviestRun(kept, (node) => node.match!.position, weightOf))
}

function isRemoved(node: Node): boolean {
  return !node.match && !node.mergesInto
}

function isRemovedTop(node: Node): boolean {
  return isRemoved(node) && !isRemoved(node.parent!)
}

function isMergedTop(node: Node): boolean {
  return node.mergesInto !== undefined && !mergesAlong(node)
}

/** Whether it merges because the category above it does. */
function mergesAlong({ mergesInto, parent, key }: Node): boolean {
  return mergesInto !== undefined && mergesInto.parent === parent!.mergesInto && mergesInto.key === key
}

/** Paths that only items carry, and that the moves lead to a category. */
function listMergedStale(before: Node, after: Node, moves: readonly Move[]): readonly Merged[] {
  if (moves.length === 0) return []
  const known = new Set(listNodes(before).map(({ path }) => path))
  const places = new Map(listNodes(after).map((node) => [node.path, node]))
  return moves.flatMap(({ from, to }): readonly Merged[] => {
    const into = known.has(from) || from === to ? undefined : places.get(to)
    if (!into) return []
    return [{ op: 'merge', path: from, to, toPointer: into.pointer, categories: 0, declared: true }]
  })
}

function changesOf(before: Node, after: Node, stays: boolean, follow: (path: string) => string): readonly Change[] {
  const changes: Change[] = []
  const place = { path: before.name, pointer: before.pointer }
  const toPointer = after.pointer
  const isMoved = before.parent!.match !== after.parent
  if (isMoved || before.key !== after.key) {
    const declared = before.path !== undefined && before.path !== after.path && follow(before.path) === after.path
    const categories = countTogether(after, (node) => node.match !== undefined && isUnmoved(node))
    const replaced = { ...place, to: after.name, toPointer, categories, declared }
    changes.push(
      isMoved ? { op: 'move', ...replaced } : { op: 'rename', ...replaced, ...(!stays && { reordered: true }) },
    )
  } else if (!stays) {
    changes.push({ op: 'reorder', ...place, toPointer, from: before.position, to: after.position })
  }
  const description = differenceOf(before.category.description || null, after.category.description || null)
  const source = differenceOf(before.category.source ?? null, after.category.source ?? null)
  if (description || source) {
    const changed: Changed = {
      op: 'change',
      ...place,
      toPointer,
      ...(description && { description }),
      ...(source && { source }),
    }
    changes.push(changed)
  }
  return changes
}

function isUnmoved(node: Node): boolean {
  return node.match?.parent?.match === node.parent
}

function differenceOf(from: string | null, to: string | null): Difference | undefined {
  return from === to ? undefined : { from, to }
}

function added(node: Node, kept: ReadonlyMap<string, Node>): Added {
  const categories = countTogether(node, ({ match }) => !match)
  const copied = categories === node.size ? kept.get(node.text) : undefined
  const place = { op: 'add', path: node.name, pointer: node.pointer, categories } as const
  return copied ? { ...place, copyOf: copied.name } : place
}

function removed(node: Node): Removed {
  return { op: 'remove', path: node.name, pointer: node.pointer, categories: countTogether(node, isRemoved) }
}

function merged(node: Node): Merged {
  const into = node.mergesInto!
  const categories = countTogether(node, mergesAlong)
  const { name: path, pointer } = node
  return { op: 'merge', path, pointer, to: into.name, toPointer: into.pointer, categories, declared: true }
}

/** How many categories of the subtree are of one kind, without gaps between them and the top, which is counted. */
function countTogether(top: Node, isOfKind: (node: Node) => boolean): number {
  return top.children.filter(isOfKind).reduce((total, child) => total + countTogether(child, isOfKind), 1)
}

/**
 * The heaviest subsequence whose ranks increase. Ranks are all different, and weights above 0. Takes n log n steps: a tree of
 * prefixes (Fenwick) keeps the best run that ends below each rank.
 */
function heaviestRun<Value>(
  values: readonly Value[],
  rankOf: (value: Value) => number,
  weightOf: (value: Value) => number,
): readonly Value[] {
  const order = new Map(
    [...values].sort((one, other) => rankOf(one) - rankOf(other)).map((value, at) => [value, at + 1]),
  )
  const best: (Link<Value> | undefined)[] = []
  const bestBelow = (place: number) => {
    let found: Link<Value> | undefined
    for (let at = place; at > 0; at -= at & -at) found = heavier(best[at], found)
    return found
  }
  for (const value of values) {
    const place = order.get(value)!
    const previous = bestBelow(place - 1)
    const weight = (previous?.weight ?? 0) + weightOf(value)
    const link = { value, weight, previous }
    for (let at = place; at <= values.length; at += at & -at) best[at] = heavier(best[at], link)
  }
  const run: Value[] = []
  for (let link = bestBelow(values.length); link; link = link.previous) run.push(link.value)
  return run.reverse()
}

interface Link<Value> {
  readonly value: Value
  readonly weight: number
  readonly previous: Link<Value> | undefined
}

function heavier<Value>(one: Link<Value> | undefined, other: Link<Value> | undefined): Link<Value> | undefined {
  return !one || (other && other.weight > one.weight) ? other : one
}

/**
 * Place among its siblings of a category that the other schema lacks: between which two of those that both have below
 * the parent. Undefined at an end.
 */
export interface Gap {
  readonly previous: Node | undefined
  readonly next: Node | undefined
}

/** The gaps of the nodes, keyed by the nodes of the old schema, whichever schema the given ones are of. */
export function gapsOf(nodes: readonly Node[], ofOldSchema: (kept: Node) => Node): ReadonlyMap<Node, Gap> {
  const gaps = new Map<Node, Gap>()
  for (const parent of new Set(nodes.map((node) => node.parent!))) {
    const previous = neighbours(parent.children, parent, ofOldSchema)
    const next = neighbours(parent.children.toReversed(), parent, ofOldSchema)
    for (const node of parent.children) gaps.set(node, { previous: previous.get(node), next: next.get(node) })
  }
  return gaps
}

function neighbours(siblings: readonly Node[], parent: Node, ofOldSchema: (kept: Node) => Node) {
  const passed = new Map<Node, Node | undefined>()
  let last: Node | undefined
  for (const node of siblings) {
    passed.set(node, last)
    if (node.match?.parent === parent.match) last = ofOldSchema(node)
  }
  return passed
}

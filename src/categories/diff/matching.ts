import { followMoves, type Move } from '../moves.ts'
import { alignChildren, pairInOrder } from './alignment.ts'
import { groupBy, listNodes, listParents, matchNodes, type Node } from './tree.ts'

/**
 * Matches the categories of two schemas, given as their roots. Declared moves come first, then sources that identify a
 * category, then titles below matched parents.
 */
export function matchTrees(before: Node, after: Node, moves: readonly Move[]): void {
  matchNodes(before, after)
  const arrivals = findArrivals(before, after, moves)
  matchSources(before, after, arrivals)
  for (const parent of listParents(after)) {
    if (parent.match) alignChildren(parent.match, parent, (child) => isLeaving(child, parent, arrivals))
    matchArrivals(parent, arrivals)
  }
  for (const { node, places } of arrivals.listed) if (!node.match) node.mergesInto = places[0]
}

function isFree(node: Node): boolean {
  return !node.match && !node.mergesInto
}

/** A category of the old schema that the moves lead to a path of the new one. */
interface Arrival {
  readonly node: Node
  readonly path: string
  /** The categories of that path; none if it is none of the new schema. */
  readonly places: readonly Node[]
}

interface Arrivals {
  readonly listed: readonly Arrival[]
  readonly byPath: ReadonlyMap<string, readonly Arrival[]>
  readonly byNode: ReadonlyMap<Node, Arrival>
}

/** Finds categories that the moves lead elsewhere, in the order of the moves. */
function findArrivals(before: Node, after: Node, moves: readonly Move[]): Arrivals {
  const places = groupBy(listNodes(after), ({ path = '' }) => path)
  const follow = followMoves(moves)
  const positions = new Map(moves.map(({ from }, position) => [from, position]))
  const positionOf = (path: string): number =>
    positions.get(path) ?? (path === '' ? moves.length : positionOf(path.slice(0, path.lastIndexOf('/'))))
  const moved = moves.length === 0 ? [] : listNodes(before)
  const listed = moved
    .flatMap((node) => {
      const path = node.path === undefined ? '' : follow(node.path)
      // A composed move may lead to nowhere: then the category is no other one either.
      const found = places.get(path) ?? (positions.has(node.path ?? '') ? [] : undefined)
      if (path === '' || path === node.path) return []
      return found ? [{ node, path, places: found, position: positionOf(node.path!) }] : []
    })
    .sort((one, other) => one.position - other.position)
  return {
    listed,
    byPath: groupBy(listed, ({ path }) => path),
    byNode: new Map(listed.map((arrival) => [arrival.node, arrival])),
  }
}

/** Matches what arrives among the children of a category of the new schema with those that were not there. */
function matchArrivals(parent: Node, { byPath }: Arrivals): void {
  if (byPath.size === 0) return
  for (const [path, places] of groupBy(parent.children.filter(isFree), (child) => child.path ?? '')) {
    const arriving = (byPath.get(path) ?? []).map(({ node }) => node).filter(isFree)
    const first = arriving.slice(0, places.length)
    pairInOrder(first, places, contentOf)
    pairInOrder(first, places, () => path)
  }
}

/** Whether a move leads the child elsewhere than among the children of its parent's match. */
function isLeaving(child: Node, newParent: Node, { byNode }: Arrivals): boolean {
  const arrival = byNode.get(child)
  return arrival !== undefined && arrival.path !== `${newParent.path}/${child.category.title}`
}

/** The subtree without its own title, which a move may change. */
function contentOf({ category: { description = '', source }, children }: Node): string {
  return JSON.stringify([description, source, children.map(({ text }) => text)])
}

/** A source that is a URI identifies a concept: it stays the same category when its title changes. */
function matchSources(before: Node, after: Node, { byNode, byPath }: Arrivals): void {
  const found = uniqueSources(after)
  for (const [source, node] of uniqueSources(before)) {
    const same = found.get(source)
    if (!same || byNode.has(node) || byPath.has(same.path ?? '')) continue
    if (hasTitle(node) === hasTitle(same)) matchNodes(node, same)
  }
}

function hasTitle({ category }: Node): boolean {
  return category.title !== undefined
}

const uri = /^[a-z][a-z0-9+.-]*:\S+$/i

function uniqueSources(root: Node): ReadonlyMap<string, Node> {
  const identified = listNodes(root).filter(({ category: { source } }) => source !== undefined && uri.test(source))
  const sources = groupBy(identified, ({ category }) => category.source!)
  return new Map([...sources].flatMap(([source, [node, ...others]]) => (others.length === 0 ? [[source, node!]] : [])))
}

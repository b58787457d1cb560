import { followMoves, type Move } from '../moves.ts'
import { alignSiblings } from './alignment.ts'
import { groupBy, listNodes, matchNodes, type Node } from './tree.ts'

/**
 * Matches the categories of two schemas, given as their roots: first by declared moves, then by sources that identify
 * them, then by title below matched parents.
 */
export function matchTrees(before: Node, after: Node, moves: readonly Move[]): void {
  matchNodes(before, after)
  matchDeclared(before, after, moves)
  matchSources(before, after)
  for (const node of [before, ...listNodes(before)]) if (node.match) alignChildren(node, node.match)
}

/**
 * A moved category is the one that stands where the moves lead it. If several are led to one place, or one stands there
 * already, those that are left over merge.
 */
function matchDeclared(before: Node, after: Node, moves: readonly Move[]): void {
  if (moves.length === 0) return
  const follow = followMoves(moves)
  const places = groupBy(listNodes(after), ({ path }) => path ?? '')
  const arriving = groupBy(listNodes(before), ({ path }) => (path === undefined ? '' : follow(path)))
  for (const [path, there] of places) {
    const all = path === '' ? [] : (arriving.get(path) ?? [])
    const moved = all.filter((node) => node.path !== path)
    if (moved.length === 0) continue
    const staying = all.length - moved.length
    const matched = new Set(inOrderOfMoves(moved, moves).slice(0, Math.max(there.length - staying, 0)))
    for (const node of moved) if (!matched.has(node)) node.mergesInto = there[0]
    if (matched.size > 0) {
      pairNodes(
        all.filter((node) => node.path === path || matched.has(node)),
        there,
      )
    }
  }
}

/** Those of the moves that come first, first. */
function inOrderOfMoves(moved: readonly Node[], moves: readonly Move[]): readonly Node[] {
  const rank = (node: Node) => {
    let path = node.path!
    for (;;) {
      const position = moves.findIndex(({ from }) => from === path)
      if (position >= 0) return position
      path = path.slice(0, path.lastIndexOf('/'))
    }
  }
  const ranked = moved.map((node) => ({ node, rank: rank(node) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ node }) => node)
}

/** Pairs categories of one path: those of equal content first, then in order. */
function pairNodes(before: readonly Node[], after: readonly Node[]): void {
  const contents = groupBy(after, contentOf)
  for (const node of before) {
    const equal = contents.get(contentOf(node))?.shift()
    if (equal) matchNodes(node, equal)
  }
  const left = after.filter((node) => !node.match)
  for (const node of before) {
    const next = node.match ? undefined : left.shift()
    if (next) matchNodes(node, next)
  }
}

/** The subtree without its own title, which a declared rename changes. */
function contentOf({ category: { description = '', source }, children }: Node): string {
  return JSON.stringify([description, source, children.map(({ text }) => text)])
}

/** A source that is a URI identifies a concept: it stays the same category when its title changes. */
function matchSources(before: Node, after: Node): void {
  const found = uniqueSources(listNodes(after))
  for (const [source, node] of uniqueSources(listNodes(before))) {
    const same = found.get(source)
    if (!same || node.match || same.match || node.mergesInto) continue
    if (hasTitle(node) === hasTitle(same)) matchNodes(node, same)
  }
}

function hasTitle({ category }: Node): boolean {
  return category.title !== undefined
}

const uri = /^[a-z][a-z0-9+.-]*:\S+$/i

function uniqueSources(nodes: readonly Node[]): ReadonlyMap<string, Node> {
  const sources = groupBy(
    nodes.filter(({ category: { source } }) => source !== undefined && uri.test(source)),
    ({ category }) => category.source!,
  )
  return new Map([...sources].flatMap(([source, [node, ...others]]) => (others.length === 0 ? [[source, node!]] : [])))
}

/** Matches the children of two nodes that are the same category. */
export function alignChildren(before: Node, after: Node): void {
  alignSiblings(before.children.filter(isFree), after.children.filter(isFree))
}

function isFree(node: Node): boolean {
  return !node.match && !node.mergesInto
}

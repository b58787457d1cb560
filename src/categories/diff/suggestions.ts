import { followMoves, type Move } from '../moves.ts'
import type { Suggestion } from './change.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import { alignChildren } from './matching.ts'
import { listNodes, matchNodes, type Node } from './tree.ts'

/**
 * Moves that were perhaps meant: pairs of what is removed and what is added that are alike, and categories that were
 * recognized by their sources. Larger subtrees first; an accepted pair takes its children along. Matches the nodes.
 */
export function suggestMoves(before: Node, after: Node, moves: readonly Move[]): readonly Suggestion[] {
  const found: Suggestion[] = []
  for (const node of listNodes(before)) {
    const { path, match } = node
    if (match && path !== match.path) found.push(...suggestion(node, match, 'sure', ['same source']))
  }
  for (let pairs = rankPairs(before, after); pairs.length > 0; pairs = rankPairs(before, after)) {
    for (const pair of pairs) {
      if (!isFree(pair)) continue
      const isRivaled = pairs.some(
        (other) =>
          other !== pair &&
          (other.from === pair.from || other.to === pair.to) &&
          isFree(other) &&
          other.score >= pair.score - margin,
      )
      matchNodes(pair.from, pair.to)
      takeAlong(pair.from, pair.to)
      found.push(...suggestion(pair.from, pair.to, isRivaled ? 'possible' : 'sure', pair.because))
    }
  }
  return withoutUseless(found, moves, after)
}

interface Pair extends Likeness {
  readonly from: Node
  readonly to: Node
}

/** Scores that are as near as this are equally good (chosen). */
const margin = 5
/** Of a pair that is suggested: what an equal title counts, or an equal parent and place (chosen). */
const least = 35
/** Of categories that are compared on each side: more than a schema has (chosen). */
const mostCompared = 250

function isFree({ from, to }: Pair): boolean {
  return !from.match && !to.match
}

/** Pairs that are alike enough, the best first. */
function rankPairs(before: Node, after: Node): readonly Pair[] {
  const removed = largest(
    listNodes(before).filter((node) => !node.match && !node.mergesInto && node.path !== undefined),
  )
  const added = largest(listNodes(after).filter((node) => !node.match && node.path !== undefined))
  const pairs = removed.flatMap((from) => added.map((to) => ({ from, to, ...likenessOf(from, to) })))
  return pairs
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.shared - one.shared || other.score - one.score)
}

function largest(nodes: readonly Node[]): readonly Node[] {
  return nodes.toSorted((one, other) => other.size - one.size).slice(0, mostCompared)
}

function takeAlong(from: Node, to: Node): void {
  alignChildren(from, to)
  for (const child of from.children) if (child.match?.parent === to) takeAlong(child, child.match)
}

function suggestion(
  from: Node,
  to: Node,
  confidence: Suggestion['confidence'],
  because: readonly string[],
): readonly Suggestion[] {
  if (from.path === undefined || to.path === undefined) return []
  return [{ from: from.path, to: to.path, confidence, because }]
}

/** Only what could be declared, beside the moves that are, and would lead items anywhere new. */
function withoutUseless(found: readonly Suggestion[], moves: readonly Move[], after: Node): readonly Suggestion[] {
  const paths = new Set(listNodes(after).map(({ path }) => path))
  const kept: Suggestion[] = []
  const all = found.toSorted((one, other) => one.from.split('/').length - other.from.split('/').length)
  for (const one of all) {
    const declared = [...moves, ...kept]
    if (followMoves(declared)(one.from) === one.to || declared.some(({ from }) => from === one.from)) continue
    kept.push(one)
  }
  for (;;) {
    const targets = new Set([...moves, ...kept].map(({ to }) => to))
    const refused = kept.findIndex(({ from }) => paths.has(from) && !targets.has(from))
    if (refused < 0) return kept
    kept.splice(refused, 1)
  }
}

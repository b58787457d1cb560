import { followMoves, type Move } from '../moves.ts'
import { alignChildren } from './alignment.ts'
import type { Suggestion } from './change.ts'
import { type Likeness, likenessOf, type Placed } from './likeness.ts'
import { gapsOf } from './script.ts'
import { groupBy, listNodes, matchNodes, type Node } from './tree.ts'

/** Scores that are as near as this are equally good (chosen). */
const margin = 5
/** Minimum weight of a suggested pair: that of an equal title, or of an equal parent and place (chosen). */
const minWeight = 35
/** Categories that are compared on each side: more than a schema has (chosen). */
const maxCompared = 250
/** An accepted pair may make others alike, those of its children first: a schema has four levels (chosen). */
const maxRounds = 4

/**
 * Moves that were perhaps meant: of categories that were recognized by their sources, and of pairs that are alike among
 * what is removed and what is added. Larger subtrees first; an accepted pair takes its children along. Matches the nodes.
 */
export function suggestMoves(before: Node, after: Node, moves: readonly Move[]): readonly Suggestion[] {
  const found = listNodes(before).flatMap((node) =>
    node.match ? suggestionOf(node, node.match, 'sure', ['same source']) : [],
  )
  for (let round = 0; round < maxRounds; round += 1) {
    const pairs = rankPairs(before, after)
    if (pairs.length === 0) break
    found.push(...acceptPairs(pairs))
  }
  return declarable(found, moves, after)
}

interface Pair extends Likeness {
  readonly from: Node
  readonly to: Node
}

/** Pairs that are alike enough: those with the most in common below first, then the most alike. */
function rankPairs(before: Node, after: Node): readonly Pair[] {
  const removed = placed(
    listNodes(before).filter((node) => !node.mergesInto),
    (kept) => kept,
  )
  const added = placed(listNodes(after), (kept) => kept.match!)
  return removed
    .flatMap((from) => added.map((to) => ({ from: from.node, to: to.node, ...likenessOf(from, to) })))
    .filter(({ score }) => score >= minWeight)
    .sort((one, other) => other.shared - one.shared || other.score - one.score)
}

/** Returns the nodes that the other schema lacks and that have a path, the largest first. */
function placed(nodes: readonly Node[], ofOldSchema: (kept: Node) => Node): readonly Placed[] {
  const left = nodes
    .filter(({ match, path }) => !match && path !== undefined)
    .sort((one, other) => other.size - one.size)
    .slice(0, maxCompared)
  const gaps = gapsOf(left, ofOldSchema)
  return left.map((node) => ({ node, gap: gaps.get(node)! }))
}

function acceptPairs(pairs: readonly Pair[]): readonly Suggestion[] {
  const ofFrom = groupBy(pairs, ({ from }) => from.pointer)
  const ofTo = groupBy(pairs, ({ to }) => to.pointer)
  return pairs.flatMap((pair) => {
    const { from, to, because } = pair
    if (!isFree(pair)) return []
    const isRival = (other: Pair) => other !== pair && isFree(other) && other.score >= pair.score - margin
    const hasRival = ofFrom.get(from.pointer)!.some(isRival) || ofTo.get(to.pointer)!.some(isRival)
    matchNodes(from, to)
    takeAlong(from, to)
    return suggestionOf(from, to, hasRival ? 'possible' : 'sure', because)
  })
}

function isFree({ from, to }: Pair): boolean {
  return !from.match && !to.match
}

function takeAlong(from: Node, to: Node): void {
  alignChildren(from, to)
  for (const child of from.children) if (child.match?.parent === to) takeAlong(child, child.match)
}

function suggestionOf(
  { path: from }: Node,
  { path: to }: Node,
  confidence: Suggestion['confidence'],
  because: readonly string[],
): readonly Suggestion[] {
  return from === undefined || to === undefined || from === to ? [] : [{ from, to, confidence, because }]
}

/** Suggestions that can be declared beside the present moves, and that lead items elsewhere than these do; parents first. */
function declarable(found: readonly Suggestion[], moves: readonly Move[], after: Node): readonly Suggestion[] {
  const known = new Set(moves.map(({ from }) => from))
  const useful: Suggestion[] = []
  let follow = followMoves(moves)
  for (const one of found.toSorted((a, b) => levelOf(a.from) - levelOf(b.from))) {
    if (known.has(one.from) || follow(one.from) === one.to) continue
    known.add(one.from)
    useful.push(one)
    follow = followMoves([...moves, ...useful])
  }
  return withoutPathsThatStay(useful, moves, new Set(listNodes(after).map(({ path }) => path)))
}

function levelOf(path: string): number {
  return path.split('/').length
}

/** A path that the new schema still has may be moved only if a move leads to it. */
function withoutPathsThatStay(
  found: readonly Suggestion[],
  moves: readonly Move[],
  paths: ReadonlySet<string | undefined>,
): readonly Suggestion[] {
  const targets = new Set([...moves, ...found].map(({ to }) => to))
  const left = found.filter(({ from }) => !paths.has(from) || targets.has(from))
  return left.length === found.length ? found : withoutPathsThatStay(left, moves, paths)
}

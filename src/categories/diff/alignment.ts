import { groupBy, matchNodes, type Node } from './tree.ts'

/** Maximum of comparisons for the siblings of one parent (chosen): 200 categories need 40,000. */
const maxComparisons = 250_000

/**
 * Matches the children of two nodes that are the same category, by their titles. Among several of one title, equal subtrees
 * go first, so that as many as can keep their order; the others are matched in order.
 */
export function alignChildren(before: Node, after: Node, isLeaving: (child: Node) => boolean = () => false): void {
  const rows = before.children.filter((child) =>
    child.match ? child.match.parent === after : !child.mergesInto && !isLeaving(child),
  )
  const columns = after.children.filter(({ match }) => !match || match.parent === before)
  if (hasRepeats(rows) || hasRepeats(columns)) alignInOrder(rows, columns)
  pairInOrder(rows, columns, ({ text }) => text)
  pairInOrder(rows, columns, ({ key }) => key)
}

/** Matches nodes that have none by a key: the first with the first, and so on. */
export function pairInOrder(before: readonly Node[], after: readonly Node[], keyOf: (node: Node) => string): void {
  const waiting = groupBy(
    after.filter(({ match }) => !match),
    keyOf,
  )
  for (const node of before) {
    const next = node.match ? undefined : waiting.get(keyOf(node))?.shift()
    if (next) matchNodes(node, next)
  }
}

function hasRepeats(siblings: readonly Node[]): boolean {
  const free = siblings.filter(({ match }) => !match)
  return new Set(free.map(({ key }) => key)).size < free.length
}

/** Whether they are equal subtrees, or one category already. */
function areEqual(one: Node, other: Node): boolean {
  return one.match || other.match ? one.match === other : one.text === other.text
}

/**
 * Matches those that can stay in their order: the longest common subsequence, in which an equal subtree outweighs all
 * others. Which of several equally good ones is found does not depend on which side is the old one.
 */
function alignInOrder(before: readonly Node[], after: readonly Node[]): void {
  const [left, right] = textOf(before) < textOf(after) ? [before, after] : [after, before]
  let start = 0
  const ends = Math.min(left.length, right.length)
  for (; start < ends && areEqual(left[start]!, right[start]!); start += 1) matchNodes(left[start]!, right[start]!)
  const rows = left.slice(start)
  const columns = right.slice(start)
  while (rows.length > 0 && columns.length > 0 && areEqual(rows.at(-1)!, columns.at(-1)!)) {
    matchNodes(rows.pop()!, columns.pop()!)
  }
  if (rows.length * columns.length <= maxComparisons) matchBestRun(rows, columns)
}

function textOf(siblings: readonly Node[]): string {
  return siblings.map(({ text }) => text).join()
}

function matchBestRun(rows: readonly Node[], columns: readonly Node[]): void {
  const weigh = weightsOf(rows, columns)
  const weights = rows.map((row) => columns.map((column) => weigh(row, column)))
  /** best[i][j]: the weight of the best run of rows from i and columns from j. */
  const best = Array.from({ length: rows.length + 1 }, () => new Float64Array(columns.length + 1))
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    for (let j = columns.length - 1; j >= 0; j -= 1) {
      const weight = weights[i]![j]!
      const matched = weight > 0 ? weight + best[i + 1]![j + 1]! : 0
      best[i]![j] = Math.max(matched, best[i + 1]![j]!, best[i]![j + 1]!)
    }
  }
  for (let i = 0, j = 0; i < rows.length && j < columns.length; ) {
    if (weights[i]![j]! > 0 && best[i]![j] === weights[i]![j]! + best[i + 1]![j + 1]!) {
      matchNodes(rows[i]!, columns[j]!)
      i += 1
      j += 1
    } else if (best[i]![j] === best[i + 1]![j]) i += 1
    else j += 1
  }
}

/**
 * Weight of a pair. Subtrees that differ may only be a pair if each is more frequent on its own side: else one of them
 * would be missing to an equal one.
 */
function weightsOf(rows: readonly Node[], columns: readonly Node[]): (row: Node, column: Node) => number {
  const surplus = new Map<string, number>()
  const count = (nodes: readonly Node[], step: 1 | -1) => {
    for (const { text, match } of nodes) if (!match) surplus.set(text, (surplus.get(text) ?? 0) + step)
  }
  count(rows, 1)
  count(columns, -1)
  const ofEqual = rows.length + columns.length
  return (row, column) => {
    if (areEqual(row, column)) return ofEqual
    if (row.match || column.match) return 0
    return row.key === column.key && surplus.get(row.text)! > 0 && surplus.get(column.text)! < 0 ? 1 : 0
  }
}

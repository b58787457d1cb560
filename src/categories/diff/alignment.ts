import { groupBy, matchNodes, type Node } from './tree.ts'

/** Matches siblings of equal title: equal subtrees first, then in order. */
export function alignSiblings(before: readonly Node[], after: readonly Node[]): void {
  pairInOrder(before, after, ({ text }) => text)
  pairInOrder(before, after, ({ key }) => key)
}

function pairInOrder(before: readonly Node[], after: readonly Node[], keyOf: (node: Node) => string): void {
  const groups = groupBy(
    after.filter(({ match }) => !match),
    keyOf,
  )
  for (const node of before) {
    const next = node.match ? undefined : groups.get(keyOf(node))?.shift()
    if (next) matchNodes(node, next)
  }
}

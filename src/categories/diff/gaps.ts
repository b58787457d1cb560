import type { Node } from './tree.ts'

/**
 * Where among its siblings a category stands that the other schema lacks: between which two of those that both have below
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

import type { Node, Trees } from './node.ts'

/** Target of an insertion: beside a category, as the last one inside it, or as the last tree. */
export type Target = { readonly where: 'before' | 'after' | 'inside'; readonly key: string } | { readonly where: 'end' }

/** A node and its surroundings. */
export interface Place {
  readonly node: Node
  /** Ancestors, from the tree down to the parent; empty for a tree. */
  readonly above: readonly Node[]
  readonly siblings: Trees
  /** Position among its siblings, from 0. */
  readonly position: number
}

export function findPlace(trees: Trees, key: string, above: readonly Node[] = []): Place | undefined {
  for (const [position, node] of trees.entries()) {
    if (node.key === key) return { node, above, siblings: trees, position }
    const found = findPlace(node.below, key, [...above, node])
    if (found) return found
  }
  return undefined
}

/** Titles from the tree down, as `/Region/World`. A missing title is shown as an ellipsis. */
export function pathOf({ above, node }: Pick<Place, 'above' | 'node'>): string {
  return [...above, node].map(({ title }) => `/${title ?? '…'}`).join('')
}

/** First node at a path. */
export function findByPath(trees: Trees, path: string, above = ''): Node | undefined {
  for (const node of trees) {
    const own = `${above}/${node.title ?? '…'}`
    if (own === path) return node
    if (path.startsWith(`${own}/`)) {
      const found = findByPath(node.below, path, own)
      if (found) return found
    }
  }
  return undefined
}

/** A step of a category by keyboard. In: into the sibling above it. Out: behind its parent. */
export type Step = 'up' | 'down' | 'in' | 'out'

/** Target of a step; undefined where there is nothing in that direction. */
export function targetOfStep({ above, siblings, position }: Place, step: Step): Target | undefined {
  const previous = siblings[position - 1]
  const next = siblings[position + 1]
  const parent = above.at(-1)
  switch (step) {
    case 'up':
      return previous && { where: 'before', key: previous.key }
    case 'down':
      return next && { where: 'after', key: next.key }
    case 'in':
      return previous && { where: 'inside', key: previous.key }
    case 'out':
      return parent && { where: 'after', key: parent.key }
  }
}

/** Key to select after a category is removed: the next sibling, otherwise the previous one, otherwise the parent. */
export function neighbourOf({ above, siblings, position }: Place): string | undefined {
  return (siblings[position + 1] ?? siblings[position - 1] ?? above.at(-1))?.key
}

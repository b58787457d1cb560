import { canonicalObject } from '../canonical.ts'
import type { Category, CategorySchema } from '../schema.ts'

/** A category of one of the two schemas that are compared. The root is a node of its own, above the trees. */
export interface Node {
  readonly category: Category
  readonly parent: Node | undefined
  readonly children: readonly Node[]
  /** Position among its siblings. */
  readonly position: number
  readonly pointer: string
  /** Undefined if the category, or one above it, has no title. */
  readonly path: string | undefined
  /** The path, with the source of a category in place of a title that it lacks. */
  readonly name: string
  /** Key that siblings are recognized by: the title, or the source of a category without one. */
  readonly key: string
  /** Canonical text of the subtree; equal subtrees have equal ones. */
  readonly text: string
  /** Categories of the subtree, itself included. */
  readonly size: number
  /** The node of the other schema that is the same category. */
  match: Node | undefined
  /** The node of the new schema that this one merges into: its items get that path, it has no category of its own. */
  mergesInto: Node | undefined
}

/** The root of the schema's nodes. */
export function treeOf({ categorySchema }: CategorySchema): Node {
  return nodeOf({ categories: categorySchema }, undefined, 0)
}

function nodeOf(category: Category, parent: Node | undefined, position: number): Node {
  const { title, source = '', categories = [] } = category
  const children: Node[] = []
  const node = {
    category,
    parent,
    children,
    position,
    pointer: parent ? `${parent.pointer}/${parent.parent ? 'categories' : 'categorySchema'}/${position}` : '',
    path: parent ? joined(parent.path, title) : '',
    name: parent ? `${parent.name}/${title ?? source}` : '',
    key: title === undefined ? `source ${source}` : `title ${title}`,
    text: '',
    size: 1,
    match: undefined,
    mergesInto: undefined,
  }
  for (const [index, child] of categories.entries()) {
    const below = nodeOf(child, node, index)
    children.push(below)
    node.size += below.size
  }
  const texts = children.map(({ text }) => text)
  node.text = canonicalObject(category, texts)
  return node
}

function joined(parentPath: string | undefined, title: string | undefined): string | undefined {
  return parentPath === undefined || title === undefined ? undefined : `${parentPath}/${title}`
}

/** The nodes below the root, parents first, in the order of the document. */
export function listNodes(root: Node): readonly Node[] {
  const nodes: Node[] = []
  const visit = (node: Node) => {
    for (const child of node.children) {
      nodes.push(child)
      visit(child)
    }
  }
  visit(root)
  return nodes
}

/** The root, and those below it that have children. */
export function listParents(root: Node): readonly Node[] {
  return [root, ...listNodes(root).filter(({ children }) => children.length > 0)]
}

export function matchNodes(before: Node, after: Node): void {
  before.match = after
  after.match = before
}

/** The values by a key, in their order. */
export function groupBy<Value>(values: Iterable<Value>, keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

import type { Change } from '../../../src/categories/diff/change.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'

/** A category on its way from one schema to the other. */
interface Node {
  title: string | undefined
  description: string | null
  source: string | null
  children: Node[]
  parent: Node | undefined
}

/**
 * Applies the changes to a schema. Takes nothing from the new one but the texts of what is added. Throws where a change
 * contradicts the schema: a path that is not that of its pointer, a count, the former texts.
 */
export function applyChanges(
  before: CategorySchema,
  changes: readonly Change[],
  after: CategorySchema,
): CategorySchema {
  const root = nodeOf({ categories: before.categorySchema }, undefined)
  const nodes = new Map<Change, Node>()
  for (const change of changes) {
    if (change.op === 'add' || !('pointer' in change)) continue
    const node = findNode(root, change.pointer!)
    check(pathOf(node) === change.path, change)
    nodes.set(change, node)
  }
  // A category leaves its place with what goes along; where several of a branch leave, each does on its own.
  const tops = changes.filter(({ op }) => op !== 'add' && op !== 'change').flatMap((change) => nodes.get(change) ?? [])
  for (const node of tops) node.parent!.children = node.parent!.children.filter((one) => one !== node)
  const arriving = new Map<string, Change>()
  for (const change of changes) {
    if (change.op === 'add') arriving.set(change.pointer, change)
    if (change.op === 'rename' || change.op === 'move' || change.op === 'reorder')
      arriving.set(change.toPointer, change)
  }
  for (const change of changes) {
    if (change.op === 'remove' || change.op === 'merge') check(sizeOf(nodes.get(change)) === change.categories, change)
    if (change.op === 'change') applyTexts(nodes.get(change)!, change)
  }
  for (const [pointer, change] of [...arriving].sort(([one], [other]) => comparePointers(one, other))) {
    const steps = stepsOf(pointer)
    const parent = steps.slice(0, -1).reduce((node, step) => node.children[step]!, root)
    const node = change.op === 'add' ? addedNode(after, pointer, new Set(arriving.keys())) : nodes.get(change)!
    if (change.op === 'add') check(sizeOf(node) === change.categories, change)
    if ((change.op === 'rename' || change.op === 'move') && node.title !== undefined) {
      node.title = change.to.slice(change.to.lastIndexOf('/') + 1)
    }
    check(steps.at(-1)! <= parent.children.length, change)
    parent.children.splice(steps.at(-1)!, 0, node)
    node.parent = parent
    if (change.op === 'add') check(pathOf(node) === change.path, change)
    if (change.op === 'rename' || change.op === 'move') check(pathOf(node) === change.to, change)
  }
  for (const change of changes) {
    if (change.op === 'change' || change.op === 'reorder')
      check(findNode(root, change.toPointer) === nodes.get(change), change)
    if (change.op === 'merge') check(pathOf(findNode(root, change.toPointer)) === change.to, change)
  }
  return { categorySchema: root.children.map(categoryOf) }
}

function applyTexts(node: Node, change: Extract<Change, { readonly op: 'change' }>): void {
  for (const member of ['description', 'source'] as const) {
    const difference = change[member]
    if (!difference) continue
    check(node[member] === difference.from && difference.from !== difference.to, change)
    node[member] = difference.to
  }
}

function check(isRight: boolean, change: Change): void {
  if (!isRight) throw new Error(`contradicts the schema: ${JSON.stringify(change)}`)
}

function nodeOf({ title, description, source, categories = [] }: Category, parent: Node | undefined): Node {
  const node: Node = { title, description: description || null, source: source ?? null, children: [], parent }
  node.children = categories.map((category) => nodeOf(category, node))
  return node
}

/** The added category with what is below it, but not what arrives there by changes of its own. */
function addedNode(after: CategorySchema, pointer: string, arriving: ReadonlySet<string>): Node {
  const steps = stepsOf(pointer)
  let category: Category = { categories: after.categorySchema }
  for (const step of steps) category = category.categories![step]!
  const without = (one: Category, at: string): Category => ({
    ...one,
    categories: (one.categories ?? []).flatMap((child, position) => {
      const place = `${at}/categories/${position}`
      return arriving.has(place) ? [] : [without(child, place)]
    }),
  })
  return nodeOf(without(category, pointer), undefined)
}

function categoryOf({ title, description, source, children }: Node): Category {
  return {
    ...(title !== undefined && { title }),
    ...(description !== null && { description }),
    ...(source !== null && { source }),
    categories: children.map(categoryOf),
  }
}

function stepsOf(pointer: string): readonly number[] {
  return [...pointer.matchAll(/\d+/g)].map(([digits]) => Number(digits))
}

function comparePointers(one: string, other: string): number {
  const [left, right] = [stepsOf(one), stepsOf(other)]
  const at = left.findIndex((step, index) => step !== right[index])
  return at < 0 ? left.length - right.length : left[at]! - (right[at] ?? -1)
}

function findNode(root: Node, pointer: string): Node {
  return stepsOf(pointer).reduce((node, step) => node.children[step]!, root)
}

function pathOf({ title, source, parent }: Node): string {
  return parent ? `${pathOf(parent)}/${title ?? source}` : ''
}

function sizeOf(node: Node | undefined): number {
  return node ? node.children.reduce((total, child) => total + sizeOf(child), 1) : 0
}

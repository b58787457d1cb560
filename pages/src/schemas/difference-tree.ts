import { type Difference, positionOf } from '../../../src/categories/diff/change.ts'
import { type Node, treeOf } from '../../../src/categories/diff/tree.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import type { SchemaChange } from './answers.ts'

/**
 * Change of a category. `removed`, `merged` and `left` are at the place in the old schema: `left` is where a moved
 * category was.
 */
export type Mark = 'same' | 'added' | 'removed' | 'renamed' | 'moved' | 'merged' | 'left'

/** A category of either schema, with its change. */
export interface DifferenceNode {
  /** Title, or the source of a category without one. */
  readonly title: string
  readonly mark: Mark
  /** Previous path of a renamed or moved category. */
  readonly from?: string
  /** New path of a merged category, or of one that was moved away from here. */
  readonly to?: string
  /** Positions among the siblings, from 0. */
  readonly reordered?: { readonly from: number; readonly to: number }
  readonly description?: Difference
  readonly source?: Difference
  /** Number of items that the change affects; null if the server did not count to the end, undefined if there are none. */
  readonly items?: number | null
  /** Whether items follow a rename or move. */
  readonly declared?: boolean
  /** Number of categories that the change covers, this one included; only where a change begins. */
  readonly categories?: number
  readonly children: readonly DifferenceNode[]
  /** Whether it, or anything below it, has changed. */
  readonly isChanged: boolean
}

/** A path that only items carry, and that a move maps to a category. */
export interface StalePath {
  readonly path: string
  readonly to: string
  readonly items?: number | null
}

export interface DifferenceTree {
  readonly trees: readonly DifferenceNode[]
  readonly stale: readonly StalePath[]
}

/** Merges the changes between two schemas into one tree: the new schema, with lost categories at their old places. */
export function buildDifferenceTree(
  before: CategorySchema,
  after: CategorySchema,
  changes: readonly SchemaChange[],
): DifferenceTree {
  const roots = { before: treeOf(before), after: treeOf(after) }
  const index = indexChanges(changes)
  const matches = matchNodes(roots.before, roots.after, index)
  const trees = writeChildren(roots.after, 'same', { index, matches, gone: listGone(roots.before, matches, index) })
  const stale = changes.flatMap((change) => {
    if (change.op !== 'merge' || change.pointer !== undefined) return []
    return [{ path: change.path, to: change.to, ...(change.items !== undefined && { items: change.items }) }]
  })
  return { trees, stale }
}

interface ChangeIndex {
  /** Changes by pointer in the old schema; a path that only items carry has none. */
  readonly ofOld: ReadonlyMap<string | undefined, readonly SchemaChange[]>
  /** Changes by pointer in the new schema, which a merged or removed category is not in. */
  readonly ofNew: ReadonlyMap<string | undefined, readonly SchemaChange[]>
}

function indexChanges(changes: readonly SchemaChange[]): ChangeIndex {
  const ofNew = changes.filter(({ op }) => op !== 'merge' && op !== 'remove')
  return {
    ofOld: Map.groupBy(
      changes.filter(({ op }) => op !== 'add'),
      ({ pointer }) => pointer,
    ),
    ofNew: Map.groupBy(ofNew, (change) => ('toPointer' in change ? change.toPointer : change.pointer)),
  }
}

/** Maps each category of the old schema to that of the new schema, by the changes. */
function matchNodes(before: Node, after: Node, { ofOld, ofNew }: ChangeIndex): ReadonlyMap<Node, Node> {
  const places = new Map(listAll(after).map((node) => [node.pointer, node]))
  const matches = new Map([[before, after]])
  const visit = (parent: Node) => {
    const match = matches.get(parent)
    const free = match?.children.filter(({ pointer }) => !ofNew.has(pointer)) ?? []
    for (const child of parent.children) {
      const changes = ofOld.get(child.pointer) ?? []
      const place = find(changes, 'rename', 'move', 'change', 'reorder')
      const isGone = find(changes, 'remove', 'merge') !== undefined
      const position = place || isGone ? -1 : free.findIndex(({ key }) => key === child.key)
      const found = place ? places.get(place.toPointer) : free[position]
      if (position >= 0) free.splice(position, 1)
      if (found) matches.set(child, found)
      visit(child)
    }
  }
  visit(before)
  return matches
}

type ChangeOf<Op> = Extract<SchemaChange, { readonly op: Op }>

function find<Op extends SchemaChange['op']>(
  changes: readonly SchemaChange[],
  ...ops: readonly Op[]
): ChangeOf<Op> | undefined {
  return changes.find((change): change is ChangeOf<Op> => ops.some((op) => op === change.op))
}

function listAll(node: Node): readonly Node[] {
  return [node, ...node.children.flatMap(listAll)]
}

interface Written {
  readonly index: ChangeIndex
  readonly matches: ReadonlyMap<Node, Node>
  /** Categories at their old places, by the parent in the new schema. */
  readonly gone: ReadonlyMap<Node, readonly Gone[]>
}

/** A category that is no longer at its old place. */
interface Gone {
  readonly node: DifferenceNode
  /** Parent in the new schema. */
  readonly parent: Node
  /** Preceding sibling in the new schema; undefined at the beginning. */
  readonly behind: Node | undefined
}

function listGone(before: Node, matches: ReadonlyMap<Node, Node>, index: ChangeIndex) {
  const gone: Gone[] = []
  const visit = (old: Node) => {
    const parent = matches.get(old)
    let behind: Node | undefined
    for (const child of old.children) {
      const same = matches.get(child)
      if (parent && same?.parent === parent) behind = same
      else if (parent) gone.push({ node: writeGone(child, 'removed', matches, index), parent, behind })
      visit(child)
    }
  }
  visit(before)
  return Map.groupBy(gone, ({ parent }) => parent)
}

function writeGone(node: Node, above: Mark, matches: ReadonlyMap<Node, Node>, index: ChangeIndex): DifferenceNode {
  const match = matches.get(node)
  if (match) {
    return { title: nameOf(node), mark: 'left', to: match.name, children: [], isChanged: true }
  }
  const change = find(index.ofOld.get(node.pointer) ?? [], 'remove', 'merge')
  const mark = change ? (change.op === 'merge' ? 'merged' : 'removed') : above
  return {
    title: nameOf(node),
    mark,
    ...(change?.op === 'merge' && { to: change.to }),
    ...(change && countsOf(change)),
    children: node.children.map((child) => writeGone(child, mark, matches, index)),
    isChanged: true,
  }
}

function writeChildren(parent: Node, above: Mark, written: Written): readonly DifferenceNode[] {
  const gone = written.gone.get(parent) ?? []
  const at = (place: Node | undefined) => gone.filter(({ behind }) => behind === place).map(({ node }) => node)
  return [...at(undefined), ...parent.children.flatMap((child) => [writeNode(child, above, written), ...at(child)])]
}

function writeNode(node: Node, above: Mark, written: Written): DifferenceNode {
  const changes = written.index.ofNew.get(node.pointer) ?? []
  const added = find(changes, 'add')
  const replaced = find(changes, 'rename', 'move')
  const changed = find(changes, 'change')
  const reordered = find(changes, 'reorder') ?? (replaced?.reordered && positionsOf(replaced))
  const isOfAdded = above === 'added' && changes.length === 0
  const mark = replaced ? (replaced.op === 'move' ? 'moved' : 'renamed') : added || isOfAdded ? 'added' : 'same'
  const children = writeChildren(node, mark, written)
  const counted = added ?? replaced
  return {
    title: nameOf(node),
    mark,
    ...(replaced && { from: replaced.path, declared: replaced.declared }),
    ...(reordered && { reordered: { from: reordered.from, to: reordered.to } }),
    ...(changed?.description && { description: changed.description }),
    ...(changed?.source && { source: changed.source }),
    ...(counted && countsOf(counted)),
    children,
    isChanged: mark !== 'same' || changes.length > 0 || children.some(({ isChanged }) => isChanged),
  }
}

function positionsOf({ pointer, toPointer }: ChangeOf<'rename' | 'move'>) {
  return { from: positionOf(pointer), to: positionOf(toPointer) }
}

function countsOf({ items, categories }: ChangeOf<'add' | 'remove' | 'rename' | 'move' | 'merge'>) {
  return { ...(items !== undefined && { items }), categories }
}

function nameOf({ category }: Node): string {
  return category.title ?? category.source ?? ''
}

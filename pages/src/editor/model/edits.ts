import type { Category } from '../../../../src/categories/schema.ts'
import { mergeSchemas } from '../../../../src/schema-files/merge.ts'
import { joinOrigins } from '../../drafts/origin.ts'
import { type KeyMaker, listNodes, type Node, readNodes, type Trees, toCategories } from './node.ts'
import { findPlace, type Target } from './places.ts'

/** Edits of trees. Each returns the new trees, or the given ones where nothing changes. */

export interface Texts {
  readonly title?: string
  readonly description?: string
}

export function changeTexts(trees: Trees, key: string, texts: Texts): Trees {
  return replaceNode(trees, key, (node) => {
    const next = { ...node, ...texts }
    return next.title === node.title && next.description === node.description ? [node] : [next]
  })
}

export function removeNode(trees: Trees, key: string): Trees {
  return replaceNode(trees, key, () => [])
}

/** Inserts nodes at a target; without effect if the target does not exist. */
export function insertNodes(trees: Trees, nodes: Trees, target: Target): Trees {
  if (nodes.length === 0) return trees
  if (target.where === 'end') return [...trees, ...nodes]
  return replaceNode(trees, target.key, (node) => {
    if (target.where === 'before') return [...nodes, node]
    if (target.where === 'after') return [node, ...nodes]
    return [{ ...node, below: [...node.below, ...nodes] }]
  })
}

/** Moves categories with everything below them, in their order, but never into themselves. */
export function moveNodes(trees: Trees, moved: readonly Node[], target: Target): Trees {
  if (moved.some((node) => isWithin(node, target))) return trees
  if (target.where !== 'end' && !findPlace(trees, target.key)) return trees
  const rest = moved.reduce((left, { key }) => removeNode(left, key), trees)
  const next = insertNodes(rest, moved, target)
  return haveEqualPlaces(trees, next) ? trees : next
}

function haveEqualPlaces(one: Trees, other: Trees): boolean {
  return (
    one.length === other.length &&
    one.every(({ key, below }, at) => key === other[at]!.key && haveEqualPlaces(below, other[at]!.below))
  )
}

/**
 * Merges a category into another one, but never into itself: what is below it goes along, and equal titles become one category.
 * The other keeps its own texts.
 */
export function mergeNode(trees: Trees, key: string, into: string): Trees {
  return absorb(trees, key, into, joinNodes)
}

/** Removes a category with everything below it, and has another one stand for all of them: it gets their items. */
export function replaceByNode(trees: Trees, key: string, into: string): Trees {
  return absorb(trees, key, into, (node, gone) => ({
    ...node,
    origin: joinOrigins(node.origin, ...listNodes([gone]).map(({ origin }) => origin)),
  }))
}

function absorb(trees: Trees, key: string, into: string, join: (node: Node, gone: Node) => Node): Trees {
  const place = findPlace(trees, key)
  if (!place || findPlace([place.node], into) || !findPlace(trees, into)) return trees
  return replaceNode(removeNode(trees, key), into, (node) => [join(node, place.node)])
}

function joinNodes(node: Node, gone: Node): Node {
  const below = [...node.below]
  for (const child of gone.below) {
    const twin = below.findIndex(({ title }) => title !== undefined && title === child.title)
    if (twin === -1) below.push(child)
    else below[twin] = joinNodes(below[twin]!, child)
  }
  return { ...node, origin: joinOrigins(node.origin, gone.origin), below }
}

/** The nodes of these keys, in the order of the document, without those below another one of them. */
export function listTops(trees: Trees, keys: ReadonlySet<string>): readonly Node[] {
  return trees.flatMap((node) => (keys.has(node.key) ? [node] : listTops(node.below, keys)))
}

/** Whether a target is the node itself or below it, so that it cannot be moved there. */
function isWithin(node: Node, target: Target): boolean {
  return target.where !== 'end' && findPlace([node], target.key) !== undefined
}

/** Inserts a copy beside the original, with everything below it. */
export function duplicateNode(
  trees: Trees,
  key: string,
  makeKey: KeyMaker,
): { readonly trees: Trees; readonly copy: string } {
  const copyOf = (node: Node): Node => ({ ...node, key: makeKey(), origin: null, below: node.below.map(copyOf) })
  const place = findPlace(trees, key)
  if (!place) return { trees, copy: key }
  const copy = copyOf(place.node)
  return { trees: insertNodes(trees, [copy], { where: 'after', key }), copy: copy.key }
}

/** Adds categories as the server merges a file: equal paths are merged, all others are added, nothing is removed. */
export function mergeCategories(trees: Trees, categories: readonly Category[], makeKey: KeyMaker): Trees {
  const merged = mergeSchemas(
    { categorySchema: toCategories(trees) },
    { schema: { categorySchema: categories }, places: new Map() },
  )
  return adopt(trees, merged.schema.categorySchema, makeKey)
}

/** Keeps existing categories in their positions and appends new ones. */
function adopt(trees: Trees, categories: readonly Category[], makeKey: KeyMaker): Trees {
  const added = readNodes(categories.slice(trees.length), makeKey)
  const kept = trees.map((node, position) => {
    const { description = '', source, categories: below = [] } = categories[position]!
    const nodes = adopt(node.below, below, makeKey)
    const isSame = description === node.description && source === node.source && nodes === node.below
    return isSame ? node : { ...node, description, source, below: nodes }
  })
  return added.length === 0 && kept.every((node, position) => node === trees[position]) ? trees : [...kept, ...added]
}

/** Replaces one node, and only the lists above it. */
function replaceNode(trees: Trees, key: string, replace: (node: Node) => Trees): Trees {
  for (const [position, node] of trees.entries()) {
    const below = node.key === key ? undefined : replaceNode(node.below, key, replace)
    if (below === node.below) continue
    const next = below ? [{ ...node, below }] : replace(node)
    if (next.length === 1 && next[0] === node) return trees
    return [...trees.slice(0, position), ...next, ...trees.slice(position + 1)]
  }
  return trees
}

import { findRefusedMoves, type Move, maxMoves } from '../categories/moves.ts'
import type { Category, CategorySchema } from '../categories/schema.ts'
import { listPaths } from '../categories/schema-paths.ts'
import type { ReadSchemaFile } from './schema-file.ts'

/** Categories of a file that are those of the present schema, by identifiers and URIs, whatever they are called now. */

interface Placed {
  readonly path: string
  readonly parent: string
  readonly pointer: string
  readonly category: Category
}

/** Categories with titles all the way down: others have no path that a move may name. */
function listPlaced({ categorySchema }: CategorySchema): readonly Placed[] {
  const list = (siblings: readonly Category[], parent: string, above: string): readonly Placed[] =>
    siblings.flatMap((category, at) => {
      if (category.title === undefined) return []
      const path = `${parent}/${category.title}`
      const pointer = `${above}/${at}`
      return [{ path, parent, pointer, category }, ...list(category.categories ?? [], path, `${pointer}/categories`)]
    })
  return list(categorySchema, '', '/categorySchema')
}

function byUri(placed: readonly Placed[]): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed>()
  const several = new Set<string>()
  for (const one of placed) {
    const { source } = one.category
    if (source === undefined || !/^(?:https?|urn):\S+$/i.test(source)) continue
    if (found.has(source)) several.add(source)
    found.set(source, one)
  }
  for (const source of several) found.delete(source)
  return found
}

/** Renames and moves that lead from the present schema to the file: those above others imply those below. */
export function findMoves(
  before: CategorySchema,
  file: Pick<ReadSchemaFile, 'schema' | 'formerPaths'>,
): readonly Move[] {
  const present = listPlaced(before)
  const paths = new Set(present.map(({ path }) => path))
  const uris = byUri(present)
  const after = listPlaced(file.schema)
  const ownUris = byUri(after)
  const former = new Map<string, string>()
  const taken = new Set<string>()
  for (const { path, pointer, category } of after) {
    const byId = file.formerPaths?.get(pointer)
    const unique = category.source !== undefined && ownUris.has(category.source) ? uris.get(category.source) : undefined
    const from = byId !== undefined && paths.has(byId) ? byId : unique?.path
    if (from === undefined || taken.has(from)) continue
    taken.add(from)
    former.set(path, from)
  }
  const newPaths = new Set(after.flatMap(({ path }) => (former.has(path) ? [] : [path])))
  const isReused = (from: string) => newPaths.has(from)
  const needed = new Map<string, string>()
  const implied = new Map<string, string>()
  for (const { path, parent } of after) {
    const from = former.get(path)
    if (from === undefined || from === path) continue
    // A category that gets the name of one that goes keeps its items, and those below go by themselves.
    const isStopped = former.has(parent) && isReused(former.get(parent)!)
    const above = isStopped ? parent : (former.get(parent) ?? parent)
    if (from === above + path.slice(parent.length)) implied.set(path, from)
    else needed.set(path, from)
  }
  // A path that stays in the schema and is moved away needs a move that leads to it.
  for (const from of needed.values()) {
    const other = implied.get(from)
    if (other !== undefined) needed.set(from, other)
  }
  return [...needed].slice(0, maxMoves).map(([to, from]) => ({ from, to }))
}

/** The moves that lead to this schema; those that do not are left out. */
export function keepPossible(moves: readonly Move[], before: CategorySchema, after: CategorySchema): readonly Move[] {
  let kept = moves
  for (;;) {
    const context = { before: new Set(listPaths(before)), after: new Set(listPaths(after)) }
    const refused = new Set(findRefusedMoves(kept, context).map(({ position }) => position))
    if (refused.size === 0) return kept
    kept = kept.filter((_, position) => !refused.has(position))
  }
}

interface Node {
  texts: Omit<Category, 'categories'>
  children: Node[]
}

/** The schema with its categories where the moves lead, all together: what a file is merged with. Nothing is removed. */
export function applyMoves(schema: CategorySchema, moves: readonly Move[]): CategorySchema {
  const nodeOf = ({ categories = [], ...texts }: Category): Node => ({ texts, children: categories.map(nodeOf) })
  const root: Node = { texts: {}, children: schema.categorySchema.map(nodeOf) }
  const found = moves.flatMap(({ from, to }) => {
    const place = findNode(root, from.slice(1).split('/'))
    return place ? [{ ...place, at: place.parent.children.indexOf(place.node), titles: to.slice(1).split('/') }] : []
  })
  for (const { node, parent } of found) parent.children.splice(parent.children.indexOf(node), 1)
  for (const { node, parent, at, titles } of found.toSorted((one, other) => one.titles.length - other.titles.length)) {
    node.texts = { ...node.texts, title: titles.at(-1)! }
    const target = makeNode(root, titles.slice(0, -1))
    attach(node, target, target === parent ? at : target.children.length)
  }
  const categoryOf = ({ texts, children }: Node): Category =>
    children.length === 0 ? texts : { ...texts, categories: children.map(categoryOf) }
  return { categorySchema: root.children.map(categoryOf) }
}

/** Puts a category below another one; where that has one of the title, what is below both is. */
function attach(node: Node, target: Node, at: number): void {
  const known = target.children.find(({ texts }) => texts.title !== undefined && texts.title === node.texts.title)
  if (!known) {
    target.children.splice(at, 0, node)
    return
  }
  known.texts = { ...node.texts, ...known.texts }
  for (const child of node.children) attach(child, known, known.children.length)
}

function findNode(root: Node, titles: readonly string[]): { readonly node: Node; readonly parent: Node } | undefined {
  let [node, parent] = [root, root]
  for (const title of titles) {
    const child = node.children.find(({ texts }) => texts.title === title)
    if (!child) return undefined
    parent = node
    node = child
  }
  return { node, parent }
}

function makeNode(root: Node, titles: readonly string[]): Node {
  let node = root
  for (const title of titles) {
    let child = node.children.find(({ texts }) => texts.title === title)
    if (!child) {
      child = { texts: { title }, children: [] }
      node.children.push(child)
    }
    node = child
  }
  return node
}

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
  const moves = after.flatMap(({ path, parent }) => {
    const from = former.get(path)
    if (from === undefined || from === path) return []
    const above = former.get(parent) ?? parent
    const isImplied = from === above + path.slice(parent.length)
    return isImplied ? [] : [{ from, to: path }]
  })
  return moves.slice(0, maxMoves)
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

/** The schema with its categories where the moves lead: what a file is merged with. A target that is there stays as it is. */
export function applyMoves(schema: CategorySchema, moves: readonly Move[]): CategorySchema {
  const nodeOf = ({ categories = [], ...texts }: Category): Node => ({ texts, children: categories.map(nodeOf) })
  const root: Node = { texts: {}, children: schema.categorySchema.map(nodeOf) }
  const found = moves.map(({ from, to }) => ({
    to: to.slice(1).split('/'),
    ...findNode(root, from.slice(1).split('/')),
  }))
  for (const { to, node, parent } of found.toSorted((one, other) => one.to.length - other.to.length)) {
    const title = to.at(-1)!
    const target = node && makeNode(root, to.slice(0, -1))
    if (!node || !parent || !target || target.children.some(({ texts }) => texts.title === title)) continue
    if (isWithin(node, target)) continue
    node.texts = { ...node.texts, title }
    if (target === parent) continue
    parent.children.splice(parent.children.indexOf(node), 1)
    target.children.push(node)
  }
  const categoryOf = ({ texts, children }: Node): Category =>
    children.length === 0 ? texts : { ...texts, categories: children.map(categoryOf) }
  return { categorySchema: root.children.map(categoryOf) }
}

function findNode(root: Node, titles: readonly string[]): { readonly node?: Node; readonly parent?: Node } {
  let [node, parent]: [Node | undefined, Node | undefined] = [root, undefined]
  for (const title of titles) {
    parent = node
    node = node?.children.find(({ texts }) => texts.title === title)
  }
  return node && parent ? { node, parent } : {}
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

function isWithin(above: Node, node: Node): boolean {
  return above === node || above.children.some((child) => isWithin(child, node))
}

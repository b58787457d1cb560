import { matchTrees } from '../diff/matching.ts'
import { groupBy, listNodes, type Node, treeOf } from '../diff/tree.ts'
import type { Move } from '../moves.ts'
import type { CategorySchema } from '../schema.ts'

export type Choice = 'theirs' | 'mine'

/** The id of what is above the trees. */
export const rootId = ''

/** A category of one side of a merge; null where it has no such text. */
export interface Part {
  readonly title: string | null
  readonly description: string | null
  readonly source: string | null
  readonly parent: string
}

/**
 * One of the schemas of a merge. A category of the base has its JSON pointer there as its id, on every side. What is added has
 * the id of its parent and its title, so that what both sides have added is one category.
 */
export interface Side {
  readonly parts: ReadonlyMap<string, Part>
  /** Ids by the id of their parent, in order. */
  readonly children: ReadonlyMap<string, readonly string[]>
  /** The categories in their tree, with their paths. */
  readonly nodes: ReadonlyMap<string, Node>
}

/** `origins`: for each category, in the order of the document, its pointer in the base; undefined for one that is new. */
export function sideOf(schema: CategorySchema, origins: readonly (string | undefined)[]): Side {
  const root = treeOf(schema)
  const ids = new Map<Node, string>([[root, rootId]])
  const parts = new Map<string, Part>()
  const children = new Map<string, string[]>([[rootId, []]])
  const nodes = new Map<string, Node>()
  for (const [position, node] of listNodes(root).entries()) {
    const parent = ids.get(node.parent!)!
    const id = freeId(origins[position] ?? `${parent} + ${node.key}`, parts)
    const { title, description, source } = node.category
    ids.set(node, id)
    parts.set(id, { title: title ?? null, description: description || null, source: source ?? null, parent })
    children.get(parent)!.push(id)
    children.set(id, [])
    nodes.set(id, node)
  }
  return { parts, children, nodes }
}

/** Equal siblings that are added get numbers, behind a character that no title has. */
function freeId(wanted: string, taken: ReadonlyMap<string, Part>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}\n${number}`
  return id
}

/** The base itself. */
export function baseSideOf(schema: CategorySchema): Side {
  return sideOf(
    schema,
    listNodes(treeOf(schema)).map(({ pointer }) => pointer),
  )
}

/**
 * Pointers in the base of the categories of a schema, given their paths there; null for new ones. Several with one path get theirs
 * one after the other. A category without a path, for want of a title, is recognized by its source.
 */
export function pointersOf(
  base: CategorySchema,
  schema: CategorySchema,
  origins: readonly (string | null)[],
): readonly (string | undefined)[] {
  const byPath = groupBy(listNodes(treeOf(base)), ({ path = '' }) => path)
  const known = origins.map((path) => (path === null ? undefined : byPath.get(path)?.shift()?.pointer))
  const matches = matchesOf(base, schema)
  const taken = new Set(known)
  return listNodes(treeOf(schema)).map(({ path }, position) => {
    const match = matches[position]
    const isUntitled = path === undefined || match?.path === undefined
    return known[position] ?? (isUntitled && !taken.has(match?.pointer) ? match?.pointer : undefined)
  })
}

interface Orders {
  readonly base: readonly string[]
  readonly theirs: readonly string[]
  readonly mine: readonly string[]
  /** Ids that are to be put in order; some may be new to this parent. */
  readonly ids: readonly string[]
}

/** Puts siblings in order: as the one side has them that has changed the order, with the others behind the same neighbours. */
export function mergeOrders({ base, theirs, mine, ids }: Orders, ask: () => Choice): readonly string[] {
  const choice = chooseOrder({ base, theirs, mine }, ask)
  const [first, second] = choice === 'theirs' ? [theirs, mine] : [mine, theirs]
  return insertBehindNeighbours(insertBehindNeighbours(first, second), ids)
}

function chooseOrder({ base, theirs, mine }: Omit<Orders, 'ids'>, ask: () => Choice): Choice {
  const keep = (order: readonly string[], others: readonly string[]) =>
    order.filter((id) => others.includes(id)).join('\n')
  if (keep(mine, base) === keep(base, mine)) return 'theirs'
  if (keep(theirs, base) === keep(base, theirs)) return 'mine'
  return keep(theirs, mine) === keep(mine, theirs) ? 'theirs' : ask()
}

/** The order with the other ids that it lacks, each behind the one that it stands behind there. */
function insertBehindNeighbours(order: readonly string[], others: readonly string[]): readonly string[] {
  const result = [...order]
  for (const [position, id] of others.entries()) {
    if (result.includes(id)) continue
    const behind = others[position - 1]
    result.splice(behind === undefined ? 0 : result.indexOf(behind) + 1, 0, id)
  }
  return result
}

/**
 * For each category of the new schema, in the order of the document, the one of the old schema that it is: by the moves, by
 * sources that are URIs, then by its path. Undefined for a new one.
 */
export function matchesOf(
  before: CategorySchema,
  after: CategorySchema,
  moves: readonly Move[] = [],
): readonly (Node | undefined)[] {
  const roots = { before: treeOf(before), after: treeOf(after) }
  matchTrees(roots.before, roots.after, moves)
  return listNodes(roots.after).map(({ match }) => match)
}

/** Returns the old paths of the matches, as drafts have them; null for a new one. */
export function originsOf(before: CategorySchema, after: CategorySchema): readonly (string | null)[] {
  return matchesOf(before, after).map((match) => match?.path ?? null)
}

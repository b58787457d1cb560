import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'
import { lead } from './category-model.ts'

/** A category on its way from the old schema to the new one: the same object, whatever its title and place become. */
interface Node {
  title: string
  children: Node[]
  /** Undefined for one that the old schema lacks. */
  readonly before: string | undefined
}

/** Result of some edits of the trees, with the moves that describe it. */
export interface Edited {
  readonly trees: readonly Category[]
  readonly moves: readonly Move[]
  /** Path before and after of each category that is in both. */
  readonly kept: ReadonlyMap<string, string>
}

const titles = ['Water', 'Soil', 'Air', 'Roads', 'Rocks', 'Plants']
const maxLevels = 4
const maxTrees = 5

/** Some random edits: renames, moves, swaps, merges, removals, additions, and paths that only items carry. */
export function editTrees(trees: readonly Category[], stale: readonly string[], random: () => number): Edited {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const roots = toNodes(trees, '')
  const merged: { readonly node: Node; readonly into: Node }[] = []
  const healed: { readonly path: string; readonly into: Node }[] = []
  const edits: Record<string, () => void> = {
    rename: () => {
      const one = pick(listPlaces(roots))
      if (one) rename(one, pick([...titles, 'Herbs', 'Seas']))
    },
    swap: () => {
      const [first, second] = pick(listLists(roots).map(({ list }) => list.toSorted(() => random() - 0.5)))!
      if (first && second) [first.title, second.title] = [second.title, first.title]
    },
    move: () => {
      const one = pick(listPlaces(roots))
      const target = pick(listLists(roots))!
      if (!one || contains(one.node, target.list) || target.level + heightOf(one.node) - 1 > maxLevels) return
      if (
        target.list.some(({ title }) => title === one.node.title) ||
        (target.list === roots && roots.length >= maxTrees)
      )
        return
      one.list.splice(one.list.indexOf(one.node), 1)
      target.list.splice(Math.floor(random() * (target.list.length + 1)), 0, one.node)
    },
    merge: () => {
      const one = pick(listPlaces(roots))
      const into = pick(listPlaces(roots))?.node
      if (!one || !into || one.node === into || contains(one.node, into.children) || one.node.before === undefined)
        return
      if (one.node.children.includes(into)) return
      one.list.splice(one.list.indexOf(one.node), 1)
      merged.push({ node: one.node, into })
    },
    remove: () => {
      const one = pick(listPlaces(roots))
      if (one && random() < 0.5) one.list.splice(one.list.indexOf(one.node), 1)
    },
    add: () => {
      const { list, level } = pick(listLists(roots))!
      const title = pick(titles)
      if (
        level > maxLevels ||
        list.some((node) => node.title === title) ||
        (list === roots && roots.length >= maxTrees)
      )
        return
      list.push({ title, children: [], before: undefined })
    },
    heal: () => {
      const into = pick(listPlaces(roots))?.node
      if (stale.length > 0 && into) healed.push({ path: pick(stale), into })
    },
  }
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) edits[pick(Object.keys(edits))]!()
  if (roots.length === 0) roots.push({ title: 'Water', children: [], before: undefined })
  return tell(roots, merged, healed)
}

/** The moves that a person would declare: parents first, and only what does not follow from these. */
function tell(
  roots: readonly Node[],
  merged: readonly { readonly node: Node; readonly into: Node }[],
  healed: readonly { readonly path: string; readonly into: Node }[],
): Edited {
  const places = new Map(listNodes(roots, '').map(({ node, path }) => [node, path]))
  const kept = new Map(
    [...places].flatMap(([{ before: from }, to]) => (from === undefined ? [] : [[from, to] as const])),
  )
  const wanted = new Map(kept)
  for (const { node, into } of merged) if (places.has(into)) wanted.set(node.before!, places.get(into)!)
  for (const { path, into } of healed) wanted.set(path, places.get(into)!)
  const moves: Move[] = []
  const paths = new Set(places.values())
  for (const [from, to] of [...wanted].toSorted(([one], [other]) => one.length - other.length)) {
    if (lead(moves, from).to !== to && from !== to) moves.push({ from, to })
  }
  // Moves cannot express staying below a moved category, or leaving a path that another takes without a move.
  const targets = new Set(moves.map(({ to }) => to))
  const isTold = [...wanted].every(([from, to]) => lead(moves, from).to === to)
  const isAllowed = moves.every(({ from, to }) => paths.has(to) && (!paths.has(from) || targets.has(from)))
  const trees = toCategories(roots)
  if (isTold && isAllowed) return { trees, moves, kept }
  return { trees, moves: [], kept: new Map([...kept].filter(([from, to]) => from === to)) }
}

function toNodes(categories: readonly Category[], above: string): Node[] {
  return categories.map(({ title, categories: below = [] }) => {
    const before = `${above}/${title}`
    return { title: title!, children: toNodes(below, before), before }
  })
}

function toCategories(nodes: readonly Node[]): readonly Category[] {
  return nodes.map(({ title, children }) => ({ title, categories: toCategories(children) }))
}

function rename({ node, list }: { readonly node: Node; readonly list: readonly Node[] }, title: string): void {
  if (!list.some((sibling) => sibling.title === title)) node.title = title
}

function listNodes(list: readonly Node[], above: string): readonly { readonly node: Node; readonly path: string }[] {
  return list.flatMap((node) => {
    const path = `${above}/${node.title}`
    return [{ node, path }, ...listNodes(node.children, path)]
  })
}

function listLists(list: Node[], level = 1): readonly { readonly list: Node[]; readonly level: number }[] {
  return [{ list, level }, ...list.flatMap(({ children }) => listLists(children, level + 1))]
}

function listPlaces(roots: Node[]): readonly { readonly node: Node; readonly list: Node[] }[] {
  return listLists(roots).flatMap(({ list }) => list.map((node) => ({ node, list })))
}

function contains(node: Node, list: readonly Node[]): boolean {
  return node.children === list || node.children.some((child) => contains(child, list))
}

function heightOf({ children }: Node): number {
  return 1 + Math.max(0, ...children.map(heightOf))
}

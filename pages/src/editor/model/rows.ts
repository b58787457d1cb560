import { fold } from '../../../../src/search/folding.ts'
import type { Node, Trees } from './node.ts'

/** A line of the shown tree. */
export interface Row {
  readonly node: Node
  /** From 1. */
  readonly level: number
  /** Position among its siblings, from 1, and their number. */
  readonly position: number
  readonly of: number
  readonly parent: string | undefined
  /** Undefined if nothing is below it. */
  readonly isOpen: boolean | undefined
}

/** Visible rows: those below a closed node are left out. With a search, matches and their ancestors, all open. */
export function listRows(trees: Trees, closed: ReadonlySet<string>, found?: SearchMatches): readonly Row[] {
  const rows: Row[] = []
  const visit = (siblings: Trees, level: number, parent: string | undefined) => {
    const shown = found ? siblings.filter(({ key }) => found.shown.has(key)) : siblings
    for (const [at, node] of shown.entries()) {
      const hasBelow = found ? node.below.some(({ key }) => found.shown.has(key)) : node.below.length > 0
      const isOpen = hasBelow ? found !== undefined || !closed.has(node.key) : undefined
      rows.push({ node, level, position: at + 1, of: shown.length, parent, isOpen })
      if (isOpen) visit(node.below, level + 1, node.key)
    }
  }
  visit(trees, 1, undefined)
  return rows
}

/** Results of a search. */
export interface SearchMatches {
  /** Keys of the categories with the words in their titles or descriptions, in the order of the document. */
  readonly matches: readonly string[]
  /** Keys of the matches and their ancestors. */
  readonly shown: ReadonlySet<string>
}

/** Searches titles and descriptions; undefined for an empty search. */
export function searchTrees(trees: Trees, searched: string): SearchMatches | undefined {
  const wanted = fold(searched.trim())
  if (wanted === '') return undefined
  const matches: string[] = []
  const shown = new Set<string>()
  const visit = (node: Node): boolean => {
    const isMatch = fold(node.title ?? '').includes(wanted) || fold(node.description).includes(wanted)
    if (isMatch) matches.push(node.key)
    const isAbove = node.below.map(visit).includes(true)
    if (isMatch || isAbove) shown.add(node.key)
    return isMatch || isAbove
  }
  for (const tree of trees) visit(tree)
  return { matches, shown }
}

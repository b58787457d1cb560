import type { SchemaLimits } from '../../categories/limits.ts'
import type { Concepts } from './concepts.ts'
import { shownNode } from './graph.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { SkosOptions } from './options.ts'

/** A scheme or a concept that becomes a category. Its children are found when they are asked for. */
export interface ForestNode {
  readonly node: string
  readonly isScheme: boolean
  readonly hierarchy: Hierarchy
}

/** Levels and branches that a refusal lists, and levels that are counted. */
const maxListed = 20
const maxCounted = 100

/** Whether the schemes become the roots, with the top concepts on the second level. */
export function hasSchemesAsRoots({ isOurs }: Concepts, { roots }: SkosOptions): boolean {
  return (roots ?? (isOurs ? 'topConcepts' : 'scheme')) === 'scheme'
}

/** The roots of all trees. */
export function plantForest(hierarchies: readonly Hierarchy[], schemesAsRoots: boolean): readonly ForestNode[] {
  return hierarchies.flatMap((hierarchy): readonly ForestNode[] => {
    const { scheme } = hierarchy.group
    if (schemesAsRoots && scheme !== undefined) return [{ node: scheme, isScheme: true, hierarchy }]
    return hierarchy.tops.map((node) => ({ node, isScheme: false, hierarchy }))
  })
}

export function childrenOf({ node, isScheme, hierarchy }: ForestNode): readonly ForestNode[] {
  const children = isScheme ? hierarchy.tops : hierarchy.childrenOf(node)
  return children.map((child) => ({ node: child, isScheme: false, hierarchy }))
}

/** Why the forest is larger than a category schema may be; with `depth=cut` only what is above the cut counts. */
export function findExcess(
  roots: readonly ForestNode[],
  limits: SchemaLimits,
  { depth }: SkosOptions,
): readonly string[] {
  const problems: string[] = []
  const counted = countLevels(roots, depth === 'cut' ? limits.levels : maxCounted)
  const total = counted.reduce((sum, count) => sum + count, 0)
  if (counted.length > limits.levels || total > limits.categories) {
    problems.push(
      `${describeLevels(counted, total, limits)} ${describeBranches(roots)} root=<uri> takes one branch, ` +
        `depth=cut leaves out what is too deep${roots[0]?.isScheme ? ', roots=topConcepts leaves out the level of the scheme' : ''}.`,
    )
  }
  if (roots.length > limits.trees) {
    problems.push(
      `The file has ${roots.length} trees; at most ${limits.trees} are allowed. roots=scheme puts them below their ` +
        'scheme, if there is one; root=<uri> takes one of them.',
    )
  }
  return problems
}

/** How many categories each level has; a concept counts as often as it occurs. */
function countLevels(roots: readonly ForestNode[], max: number): readonly number[] {
  const counts: number[] = []
  let level = new Map<string, { readonly node: ForestNode; times: number }>()
  addTo(level, roots, 1)
  while (level.size > 0 && counts.length < max) {
    counts.push([...level.values()].reduce((sum, { times }) => sum + times, 0))
    const next: typeof level = new Map()
    for (const { node, times } of level.values()) addTo(next, childrenOf(node), times)
    level = next
  }
  return counts
}

function addTo(
  level: Map<string, { readonly node: ForestNode; times: number }>,
  nodes: readonly ForestNode[],
  times: number,
) {
  for (const node of nodes) {
    // A concept of two schemes has other children in each.
    const key = `${node.hierarchy.group.scheme ?? ''} ${node.node}`
    const known = level.get(key)
    if (known) known.times += times
    else level.set(key, { node, times })
  }
}

function describeLevels(counts: readonly number[], total: number, limits: SchemaLimits): string {
  const levels = `${counts.length}${counts.length === maxCounted ? ' or more' : ''}`
  const listed = counts.slice(0, maxListed).map(formatCount).join(', ')
  const rest = counts.length > maxListed ? ', …' : ''
  return (
    `The file would become ${formatCount(total)} categories on ${levels} levels (${listed}${rest}); ` +
    `at most ${limits.categories} on ${limits.levels} levels are allowed.`
  )
}

/** Doubled at each level, a number may exceed what can be counted. */
function formatCount(count: number): string {
  return count > 1_000_000_000 ? 'more than a billion' : String(count)
}

/** The branches among which a caller may choose: trees, or what is below the only one. */
function describeBranches(roots: readonly ForestNode[]): string {
  const branches = roots.length === 1 ? childrenOf(roots[0]!) : roots
  const listed = branches.slice(0, maxListed).map((branch) => `${shownNode(branch.node)} ${countConcepts(branch)}`)
  const rest = branches.length - listed.length
  return `By branch: ${listed.join(', ')}${rest > 0 ? `, and ${rest} more branches` : ''}.`
}

/** Concepts of a branch, each once. */
function countConcepts(branch: ForestNode): number {
  const reached = new Set([branch.node])
  const open = [branch]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const child of childrenOf(next)) if (reached.size < reached.add(child.node).size) open.push(child)
  }
  return reached.size
}

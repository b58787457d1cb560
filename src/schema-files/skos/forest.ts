import type { SchemaLimits } from '../../categories/limits.ts'
import { describeExcess, isWithin, type LevelCounts, maxBranches, sortBranches, sumOf } from '../excess.ts'
import type { Branch, RefusedFile } from '../schema-file.ts'
import type { Concepts } from './concepts.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { SkosOptions } from './options.ts'

/** A scheme or a concept that becomes a category. Its children are found when they are asked for. */
export interface ForestNode {
  readonly node: string
  readonly isScheme: boolean
  readonly hierarchy: Hierarchy
}

/** Levels that are counted (chosen). */
const maxCounted = 100

/** Whether the schemes become the roots, with the top concepts on the second level. */
export function hasSchemesAsRoots({ isOurs }: Concepts, { roots, hasRoot }: SkosOptions, groups: number): boolean {
  // A root that is asked for takes the place of the label of the only scheme.
  return (roots ?? (isOurs || (hasRoot && groups === 1) ? 'topConcepts' : 'scheme')) === 'scheme'
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

/** Parts of a forest, and how each would be read on its own. */
export interface ForestBranches {
  /** URI of a concept or scheme, and the label that is shown for it; undefined for one that cannot be named. */
  readonly nameOf: (node: string) => { readonly id: string; readonly label: string } | undefined
  /** The roots of the trees where the node alone is asked for. */
  readonly plant: (node: ForestNode) => readonly ForestNode[]
}

/** The refusal of a forest that is larger than a category schema may be; with `depth=cut` only what is above the cut counts. */
export function refuseExcess(
  roots: readonly ForestNode[],
  limits: SchemaLimits,
  { depth, hasRoot, room }: Pick<SkosOptions, 'depth' | 'hasRoot' | 'room'>,
  parts: ForestBranches,
): RefusedFile | undefined {
  const above = hasRoot ? [1] : []
  const levels = depth === 'cut' ? limits.levels - above.length : maxCounted
  const count = (nodes: readonly ForestNode[]) => countLevels(nodes, levels)
  const counted = [...above, ...count(roots)]
  if (isWithin(counted, limits)) return undefined
  const ofBranch = { ...limits, categories: Math.min(limits.categories, room) }
  const fits = (counts: LevelCounts) => isWithin([...above, ...counts], ofBranch)
  const branches = findBranches(roots, parts, (branch) => {
    // On its own, a branch has at least what it has here.
    if (!fits(count([branch]))) return undefined
    const counts = count(parts.plant(branch))
    return fits(counts) ? counts : undefined
  })
  const tops = roots.length === 1 && roots[0]!.isScheme ? childrenOf(roots[0]!) : []
  const fitsWithoutScheme = tops.length > 0 && tops.length <= limits.trees && isWithin(count(tops), limits)
  const cure = fitsWithoutScheme ? 'roots=topConcepts leaves out the level of the scheme' : undefined
  return { problems: [describeExcess(counted, branches, { limits, subject: 'The file', maxCounted, cure })], branches }
}

/** Nodes that are looked at for branches (chosen). */
const maxTried = 2_000

/** The branches that would fit, none of them within another one. */
function findBranches(
  roots: readonly ForestNode[],
  { nameOf }: ForestBranches,
  fits: (branch: ForestNode) => LevelCounts | undefined,
): readonly Branch[] {
  const found: Branch[] = []
  const tried = new Set<string>()
  const open = roots.length === 1 ? [...childrenOf(roots[0]!)] : [...roots]
  for (const branch of open) {
    if (found.length === maxBranches || tried.size === maxTried) break
    if (tried.has(branch.node)) continue
    tried.add(branch.node)
    const name = nameOf(branch.node)
    const counts = name && fits(branch)
    if (counts) found.push({ ...name, levels: counts.length, categories: sumOf(counts) })
    else open.push(...childrenOf(branch))
  }
  return sortBranches(found)
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

import { isOrigin, type Origin } from '../../drafts/origin.ts'
import type { Node, Trees } from './node.ts'
import type { Timeline } from './timeline.ts'

/** State that undo and redo restore: the trees, and the selection. */
export interface Moment {
  readonly trees: Trees
  readonly selected: string | undefined
}

/** Undo history of a schema as it is kept beside the draft: each category once, however many steps have it. */
interface KeptTimeline {
  /** Version that the draft is based on, which the origins belong to. */
  readonly baseVersion: number
  /** Key, title, description, source, origin, and positions in this list of what is below: always earlier ones. */
  readonly nodes: readonly (readonly [string, string | null, string, string | null, Origin, ...(readonly number[])])[]
  /** Selected key, and positions of the trees. */
  readonly moments: readonly (readonly [string | null, ...(readonly number[])])[]
  /** Number of moments that are past. */
  readonly past: number
}

export function writeTimeline({ past, present, future }: Timeline<Moment>, baseVersion: number): string {
  const nodes: KeptTimeline['nodes'][number][] = []
  const positions = new Map<Node, number>()
  const put = (node: Node): number => {
    const known = positions.get(node)
    if (known !== undefined) return known
    const { key, title = null, description, source = null, origin } = node
    const below = node.below.map(put)
    const position = nodes.push([key, title, description, source, origin, ...below]) - 1
    positions.set(node, position)
    return position
  }
  const moments = [...past, present, ...future].map(
    ({ trees, selected = null }) => [selected, ...trees.map(put)] as const,
  )
  return JSON.stringify({ baseVersion, nodes, moments, past: past.length } satisfies KeptTimeline)
}

/** Undefined for a text that is not a history, or one of a draft that is based on another version. */
export function readTimeline(text: string, baseVersion: number): Timeline<Moment> | undefined {
  try {
    const kept = JSON.parse(text) as KeptTimeline
    if (kept.baseVersion !== baseVersion) return undefined
    const nodes: Node[] = []
    for (const [key, title, description, source, origin, ...below] of kept.nodes) {
      if (!isOrigin(origin)) return undefined
      nodes.push({
        key,
        title: title ?? undefined,
        description,
        source: source ?? undefined,
        origin,
        below: pick(nodes, below),
      })
    }
    const moments = kept.moments.map(([selected, ...trees]) => ({
      trees: pick(nodes, trees),
      selected: selected ?? undefined,
    }))
    const present = moments[kept.past]
    if (!present) return undefined
    return { past: moments.slice(0, kept.past), present, future: moments.slice(kept.past + 1), edit: undefined }
  } catch {
    return undefined
  }
}

/** Throws for a position that has no node yet. */
function pick(nodes: readonly Node[], positions: readonly number[]): Trees {
  return positions.map((position) => {
    const node = nodes[position]
    if (!node) throw new RangeError(`There is no category ${position}.`)
    return node
  })
}

/** Whether the trees are equal in all but their keys. */
export function haveEqualTexts(one: Trees, other: Trees): boolean {
  const textOf = (trees: Trees) => JSON.stringify(trees, (name, value) => (name === 'key' ? undefined : value))
  return textOf(one) === textOf(other)
}

import type { Parsed } from '../../call/parsed.ts'
import { say } from '../../sentences/say.ts'
import type { Note } from '../schema-file.ts'
import type { Concepts } from './concepts.ts'
import { isBlankNode, shownNode } from './graph.ts'
import type { SkosOptions } from './options.ts'

/** Concepts that are read together: those of a scheme, those below one root, or all of a file without schemes. */
export interface Group {
  readonly scheme?: string
  readonly root?: string
  /** Order of the document. */
  readonly members: ReadonlySet<string>
}

/** The groups that the options choose, and notes on what is in none of them. */
export function chooseGroups(
  concepts: Concepts,
  { scheme, root }: Pick<SkosOptions, 'scheme' | 'root'>,
): Parsed<{ readonly groups: readonly Group[]; readonly notes: readonly Note[] }> {
  if (root !== undefined && concepts.schemes.includes(root)) return chooseGroups(concepts, { scheme: root })
  if (root !== undefined) {
    if (!concepts.schemesOf.has(root)) return { problems: [`root: The file has no concept ${shownNode(root)}.`] }
    return { value: { groups: [groupBelow(root, concepts)], notes: [] } }
  }
  if (scheme !== undefined && !concepts.schemes.includes(scheme)) {
    return { problems: [`scheme: The file has no concept scheme ${shownNode(scheme)}.`] }
  }
  if (concepts.schemesOf.size === 0) return { problems: [say('skosEmpty')] }
  const all = new Set(concepts.schemesOf.keys())
  if (concepts.schemes.length < 2) {
    const [only] = concepts.schemes
    return { value: { groups: [{ ...(only !== undefined && { scheme: only }), members: all }], notes: [] } }
  }
  const groups = concepts.schemes.map((one) => ({ scheme: one, members: membersOf(one, concepts) }))
  const chosen = scheme === undefined ? groups : groups.filter((group) => group.scheme === scheme)
  const isChosen = new Set(chosen.flatMap(({ members }) => [...members]))
  const others = [...all].filter((concept) => !isChosen.has(concept))
  return { value: { groups: chosen.filter(({ members }) => members.size > 0), notes: noteOn(others, chosen) } }
}

/** A concept as the only tree, with all that is below it. */
export function groupBelow(root: string, concepts: Concepts): Group {
  const members = reachableFrom([root], concepts, () => true)
  return { root, members: inOrder(concepts, members) }
}

/** Concepts that name the scheme, and those below them that name none. */
function membersOf(scheme: string, concepts: Concepts): ReadonlySet<string> {
  const direct = [...concepts.schemesOf].flatMap(([concept, schemes]) => (schemes.has(scheme) ? [concept] : []))
  return inOrder(
    concepts,
    reachableFrom(direct, concepts, (concept) => concepts.schemesOf.get(concept)?.size === 0),
  )
}

function reachableFrom(starts: readonly string[], { links }: Concepts, isFollowed: (concept: string) => boolean) {
  const below = new Map<string, string[]>()
  for (const { narrower, broader } of links) {
    const known = below.get(broader)
    if (known) known.push(narrower)
    else below.set(broader, [narrower])
  }
  const reached = new Set(starts)
  // A set is visited in the order of insertion, what is added meanwhile included.
  for (const concept of reached) {
    for (const narrower of below.get(concept) ?? []) if (isFollowed(narrower)) reached.add(narrower)
  }
  return reached
}

function inOrder({ schemesOf }: Concepts, chosen: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...schemesOf.keys()].filter((concept) => chosen.has(concept)))
}

function noteOn(others: readonly string[], chosen: readonly Group[]): readonly Note[] {
  const empty = chosen.flatMap(({ scheme, members }) =>
    members.size === 0 ? [{ uri: scheme!, message: 'The concept scheme has no concepts, and is left out.' }] : [],
  )
  const [first] = others
  if (first === undefined) return empty
  const message = `Concepts outside the chosen schemes are left out: ${others.length}, this one first.`
  return [...empty, { ...(!isBlankNode(first) && { uri: first }), message }]
}

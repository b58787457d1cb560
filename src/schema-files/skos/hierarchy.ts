import type { Concepts, Link } from './concepts.ts'
import { shownNode } from './graph.ts'
import type { Group } from './groups.ts'
import type { SkosOptions } from './options.ts'

/** The concepts of a group as trees. */
export interface Hierarchy {
  readonly group: Group
  readonly tops: readonly string[]
  readonly childrenOf: (concept: string) => readonly string[]
  /** Parents after the first, of a concept that has several. */
  readonly furtherBroader: ReadonlyMap<string, readonly string[]>
  readonly notesOn: ReadonlyMap<string, readonly string[]>
}

type Outcome = { readonly hierarchy: Hierarchy } | { readonly problems: readonly string[] }

/** Concepts of a loop that are named. */
const maxNamed = 10

/** Trees of a group: loops and concepts with several broader ones are dealt with as the options say. */
export function arrange(group: Group, concepts: Concepts, options: SkosOptions): Outcome {
  const links = concepts.links.filter(({ narrower, broader }) => {
    return group.members.has(narrower) && group.members.has(broader) && narrower !== group.root
  })
  const loops = findLoops(group, links, concepts.declaredTops)
  if (loops.length > 0 && options.cycles === 'refuse')
    return { problems: [...loops.map(({ loop }) => describeLoop(loop)), breaksLoops] }
  const notesOn = new Map<string, string[]>()
  function addNote(concept: string, message: string): void {
    const known = notesOn.get(concept)
    if (known) known.push(message)
    else notesOn.set(concept, [message])
  }
  const closing = new Set(loops.map(({ closing: link }) => link))
  for (const { narrower, broader } of closing) {
    addNote(narrower, `Its broader concept ${shownNode(broader)} is ignored, as it closes a loop.`)
  }
  const open = links.filter((link) => !closing.has(link))
  const broaderOf = groupBy(open, 'narrower', 'broader')
  const several = [...broaderOf].filter(([, broader]) => broader.length > 1)
  if (several.length > 0 && options.polyhierarchy === 'refuse') return { problems: several.map(describeSeveral) }
  const kept = options.polyhierarchy === 'duplicate' ? open : firstLinks(open)
  const below = groupBy(kept, 'broader', 'narrower')
  for (const concept of group.members) {
    if (broaderOf.has(concept) && concepts.declaredTops.has(concept)) {
      addNote(concept, 'It is declared a top concept, but has a broader concept, under which it is.')
    }
  }
  const tops = [...group.members].filter((concept) => !broaderOf.has(concept))
  for (const concept of tops) {
    if (concepts.belowDeprecated.has(concept)) {
      addNote(concept, 'Its broader concept is deprecated and left out; this one becomes a top concept.')
    }
  }
  const furtherBroader = new Map(several.map(([concept, broader]) => [concept, broader.slice(1)]))
  return {
    hierarchy: { group, tops, childrenOf: (concept) => below.get(concept) ?? [], furtherBroader, notesOn },
  }
}

function firstLinks(links: readonly Link[]): readonly Link[] {
  const seen = new Set<string>()
  return links.filter(({ narrower }) => seen.size < seen.add(narrower).size)
}

function groupBy(links: readonly Link[], key: keyof Link, value: keyof Link): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const link of links) {
    const known = groups.get(link[key])
    if (known) known.push(link[value])
    else groups.set(link[key], [link[value]])
  }
  return groups
}

interface Loop {
  /** Runs from the broadest concept downwards; the first is narrower than the last. */
  readonly loop: readonly string[]
  readonly closing: Link
}

/**
 * Loops, each with the link that closes it: going down from the declared tops, then from the other concepts in the order of
 * the document. With a stack of its own, as a file may nest as deep as it is long.
 */
function findLoops({ members }: Group, links: readonly Link[], declaredTops: ReadonlySet<string>): readonly Loop[] {
  const below = new Map<string, Link[]>()
  const hasBroader = new Set<string>()
  for (const link of links) {
    const known = below.get(link.broader)
    if (known) known.push(link)
    else below.set(link.broader, [link])
    hasBroader.add(link.narrower)
  }
  const starts = [...members]
  const tops = starts.filter((concept) => !hasBroader.has(concept))
  const declared = starts.filter((concept) => declaredTops.has(concept))
  const loops: Loop[] = []
  const done = new Set<string>()
  const above = new Map<string, number>()
  for (const start of [...tops, ...declared, ...starts]) {
    if (done.has(start)) continue
    const path = [{ concept: start, next: 0 }]
    above.set(start, 0)
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const link = below.get(last.concept)?.[last.next]
      last.next += 1
      if (!link) {
        path.pop()
        above.delete(last.concept)
        done.add(last.concept)
        continue
      }
      const from = above.get(link.narrower)
      if (from !== undefined)
        loops.push({ loop: path.slice(from, from + maxNamed + 1).map(({ concept }) => concept), closing: link })
      else if (!done.has(link.narrower)) {
        above.set(link.narrower, path.length)
        path.push({ concept: link.narrower, next: 0 })
      }
    }
  }
  return loops
}

const breaksLoops = 'cycles=break leaves out the link that closes a loop.'

function describeLoop(loop: readonly string[]): string {
  const [first = ''] = loop
  const named = loop.slice(0, maxNamed).map(shownNode)
  const end = loop.length > maxNamed ? ['…'] : []
  return `The concepts form a loop, from broader to narrower: ${[...named, ...end, shownNode(first)].join(' → ')}.`
}

function describeSeveral([concept, broader]: readonly [string, readonly string[]]): string {
  const named = broader.slice(0, maxNamed).map(shownNode).join(', ')
  return `${shownNode(concept)}: The concept has ${broader.length} broader concepts: ${named}.`
}

import { say } from '../../sentences/say.ts'
import type { Note } from '../schema-file.ts'
import { shown } from '../title.ts'
import type { Concepts } from './concepts.ts'
import { type Graph, isBlankNode } from './graph.ts'
import { marker, position, rdfType, shortName, skos } from './vocabulary.ts'

/** How many values of each predicate became part of a category. */
export type ReadPredicates = ReadonlyMap<string, number>

/** Properties that place a concept, and the marker. */
const structural: ReadonlySet<string> = new Set([
  ...[skos.inScheme, skos.topConceptOf, skos.hasTopConcept, skos.broader, skos.narrower],
  ...[rdfType, position, marker.predicate],
])

/** Properties that a note names. */
const maxNamed = 20

/** Notes on what a category schema has no place for. */
export function noteOnRest(
  graph: Graph,
  { deprecated, danglingLinks }: Concepts,
  read: ReadonlyMap<string, ReadPredicates>,
): readonly Note[] {
  const notes: Note[] = []
  const counts = countUnread(graph, read)
  if (counts.size > 0) {
    const named = [...counts].slice(0, maxNamed).map(([predicate, count]) => `${shown(shortName(predicate))} ${count}`)
    const rest = counts.size - named.length
    const others = rest > 0 ? `, and ${rest} further properties` : ''
    notes.push({ message: say('valuesLeftOut', { values: named.join(', ') + others }) })
  }
  const collections = countTyped(graph, skos.Collection) + countTyped(graph, skos.OrderedCollection)
  if (collections > 0) notes.push({ message: say('collectionsLeftOut', { count: collections }) })
  const [first] = deprecated
  if (first !== undefined) {
    const message = say('deprecatedLeftOut', { count: deprecated.size })
    notes.push({ ...(!isBlankNode(first) && { uri: first }), message })
  }
  if (danglingLinks > 0) {
    notes.push({
      message: `Links to broader or narrower concepts that the file does not describe are ignored: ${danglingLinks}.`,
    })
  }
  return notes
}

function countUnread(graph: Graph, read: ReadonlyMap<string, ReadPredicates>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [node, values] of read) {
    for (const [predicate, given] of graph.predicates(node)) {
      const unread = structural.has(predicate) ? 0 : given.length - (values.get(predicate) ?? 0)
      if (unread > 0) counts.set(predicate, (counts.get(predicate) ?? 0) + unread)
    }
  }
  return counts
}

function countTyped(graph: Graph, type: string): number {
  return graph.triples.filter(({ predicate, object }) => predicate === rdfType && object === type).length
}

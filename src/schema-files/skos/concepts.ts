import type { Graph } from './graph.ts'
import { isDeprecated } from './texts.ts'
import { marker, rdfType, skos } from './vocabulary.ts'

/** Concepts and concept schemes of a file, and what they say of each other, in the order of the document. */
export interface Concepts {
  /** Concepts that the file describes and that are not deprecated, each with the schemes that it names. */
  readonly schemesOf: ReadonlyMap<string, ReadonlySet<string>>
  readonly schemes: readonly string[]
  /** Pairs of `skos:broader` and `skos:narrower`, each once. */
  readonly links: readonly Link[]
  /** Concepts that a scheme declares as its tops, or that declare it themselves. */
  readonly declaredTops: ReadonlySet<string>
  /** Whether `writeSkos` has written the file. */
  readonly isOurs: boolean
  readonly deprecated: ReadonlySet<string>
  /** Concepts with a broader one that is deprecated. */
  readonly belowDeprecated: ReadonlySet<string>
  /** Links to nodes that are no concepts of the file. */
  readonly danglingLinks: number
}

export interface Link {
  readonly narrower: string
  readonly broader: string
}

const collectionTypes: ReadonlySet<string> = new Set([skos.Collection, skos.OrderedCollection])

export function findConcepts(graph: Graph): Concepts {
  const schemes = findSchemes(graph)
  const isScheme = new Set(schemes)
  const deprecated = new Set<string>()
  const schemesOf = new Map<string, Set<string>>()
  for (const node of listCandidates(graph)) {
    if (isScheme.has(node) || graph.nodes(node, rdfType).some((type) => collectionTypes.has(type))) continue
    if (isDeprecated(graph, node)) deprecated.add(node)
    else schemesOf.set(node, new Set())
  }
  const declaredTops = new Set<string>()
  const named: { readonly concept: string; readonly scheme: string; readonly isTop: boolean }[] = []
  for (const { subject, predicate, object } of graph.triples) {
    if (typeof object !== 'string') continue
    if (predicate === skos.inScheme) named.push({ concept: subject, scheme: object, isTop: false })
    if (predicate === skos.topConceptOf) named.push({ concept: subject, scheme: object, isTop: true })
    if (predicate === skos.hasTopConcept) named.push({ concept: object, scheme: subject, isTop: true })
  }
  for (const { concept, scheme, isTop } of named) {
    if (isScheme.has(scheme)) schemesOf.get(concept)?.add(scheme)
    if (isTop) declaredTops.add(concept)
  }
  const isOurs = schemes.some((scheme) =>
    graph.literals(scheme, marker.predicate).some(({ text }) => text === marker.text),
  )
  return { schemesOf, schemes, declaredTops, isOurs, deprecated, ...findLinks(graph, schemesOf, deprecated) }
}

/** Nodes with the type, or those that concepts name as their schemes where no node has it. */
function findSchemes(graph: Graph): readonly string[] {
  const typed = new Set<string>()
  const named = new Set<string>()
  for (const { subject, predicate, object } of graph.triples) {
    if (typeof object !== 'string') continue
    if (predicate === rdfType && object === skos.ConceptScheme) typed.add(subject)
    if (predicate === skos.inScheme || predicate === skos.topConceptOf) named.add(object)
    if (predicate === skos.hasTopConcept) named.add(subject)
  }
  return [...(typed.size > 0 ? typed : named)]
}

/** Described nodes that have the type of a concept, or a place in a hierarchy or a scheme. */
function listCandidates(graph: Graph): readonly string[] {
  const placed = new Set<string>()
  const ofBoth: ReadonlySet<string> = new Set([skos.broader, skos.narrower])
  const ofSubject: ReadonlySet<string> = new Set([skos.inScheme, skos.topConceptOf])
  for (const { subject, predicate, object } of graph.triples) {
    if (typeof object !== 'string') continue
    const isTyped = predicate === rdfType && object === skos.Concept
    if (isTyped || ofSubject.has(predicate) || ofBoth.has(predicate)) placed.add(subject)
    if (ofBoth.has(predicate) || predicate === skos.hasTopConcept) placed.add(object)
  }
  return [...graph.subjects()].filter((node) => placed.has(node))
}

function findLinks(graph: Graph, concepts: ReadonlyMap<string, unknown>, deprecated: ReadonlySet<string>) {
  const links: Link[] = []
  const known = new Map<string, Set<string>>()
  const belowDeprecated = new Set<string>()
  let danglingLinks = 0
  for (const { subject, predicate, object } of graph.triples) {
    if (typeof object !== 'string' || (predicate !== skos.broader && predicate !== skos.narrower)) continue
    const [narrower, broader] = predicate === skos.broader ? [subject, object] : [object, subject]
    if (!concepts.has(narrower) || !concepts.has(broader)) {
      if (deprecated.has(broader)) belowDeprecated.add(narrower)
      else if (!deprecated.has(narrower)) danglingLinks += 1
      continue
    }
    const broaderOfIt = known.get(narrower) ?? new Set()
    if (!broaderOfIt.has(broader)) links.push({ narrower, broader })
    known.set(narrower, broaderOfIt.add(broader))
  }
  return { links, belowDeprecated, danglingLinks }
}

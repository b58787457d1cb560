/** IRIs of the vocabularies that schema files use. */

export const namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  skosxl: 'http://www.w3.org/2008/05/skos-xl#',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  schema: 'http://schema.org/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

export type Prefix = keyof typeof namespaces

export const rdfType = `${namespaces.rdf}type`
export const rdfValue = `${namespaces.rdf}value`
export const rdfsLabel = `${namespaces.rdfs}label`
export const deprecated = `${namespaces.owl}deprecated`
export const literalForm = `${namespaces.skosxl}literalForm`
export const xlPrefLabel = `${namespaces.skosxl}prefLabel`
/** Order among siblings, counted from 1. */
export const position = `${namespaces.schema}position`
/** `source` of a category, whatever it is. */
export const source = `${namespaces.dcterms}source`
export const titles = [`${namespaces.dcterms}title`, `${namespaces.dc}title`] as const

/** On the concept scheme of a file that `writeSkos` has written. */
export const marker = { predicate: `${namespaces.dc}type`, text: 'CartularyCategorySchema' } as const

const skosNames = [
  'Concept',
  'ConceptScheme',
  'Collection',
  'OrderedCollection',
  'inScheme',
  'hasTopConcept',
  'topConceptOf',
  'broader',
  'narrower',
  'prefLabel',
  'definition',
  'scopeNote',
  'notation',
] as const

type SkosName = (typeof skosNames)[number]

export const skos = Object.fromEntries(skosNames.map((name) => [name, `${namespaces.skos}${name}`])) as Readonly<
  Record<SkosName, string>
>

/** `skos:altLabel`, or the last part of an IRI of another vocabulary. */
export function shortName(iri: string): string {
  for (const [prefix, namespace] of Object.entries(namespaces)) {
    if (iri.startsWith(namespace)) return `${prefix}:${iri.slice(namespace.length)}`
  }
  return localName(iri) || iri
}

/** Returns the part after the last `#`, `/` or `:` of an IRI that does not end there, percent-decoded where it is encoded. */
export function localName(iri: string): string {
  const end = iri.length - (iri.match(/[#/]{0,10}$/)?.[0].length ?? 0)
  const name = iri.slice(Math.max(...['#', '/', ':'].map((mark) => iri.lastIndexOf(mark, end - 1))) + 1, end)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

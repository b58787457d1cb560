import { marker, namespaces } from './vocabulary.ts'
import type { WrittenConcept, WrittenScheme } from './written-scheme.ts'

/** Every term is spelled out in the file, so that nothing has to be fetched. */
const context = {
  skos: namespaces.skos,
  dc: namespaces.dc,
  dcterms: namespaces.dcterms,
  schema: namespaces.schema,
  ...referTo('inScheme', 'topConceptOf', 'hasTopConcept', 'broader', 'narrower'),
  prefLabel: 'skos:prefLabel',
  definition: 'skos:definition',
  source: 'dcterms:source',
  position: 'schema:position',
  id: '@id',
  type: '@type',
}

function referTo(...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { '@id': `skos:${name}`, '@type': '@id' }]))
}

/** Writes JSON-LD 1.1. */
export function formatJsonLd({ uri, title, language, concepts }: WrittenScheme): string {
  const tops = concepts.filter(({ broader }) => broader === undefined)
  const text = (value: string) => (language === undefined ? value : { '@value': value, '@language': language })
  const head = {
    id: uri,
    type: 'skos:ConceptScheme',
    prefLabel: text(title),
    'dc:type': marker.text,
    hasTopConcept: tops.map((top) => top.uri),
  }

  function formatConcept({ uri: id, category, broader, narrower, position }: WrittenConcept) {
    return {
      id,
      type: 'skos:Concept',
      inScheme: uri,
      ...(category.title !== undefined && { prefLabel: text(category.title) }),
      ...(category.description !== undefined && { definition: text(category.description) }),
      ...(category.source !== undefined && { source: category.source }),
      ...(broader === undefined ? { topConceptOf: uri } : { broader }),
      ...(narrower.length > 0 && { narrower }),
      position,
    }
  }

  const document = { '@context': context, '@graph': [head, ...concepts.map(formatConcept)] }
  return `${JSON.stringify(document, null, 2)}\n`
}

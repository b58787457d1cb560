import { expect, test } from 'vitest'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import { parseRdf } from '../../../../src/file-reading/rdf.ts'
import { Graph } from '../../../../src/schema-files/skos/graph.ts'
import { namespaces, position, rdfType, skos } from '../../../../src/schema-files/skos/vocabulary.ts'
import { writeSkos } from '../../../../src/schema-files/skos/write-skos.ts'
import { aSchemaOfCategories, aSchemaOfLevels } from '../../../support/portal/schema-builder.ts'

/** The conditions of the SKOS reference (S9, S13, S14, S27) that the SHACL shapes of skohub check, and what they ask besides. */

const uri = 'https://example.org/categorySchema'
const altLabel = `${namespaces.skos}altLabel`
const hiddenLabel = `${namespaces.skos}hiddenLabel`
const related = `${namespaces.skos}related`

const twins = {
  title: 'A',
  description: 'a',
  categories: [{ title: 'A' }, { title: 'A', source: 'http://example.org/a' }],
}

const schemas: Readonly<Record<string, unknown>> = {
  'four levels': aSchemaOfLevels(4),
  '200 categories': aSchemaOfCategories(200),
  'siblings of one title': { categorySchema: [twins, twins] },
}

const cases = Object.keys(schemas).flatMap((name) =>
  (['turtle', 'jsonld'] as const).map((syntax) => [name, syntax] as const),
)

test.each(cases)('%s in %s are a sound concept scheme', async (name, syntax) => {
  const schema = schemas[name] as CategorySchema
  const parsed = await parseRdf(writeSkos(schema, { syntax, uri, title: 'T', language: 'de' }).content, syntax)
  if ('problems' in parsed) throw new Error(parsed.problems.join(' '))
  const graph = new Graph(parsed.value)
  const isA = (type: string) => [...graph.subjects()].filter((node) => graph.nodes(node, rdfType).includes(type))
  const concepts = isA(skos.Concept)
  expect(isA(skos.ConceptScheme)).toEqual([uri])
  // S9: no scheme is a concept.
  expect(concepts).not.toContain(uri)
  expect(concepts).toHaveLength(JSON.stringify(schema).split('"title"').length - 1)
  const tops = concepts.filter((concept) => graph.nodes(concept, skos.topConceptOf).includes(uri))
  expect(tops).toEqual(graph.nodes(uri, skos.hasTopConcept))
  expect(tops).toHaveLength(schema.categorySchema.length)
  const orderOf = (siblings: readonly string[]) =>
    siblings.map((concept) => Number(graph.literals(concept, position)[0]?.text))
  expect(orderOf(tops)).toEqual(tops.map((_, index) => index + 1))
  for (const concept of concepts) {
    const children = graph.nodes(concept, skos.narrower)
    expect(orderOf(children)).toEqual(children.map((_, index) => index + 1))
    expect(graph.nodes(concept, skos.inScheme)).toEqual([uri])
    // S14: one preferred label in each language; S13: it is no other label.
    expect(graph.literals(concept, skos.prefLabel)).toHaveLength(1)
    expect([...graph.literals(concept, altLabel), ...graph.literals(concept, hiddenLabel)]).toEqual([])
    // S27: nothing is related to what is broader.
    expect(graph.nodes(concept, related)).toEqual([])
    const broader = graph.nodes(concept, skos.broader)
    expect(broader).toHaveLength(tops.includes(concept) ? 0 : 1)
    for (const parent of broader) expect(graph.nodes(parent, skos.narrower)).toContain(concept)
    for (const child of children) expect(graph.nodes(child, skos.broader)).toEqual([concept])
  }
})

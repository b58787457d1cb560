import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import fc from 'fast-check'
import { Parser } from 'n3'
import { afterAll, expect, test } from 'vitest'
import { canonicalText } from '../../../../src/categories/canonical.ts'
import { groupLimits, portalLimits } from '../../../../src/categories/limits.ts'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import type { Triple } from '../../../../src/schema-files/skos/graph.ts'
import { defaultSkosOptions } from '../../../../src/schema-files/skos/options.ts'
import { readSkos } from '../../../../src/schema-files/skos/read-skos.ts'
import { recognizeSyntax, type WrittenSyntax } from '../../../../src/schema-files/skos/syntaxes.ts'
import { writeSkos } from '../../../../src/schema-files/skos/write-skos.ts'
import { schemaWithin } from '../../../support/inputs/any-schema.ts'
import { RdfParser } from '../../../support/inputs/rdf-parser.ts'
import { showsNothing } from '../../../support/inputs/schema-oracle.ts'
import { countOf } from '../../../support/length.ts'

const uri = 'https://example.org/sharing/rest/portals/p/categorySchema'
const seed = 2018
const numRuns = countOf({ sample: 6, system: 60, long: 1_000 })

const parser = new RdfParser()
afterAll(() => parser[Symbol.asyncDispose]())

const anySchema = schemaWithin(portalLimits) as fc.Arbitrary<CategorySchema>
const anyWriting = fc.record({
  title: fc.string({ unit: 'binary' }),
  language: fc.constantFrom(undefined, 'de', 'zh-Hant-TW'),
})

function write(
  schema: CategorySchema,
  syntax: WrittenSyntax,
  { title = 'Schema', language = undefined as string | undefined } = {},
) {
  return writeSkos(schema, { syntax, uri, title, ...(language !== undefined && { language }) }).content
}

/** Triples as lines, the same for the same graph, as ours have no blank nodes. */
function linesOf(triples: readonly Triple[]): readonly string[] {
  return triples.map((triple) => JSON.stringify(triple)).sort()
}

async function parse(text: string, syntax: WrittenSyntax): Promise<readonly string[]> {
  const parsed = await parser.parse(text, syntax)
  if ('problems' in parsed) throw new Error(parsed.problems.join(' '))
  return linesOf(parsed.value)
}

/** The triples that the parser of n3 finds: another implementation of Turtle. */
function parseByN3(turtle: string): readonly string[] {
  const quads = new Parser().parse(turtle)
  return linesOf(
    quads.map(({ subject, predicate, object }) => ({
      subject: subject.value,
      predicate: predicate.value,
      object:
        object.termType === 'Literal'
          ? { text: object.value, language: object.language?.toLowerCase() ?? '' }
          : object.value,
    })),
  )
}

/** RDF has no lone surrogates: descriptions and sources that have them are written with U+FFFD. */
function withoutLoneSurrogates(schema: CategorySchema): CategorySchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

async function readRdf(text: string) {
  const parsed = await parser.parse(text, recognizeSyntax(text))
  return 'problems' in parsed ? parsed : readSkos(parsed.value, defaultSkosOptions, groupLimits)
}

async function readBack(text: string): Promise<string> {
  const reading = await readRdf(text)
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  return canonicalText(reading.value.schema)
}

test('both syntaxes give one graph, and n3 reads the same from our Turtle as oxigraph does', async () => {
  const property = fc.asyncProperty(anySchema, anyWriting, async (schema, writing) => {
    const turtle = write(schema, 'turtle', writing)
    const lines = await parse(turtle, 'turtle')
    expect(await parse(write(schema, 'jsonld', writing), 'jsonld')).toEqual(lines)
    expect(parseByN3(turtle)).toEqual(lines)
  })
  await fc.assert(property, { seed, numRuns })
})

test.each(['turtle', 'jsonld'] as const)('any schema comes back from %s', async (syntax) => {
  const property = fc.asyncProperty(anySchema, anyWriting, async (schema, writing) => {
    expect(await readBack(write(schema, syntax, writing))).toBe(canonicalText(withoutLoneSurrogates(schema)))
  })
  await fc.assert(property, { seed, numRuns })
})

test.each(['turtle', 'jsonld'] as const)('naughty strings come back from %s', async (syntax) => {
  const titles = naughtyStrings.filter((text) => !showsNothing(text) && text.length <= groupLimits.titleLength)
  const allowed = titles.filter((text) => !/[/,\p{Cc}\p{Cs}]/u.test(text))
  expect(allowed.length).toBeGreaterThan(200)
  for (const [start, source] of naughtyStrings.entries()) {
    const categories = allowed
      .slice(start, start + 50)
      .map((title) => ({ title, description: source.slice(0, 299), source }))
    const schema = withoutLoneSurrogates({ categorySchema: [{ title: 'Naughty', source, categories }] })
    if (start % 50 === 0) expect(await readBack(write(schema, syntax))).toBe(canonicalText(schema))
  }
})

test('a source that is a URI becomes that of its concept, once', async () => {
  const source = 'http://inspire.ec.europa.eu/theme/hy'
  const schema = {
    categorySchema: [
      { title: 'A', source },
      { title: 'B', source },
      { title: 'C', source: 'http://a b' },
    ],
  }
  const reading = await readRdf(write(schema, 'turtle'))
  expect('value' in reading && [...reading.value.places.values()]).toEqual([
    { uri: source },
    { uri: `${uri}#/B` },
    { uri: `${uri}#/C` },
  ])
})

test('siblings of one title have URIs of their own', async () => {
  const schema = { categorySchema: [{ title: 'A', categories: [{ title: 'A;2' }] }, { title: 'A' }, { title: 'A' }] }
  const reading = await readRdf(write(schema, 'jsonld'))
  expect('value' in reading && [...reading.value.places.values()]).toEqual([
    { uri: `${uri}#/A` },
    { uri: `${uri}#/A/A%3B2` },
    { uri: `${uri}#/A;2` },
    { uri: `${uri}#/A;3` },
  ])
})

test('the file says what it is', () => {
  const factsOf = (syntax: WrittenSyntax) => {
    const { extension, contentType } = writeSkos({ categorySchema: [] }, { syntax, uri, title: 'T' })
    return [extension, contentType]
  }
  expect(factsOf('turtle')).toEqual(['ttl', 'text/turtle; charset=utf-8'])
  expect(factsOf('jsonld')).toEqual(['jsonld', 'application/ld+json'])
})

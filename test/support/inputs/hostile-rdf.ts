/** RDF that harms a parser: most files below 1 MiB, each ending in the named way. */

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const skos = 'http://www.w3.org/2004/02/skos/core#'

export const smallFile = `@prefix skos: <${skos}> . <https://example.org/a> a skos:Concept ; skos:prefLabel "A" .`

/** RDF/XML with one literal. */
function xml(literal: string, doctype = ''): string {
  return `<?xml version="1.0"?>${doctype}<r:RDF xmlns:r="${rdf}" xmlns:e="http://e/"><e:a><e:b>${literal}</e:b></e:a></r:RDF>`
}

function nestedEntities(): string {
  const levels = Array.from({ length: 8 }, (_, level) => {
    const value = level === 0 ? 'x'.repeat(1_000) : `&e${level - 1};`.repeat(10)
    return `<!ENTITY e${level} "${value}">`
  })
  return xml('&e7;', `<!DOCTYPE r:RDF [${levels.join('')}]>`)
}

/** Concepts of which each is narrower than the one before. */
function chain(length: number): string {
  const links = Array.from({ length }, (_, at) => `:c${at} skos:narrower :c${at + 1} .`)
  return `@prefix : <urn:c:> . @prefix skos: <${skos}> .\n${links.join('\n')} :c${length} skos:prefLabel "End" .`
}

/** Two concepts on each level, both narrower than both of the level before: twice as many ways to each level. */
function ladder(levels: number): string {
  const links = Array.from({ length: levels }, (_, at) => `:a${at}, :b${at}`)
  const lines = links.map((_, at) =>
    at === 0 ? '' : `:a${at} skos:broader ${links[at - 1]} . :b${at} skos:broader ${links[at - 1]} .`,
  )
  return `@prefix : <urn:c:> . @prefix skos: <${skos}> . :a0 a skos:Concept . :b0 a skos:Concept .\n${lines.join('\n')}`
}

/** Concepts of which each is narrower than all. */
function mesh(size: number): string {
  const all = Array.from({ length: size }, (_, at) => `:c${at}`)
  const lines = all.map((one) => `${one} skos:prefLabel "${one}" ; skos:narrower ${all} .`)
  return `@prefix : <urn:c:> . @prefix skos: <${skos}> .\n${lines.join('\n')}`
}

const failed = 'The file cannot be read: the RDF parser failed on it, or needs more than 128 MiB of memory.'
const entity =
  'The file declares an XML entity whose value is not plain text: entities may not refer to others, or to files.'

/** A file after which the parser cannot be used again, and its refusal. */
export const parserFails = [
  xml('&e;'.repeat(300_000), `<!DOCTYPE r [<!ENTITY e "${'x'.repeat(2_000)}">]>`),
  failed,
] as const

/** A file, and what its refusal has to contain. */
export const hostileRdf: Readonly<Record<string, readonly [text: string, refusal: string]>> = {
  'XML entities that refer to others': [nestedEntities(), entity],
  'an XML entity that is a file': [xml('&f;', '<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]>'), entity],
  'a parameter entity': [xml('', '<!DOCTYPE r [<!ENTITY % p "x"> %p;]>'), entity],
  'JSON of 5,000 levels': [
    `{"@graph":${'{"urn:p":'.repeat(4_999)}1${'}'.repeat(5_000)}`,
    'The JSON nests more than 64 levels deep.',
  ],
  'half a million brackets': ['['.repeat(500_000), 'The JSON nests more than 64 levels deep.'],
  'a literal without end': [`<urn:a> <urn:b> """${'x'.repeat(1_000_000)}`, 'The file is not Turtle: at line 1 '],
  'lists of 30,000 levels': [
    `<urn:a> <urn:b> ${'('.repeat(30_000)}${')'.repeat(30_000)} .`,
    'The file has more than 50000 triples.',
  ],
  'a prefix of 100 KB in every triple': [
    `@prefix : <urn:${'x'.repeat(100_000)}> .\n${':a :b :c .\n'.repeat(5_000)}`,
    'The triples of the file have more than 16777216 characters.',
  ],
  'more than 1 MiB of UTF-8': [`# ${'ä'.repeat(600_000)}`, 'The file has more than 1048576 bytes.'],
  'a chain of 8,000 concepts': [chain(8_000), 'on 100 or more levels'],
  'a title of 900,000 blanks and a slash': [
    smallFile.replace('"A"', `"${' '.repeat(900_000)}x/"`),
    'Its label has 900002 characters; no title has as many.',
  ],
  'half a surrogate pair in an IRI': [`<urn:a\uD800> <urn:b> <urn:c> .`, 'The file is not Turtle: at line 1 '],
  'half a surrogate pair in a literal': [`<urn:a> <urn:b> "\uD800" .`, 'The file has no SKOS concepts.'],
  'no text at all': ['', 'The file has no SKOS concepts.'],
}

/** Doubles at each level: read with polyhierarchy=duplicate. */
export const doublingFile = ladder(60)

/** The parser compares every attribute with every other: seconds to minutes. */
export const slowFile = `<r:RDF xmlns:r="${rdf}" xmlns:e="http://e/"><e:a ${Array.from({ length: 60_000 }, (_, at) => `e:a${at}="x"`).join(' ')}/></r:RDF>`

/** Others that take longer than any file may, two of them short. */
export const slowFiles: readonly string[] = [
  mesh(220),
  `<urn:a> <urn:b> ${'('.repeat(1_000_000)}`,
  `<urn:a> <urn:b> ${'('.repeat(65_000)}`,
  `{"@id":"urn:a","urn:p":{"@list":[${Array(49_000).fill(1)}]}}`,
  `{"@id":"urn:a","urn:p":{"@list":[${Array(32_000).fill(1)}]}}`,
  ladder(10_000),
]

/** Files that refer to what is at the address, each in its way. */
export function filesThatRefer(address: string): readonly string[] {
  return [
    `{"@context":"${address}/context","@id":"urn:a"}`,
    `{"@context":{"@import":"${address}/context"},"@id":"urn:a"}`,
    `{"@context":[{"@vocab":"${skos}"},"${address}/context"],"@id":"urn:a"}`,
    `<urn:a> a <http://www.w3.org/2002/07/owl#Ontology> ; <http://www.w3.org/2002/07/owl#imports> <${address}/onto> .`,
    xml('&f;', `<!DOCTYPE r SYSTEM "${address}/dtd" [<!ENTITY f SYSTEM "${address}/f">]>`),
    xml('x', `<!DOCTYPE r SYSTEM "${address}/dtd">`),
    xml('x', `<?xml-stylesheet href="${address}/x.xsl" type="text/xsl"?>`),
    `@prefix : <${address}/ns#> . @base <${address}/> . :a :b <c> .`,
  ]
}

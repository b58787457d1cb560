/** Syntaxes of RDF that are read. */
export const skosSyntaxes = ['turtle', 'jsonld', 'rdfxml', 'ntriples'] as const
export type SkosSyntax = (typeof skosSyntaxes)[number]
export const writtenSyntaxes = ['turtle', 'jsonld'] as const
export type WrittenSyntax = (typeof writtenSyntaxes)[number]

export const syntaxFacts = {
  turtle: { name: 'Turtle', extension: 'ttl', contentType: 'text/turtle' },
  jsonld: { name: 'JSON-LD', extension: 'jsonld', contentType: 'application/ld+json' },
  rdfxml: { name: 'RDF/XML', extension: 'rdf', contentType: 'application/rdf+xml' },
  ntriples: { name: 'N-Triples', extension: 'nt', contentType: 'application/n-triples' },
} as const satisfies Readonly<Record<SkosSyntax, unknown>>

/** Beginnings of XML: a declaration, a comment, a document type, or an element that declares a namespace or is `rdf:RDF`. */
const xml = /^<(?:\?xml|!--|!DOCTYPE|(?:\w+:)?RDF[\s>]|[\w:.-]+\s[^>]*xmlns)/
/** Beginnings of JSON. In Turtle, `[` begins a blank node, whose properties are names or IRIs. */
const json = /^(?:\{|\[\s*(?:[{[]|\]\s*$))/

/** The syntax of a text in any of them, by its beginning. N-Triples are Turtle. */
export function recognizeSyntax(text: string): SkosSyntax {
  const start = text
    .slice(0, beginning)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (xml.test(start)) return 'rdfxml'
  return json.test(start) ? 'jsonld' : 'turtle'
}

/** Whether a text that may also be another kind of file looks like RDF (chosen). */
export function looksLikeRdf(text: string): boolean {
  const start = text.slice(0, beginning)
  const syntax = recognizeSyntax(start)
  if (syntax === 'rdfxml') return true
  if (syntax === 'jsonld') return /"@(?:context|graph|id|type)"/.test(start)
  return (
    /^[^\S\n]*(?:@?prefix\s+[^\s:]*:|@?base)\s*</im.test(start) ||
    /^[^\S\n]*<[a-z][a-z0-9+.-]*:[^\s<>"]*>\s+<[a-z]/im.test(start)
  )
}

/** Characters that are looked at. */
const beginning = 10_000

import { expect, test } from 'vitest'
import { looksLikeRdf, recognizeSyntax, type SkosSyntax } from '../../../../src/schema-files/skos/syntaxes.ts'

const beginnings: readonly (readonly [text: string, syntax: SkosSyntax])[] = [
  ['<?xml version="1.0"?><x/>', 'rdfxml'],
  ['\uFEFF\n<!-- a comment --><rdf:RDF>', 'rdfxml'],
  ['<!DOCTYPE rdf:RDF [', 'rdfxml'],
  ['<rdf:RDF\n xmlns:rdf="…">', 'rdfxml'],
  ['<RDF xmlns="…">', 'rdfxml'],
  ['<skos:Concept rdf:about="a" xmlns:skos="…">', 'rdfxml'],
  [' {"@context": {}}', 'jsonld'],
  ['[{"@id": "urn:a"}]', 'jsonld'],
  ['@prefix skos: <urn:a> .', 'turtle'],
  ['# a comment\nPREFIX skos: <urn:a>', 'turtle'],
  ['<urn:a> <urn:b> "xmlns" .', 'turtle'],
  ['<http://example.org/a>\n  <urn:b> "c" .', 'turtle'],
  ['@prefix : <urn:a> .\n[] a :b .', 'turtle'],
]

test.each(beginnings)('%j is recognized', (text, syntax) => {
  expect(recognizeSyntax(text)).toBe(syntax)
  expect(looksLikeRdf(text)).toBe(true)
})

test('a blank node at the beginning is Turtle, an empty array is JSON', () => {
  expect(recognizeSyntax('[ a <urn:b> ] .')).toBe('turtle')
  expect(recognizeSyntax('[] a <urn:b> .')).toBe('turtle')
  expect(recognizeSyntax('[]')).toBe('jsonld')
})

test.each([
  'path,description\n/A,',
  '{"categorySchema":[{"title":"A"}]}',
  '[{"title":"A"}]',
  '',
  'A\n\tB',
  '<A>,<B>',
  'Maps\n  Base maps\n  Prefix',
])('%j is another kind of file', (text) => {
  expect(looksLikeRdf(text)).toBe(false)
})

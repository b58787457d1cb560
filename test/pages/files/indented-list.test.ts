import { expect, test } from 'vitest'
import { isIndentedList } from '../../../pages/src/files/indented-list.ts'

test.each([
  ['Themes\n  Water\n    Rivers', true],
  ['Themes\r\n\r\n Water\r\n', true],
  ['Themes', false],
  ['Themes\nRegions', false],
  ['Themes\n\tWater', false],
  ['path,description\n"/Themes, more",x', false],
  ['{\n  "categorySchema": []\n}', false],
  ['[\n  {"title": "A"}\n]', false],
  ['@prefix skos: <x> .\n  <a> a skos:Concept .', false],
  ['<rdf:RDF>\n  <skos:Concept/>\n</rdf:RDF>', false],
  ['  Water\nThemes', false],
  ['', false],
])('%j is an indented list: %j', (text, expected) => {
  expect(isIndentedList(text)).toBe(expected)
})

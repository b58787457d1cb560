import { expect, test } from 'vitest'
import { looksLikeHtml, recognizeFormat } from '../../../src/schema-files/decode.ts'

test.each([
  [' {"categorySchema":[]}', 'json'],
  ['\n[{"title":"A"}]', 'json'],
  ['{"categorySchema":[{"title":"A","description":"\\"@type\\""}]}', 'json'],
  ['{"@context":{},"@graph":[]}', 'skos'],
  ['@prefix skos: <http://www.w3.org/2004/02/skos/core#> .', 'skos'],
  ['<?xml version="1.0"?>', 'skos'],
  ['path,description\n/A,', 'csv'],
  ['Maps\n  Base maps\n', 'csv'],
  ['', 'csv'],
])('%j is %s', (text, format) => {
  expect(recognizeFormat(text)).toBe(format)
})

test.each([
  ['<!DOCTYPE html><title>Sign in</title>', true],
  ['\n<html lang="en">', true],
  ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', true],
  ['<?xml version="1.0"?><rdf:RDF>', false],
  ['path\n/<html>\n', false],
])('%j is HTML: %s', (text, isHtml) => {
  expect(looksLikeHtml(text)).toBe(isHtml)
})

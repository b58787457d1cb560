import { expect, test } from 'vitest'
import { recognizeFormat } from '../../../src/schema-files/recognize.ts'

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

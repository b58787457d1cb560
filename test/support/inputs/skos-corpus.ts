import { readFileSync } from 'node:fs'
import { groupLimits } from '../../../src/categories/limits.ts'
import { parseRdf } from '../../../src/file-reading/rdf.ts'
import { type FitOptions, fitFile } from '../../../src/schema-files/fit.ts'
import type { SchemaFileReading } from '../../../src/schema-files/schema-file.ts'
import { defaultSkosOptions, type SkosOptions } from '../../../src/schema-files/skos/options.ts'
import { readSkos } from '../../../src/schema-files/skos/read-skos.ts'
import { recognizeSyntax, type SkosSyntax } from '../../../src/schema-files/skos/syntaxes.ts'
import { sketch } from './sketch.ts'

/** Files as they are found in the wild, by their path in the corpus. */
export function corpusFile(path: string): string {
  return readFileSync(new URL(`../../rooms/schema-files/skos/corpus/${path}`, import.meta.url), 'utf8')
}

/** Reads RDF without a thread, and fits it to the limits. */
export async function readRdf(
  text: string,
  options: Partial<SkosOptions> = {},
  syntax: SkosSyntax = recognizeSyntax(text),
  fit: Partial<FitOptions> = {},
): Promise<SchemaFileReading> {
  const parsed = await parseRdf(text, syntax)
  if ('problems' in parsed) return parsed
  const chosen = { ...defaultSkosOptions, ...options }
  const read = readSkos(parsed.value, chosen, groupLimits)
  if ('problems' in read) return read
  return fitFile(read.value, { depth: chosen.depth, titles: 'refuse', ...fit }, groupLimits, (schema) => schema)
}

/** The sketch of the schema with its notes, `uri: message`, or the problems. The base of the corpus is left out of URIs. */
export function outline(reading: SchemaFileReading): string | readonly string[] {
  if ('problems' in reading) return reading.problems.map(withoutBase)
  const { schema, notes } = reading.value
  const lines = notes.map(({ uri, message }) => (uri === undefined ? message : `${uri}: ${message}`))
  return [sketch(schema), ...lines].map(withoutBase).join('\n')
}

function withoutBase(text: string): string {
  return text.replaceAll('https://example.org/', '')
}

import { groupLimits } from '../../src/categories/limits.ts'
import { openSchemaFileReader, type SchemaFileReaderLimits } from '../../src/file-reading/threaded-reader.ts'
import type { SkosFile } from '../../src/schema-files/schema-file-reader.ts'
import { defaultSkosOptions } from '../../src/schema-files/skos/options.ts'

const patience = 300_000

/** Reads files that are refused for another reason than time. */
export function openPatientReader(limits: Partial<SchemaFileReaderLimits> = {}) {
  return openSchemaFileReader({
    deadlineMilliseconds: patience,
    shortMilliseconds: patience,
    givingWayMilliseconds: patience,
    waitTimeout: patience,
    ...limits,
  })
}

export function skosFile(text: string, options: Partial<SkosFile['options']> = {}): SkosFile {
  return { format: 'skos', text, options: { ...defaultSkosOptions, ...options }, limits: groupLimits }
}

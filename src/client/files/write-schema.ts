import type { Parsed } from '../../call/parsed.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import type { WrittenSchemaFile } from '../../schema-files/schema-file.ts'
import { writeSkos } from '../../schema-files/skos/write-skos.ts'
import { writeCsv, writeTextList, writeWorkbook } from '../../schema-files/written-rows.ts'
import { refused } from '../failure.ts'

interface WriteOptions {
  /** Value of `--format`. */
  readonly format: string
  readonly bom: boolean
  /** Address that URIs of concepts begin with. */
  readonly uri: string
}

/** The content of a file of a schema; what the format cannot keep is refused. */
export function formatSchema(schema: CategorySchema, options: WriteOptions): string | Uint8Array {
  const written = write(schema, options)
  if ('problems' in written) throw refused(`The schema has no form as ${options.format}:`, written.problems)
  return written.value.content
}

function write(schema: CategorySchema, { format, bom, uri }: WriteOptions): Parsed<WrittenSchemaFile> {
  switch (format) {
    case 'csv':
      return writeCsv(schema, { layout: 'path', delimiter: ',', bom })
    case 'text':
      return writeTextList(schema)
    case 'xlsx':
      return writeWorkbook(schema, { layout: 'path' })
    case 'skos-ttl':
    case 'skos-jsonld': {
      const syntax = format === 'skos-ttl' ? 'turtle' : 'jsonld'
      return { value: writeSkos(schema, { syntax, uri, title: 'Content categories' }) }
    }
    default: {
      const content = `${JSON.stringify({ categorySchema: schema.categorySchema }, null, 2)}\n`
      return { value: { content, extension: 'json', contentType: 'application/json' } }
    }
  }
}

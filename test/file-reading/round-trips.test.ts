import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parsed } from '../../src/call/parsed.ts'
import { canonicalText } from '../../src/categories/canonical.ts'
import { portalLimits } from '../../src/categories/limits.ts'
import type { Category, CategorySchema } from '../../src/categories/schema.ts'
import { parseRdf } from '../../src/file-reading/rdf.ts'
import { readWorkbook } from '../../src/file-reading/workbook/workbook.ts'
import { readCsv, readRows } from '../../src/schema-files/csv/read.ts'
import { importFile } from '../../src/schema-files/import.ts'
import { readJson, writeJson } from '../../src/schema-files/json.ts'
import type { SchemaFileReading, WrittenSchemaFile } from '../../src/schema-files/schema-file.ts'
import { defaultSkosOptions } from '../../src/schema-files/skos/options.ts'
import { readSkos } from '../../src/schema-files/skos/read-skos.ts'
import { writeSkos } from '../../src/schema-files/skos/write-skos.ts'
import { writeCsv, writeTextList, writeWorkbook } from '../../src/schema-files/written-rows.ts'
import { schemaWithin } from '../support/inputs/any-schema.ts'
import { countOf } from '../support/length.ts'

const runs = countOf({ sample: 15, system: 100, long: 3_000 })
/** The parser of RDF does not give back all of its memory: a server reads each file in a thread of its own. */
const maxRunsOfRdf = 100

interface Format {
  readonly name: string
  readonly write: (schema: CategorySchema) => Parsed<WrittenSchemaFile>
  readonly read: (content: string | Uint8Array) => SchemaFileReading | Promise<SchemaFileReading>
  /** Whether each category needs a title; others may have a source alone. */
  readonly needsTitles?: boolean
  readonly isRdf?: true
  /** The schema that comes back, where the format has no place for some of it. */
  readonly kept?: (category: Category) => Category
}

const uri = 'https://portal.example/categorySchema'
const tables = (['path', 'levels'] as const).flatMap((layout) => [true, false].map((ids) => ({ layout, ids })))

/** An empty source is no source, in a table and in RDF of a category with a title. */
function withoutEmptySource({ source, ...texts }: Category): Category {
  return source ? { ...texts, source } : texts
}

const formats: readonly Format[] = [
  ...tables.map(
    ({ layout, ids }): Format => ({
      name: `CSV of ${layout}${ids ? ' with identifiers' : ''}`,
      write: (schema) => writeCsv(schema, { layout, ids, delimiter: ';', bom: false }),
      read: (content) => readCsv(String(content), { trim: false }),
      needsTitles: layout === 'levels',
      kept: withoutEmptySource,
    }),
  ),
  ...tables.map(
    ({ layout, ids }): Format => ({
      name: `a workbook of ${layout}${ids ? ' with identifiers' : ''}`,
      write: (schema) => writeWorkbook(schema, { layout, ids }),
      read(content) {
        const workbook = readWorkbook(content as Uint8Array, undefined, { trim: false })
        return 'problems' in workbook ? workbook : readRows({ format: 'xlsx', ...workbook.value }, { trim: false })
      },
      needsTitles: layout === 'levels',
      kept: withoutEmptySource,
    }),
  ),
  ...(['turtle', 'jsonld'] as const).map(
    (syntax): Format => ({
      name: syntax,
      isRdf: true,
      write: (schema) => ({ value: writeSkos(schema, { syntax, uri, title: 'Category schema' }) }),
      async read(content) {
        const triples = await parseRdf(String(content), syntax)
        return 'problems' in triples ? triples : readSkos(triples.value, defaultSkosOptions, portalLimits)
      },
    }),
  ),
  {
    name: 'JSON',
    write: (schema) => ({ value: writeJson(JSON.stringify(schema), true) }),
    read: (content) => readJson(String(content)),
  },
  {
    name: 'an indented list',
    write: writeTextList,
    read: (content) => readCsv(String(content), { layout: 'indented', trim: false, keepsMarkers: true }),
    needsTitles: true,
    kept: ({ title = '' }) => ({ title }),
  },
]

/** The schema without what a format has no place for. */
function keep(categories: readonly Category[], kept: (category: Category) => Category): readonly Category[] {
  return categories.map(({ categories: below = [], ...texts }) => ({
    ...kept(texts),
    ...(below.length > 0 && { categories: keep(below, kept) }),
  }))
}

/** The schema with what every format can keep: texts without halves of pairs, a name for each category, titles where they are needed. */
function prepare(categories: readonly Category[], needsTitles: boolean): readonly Category[] {
  return categories.map(({ title, description, source, categories: below = [] }) => ({
    ...(title !== undefined || needsTitles || !source ? { title: title?.trim() || 'untitled' } : {}),
    ...(description !== undefined && { description: description.toWellFormed() }),
    ...(source !== undefined && { source: source.toWellFormed() }),
    ...(below.length > 0 && { categories: prepare(below, needsTitles) }),
  }))
}

describe('what is exported comes back as it went out, and nothing is moved', () => {
  test.each(formats)('$name', async ({ write, read, needsTitles = false, isRdf, kept = (category) => category }) => {
    await fc.assert(
      fc.asyncProperty(schemaWithin(portalLimits), async (given) => {
        const schema = { categorySchema: prepare((given as CategorySchema).categorySchema, needsTitles) }
        const written = write(schema)
        if ('problems' in written) throw new Error(written.problems.join(' '))
        const before = { categorySchema: keep(schema.categorySchema, kept) }
        const imported = importFile(await read(written.value.content), {
          before,
          mode: 'replace',
          moves: undefined,
          limits: portalLimits,
          depth: 'refuse',
          titles: 'refuse',
        })
        if ('problems' in imported) throw new Error(imported.problems.join(' '))
        expect(canonicalText(imported.value.schema)).toBe(canonicalText(before))
        expect(imported.value.moves).toEqual([])
      }),
      { numRuns: isRdf ? Math.min(runs, maxRunsOfRdf) : runs },
    )
  })
})

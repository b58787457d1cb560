import { expect, test } from 'vitest'
import { portalLimits } from '../../src/categories/limits.ts'
import type { Category } from '../../src/categories/schema.ts'
import { parseRdf } from '../../src/file-reading/rdf.ts'
import type { NamedColumns } from '../../src/schema-files/csv/headings.ts'
import { readCsv, readRows } from '../../src/schema-files/csv/read.ts'
import { importFile } from '../../src/schema-files/import.ts'
import type { SchemaFileReading } from '../../src/schema-files/schema-file.ts'
import { defaultSkosOptions } from '../../src/schema-files/skos/options.ts'
import { readSkos } from '../../src/schema-files/skos/read-skos.ts'
import { read } from './documents.ts'

/** An example of the document: a file, the parameters that it needs, and the categories that it gives. */
interface Example {
  readonly title: string
  readonly format: string
  readonly text: string
  readonly parameters: Readonly<Record<string, string>>
  readonly gives: string
}

function examples(): readonly Example[] {
  const document = read('docs/importing.md')
  const section = document.slice(document.indexOf('## Twelve files'), document.indexOf('## Forms'))
  return section
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = ''] = part.split('\n')
      const [file, gives] = [...part.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)]
      const lines = part.match(/^`\w+=[^`]+`$/gm) ?? []
      const parameters = Object.fromEntries(lines.map((line) => line.slice(1, -1).split(/=(.*)/s).slice(0, 2)))
      return { title, format: file![1]!, text: file![2]!, parameters, gives: gives![2]! }
    })
}

async function readExample({ format, text, parameters }: Example): Promise<SchemaFileReading> {
  const { columns = '{}', language = '', root } = parameters
  const named = Object.entries(JSON.parse(columns) as Record<string, string | string[]>).flatMap(([role, given]) =>
    [given].flat().map((column) => ({ role, column })),
  ) as NamedColumns
  const languages = language === '' ? [] : [language]
  if (format === 'ttl') {
    const triples = await parseRdf(text, 'turtle')
    if ('problems' in triples) return triples
    return readSkos(triples.value, { ...defaultSkosOptions, languages, ...(root && { root }) }, portalLimits)
  }
  if (format !== 'xlsx') return readCsv(text, { columns: named, languages })
  const rows = text.split('\n').map((line, at) => ({ row: at + 1, cells: line.split(';') }))
  return readRows({ format: 'xlsx', rows }, { columns: named })
}

function outline(categories: readonly Category[], indent = ''): string {
  return categories
    .map(({ title, description, categories: below = [] }) => {
      const line = indent + title + (description === undefined ? '' : `: ${description}`)
      return below.length === 0 ? line : `${line}\n${outline(below, `${indent}  `)}`
    })
    .join('\n')
}

test('the document has twelve examples', () => {
  expect(examples().length).toBe(12)
})

test.each(examples())('$title gives what the document says', async (example) => {
  const { below, root } = example.parameters
  const imported = importFile(await readExample(example), {
    before: { categorySchema: [] },
    mode: 'replace',
    moves: undefined,
    limits: portalLimits,
    depth: 'refuse',
    titles: 'refuse',
    ...(below && { below }),
    ...(root && { root }),
  })
  if ('problems' in imported) throw new Error(imported.problems.join(' '))
  expect(outline(imported.value.schema.categorySchema)).toBe(example.gives)
})

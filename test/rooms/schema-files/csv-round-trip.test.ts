import { spawnSync } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { readCsv } from '../../../src/schema-files/csv/read.ts'
import { delimiters } from '../../../src/schema-files/csv/table.ts'
import { decodeFile } from '../../../src/schema-files/decode.ts'
import { type CsvWriteOptions, writeCsv } from '../../../src/schema-files/written-rows.ts'
import { schemaWithin } from '../../support/inputs/any-schema.ts'
import { readCsv as readCells } from '../../support/inputs/read-csv.ts'
import { countOf } from '../../support/length.ts'

const runs = countOf({ sample: 20, system: 150, long: 5_000 })

const anyOptions: fc.Arbitrary<CsvWriteOptions> = fc.record({
  layout: fc.constantFrom('path', 'levels'),
  delimiter: fc.constantFrom(...delimiters),
  bom: fc.boolean(),
})

/** Titles and texts in which everything that CSV, paths, headers and spreadsheets see as a sign stands next to another. */
const trickyText = fc.string({
  unit: fc.constantFrom(
    "'",
    '=',
    '+',
    '-',
    '@',
    '"',
    ';',
    '|',
    '>',
    ' ',
    '\u00a0',
    '#',
    'A',
    'path',
    'level1',
    '\ufeff',
  ),
  minLength: 1,
  maxLength: 5,
})
const trickyTitle = trickyText.filter((title) => title.trim() !== '')
const trickyDescription = fc.oneof(trickyText, fc.constantFrom(',', '\t', '\r\n', '\n\n', '\r=1', '\0', '\t@'))

const trickySchema: fc.Arbitrary<CategorySchema> = fc
  .letrec<{ category: Category; categories: readonly Category[] }>((tie) => ({
    category: fc.record(
      {
        title: fc.oneof(fc.constantFrom('A', 'B'), trickyTitle),
        description: trickyDescription,
        source: trickyDescription,
        categories: tie('categories'),
      },
      { requiredKeys: ['title'] },
    ),
    categories: fc.array(tie('category'), { minLength: 1, maxLength: 3, depthIdentifier: 'levels' }),
  }))
  .categories.map((categorySchema) => ({ categorySchema }))

/** Writes a schema and reads it again, from the bytes. */
function roundTrip(schema: CategorySchema, options: CsvWriteOptions): CategorySchema {
  const written = writeCsv(schema, options)
  if ('problems' in written) throw new Error(written.problems.join(' '))
  const decoded = decodeFile(Buffer.from(written.value.content), undefined)
  if ('problems' in decoded) throw new Error(decoded.problems.join(' '))
  const reading = readCsv(decoded.value, { trim: false, delimiter: options.delimiter })
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  return reading.value.schema
}

/** An empty source is no source in CSV. */
function withoutEmptySources({ categorySchema }: CategorySchema): CategorySchema {
  const copy = ({ source, categories, ...texts }: Category): Category => ({
    ...texts,
    ...(source ? { source } : {}),
    ...(categories ? { categories: categories.map(copy) } : {}),
  })
  return { categorySchema: categorySchema.map(copy) }
}

/** Whether CSV can keep all of the categories: one without a title is known by its source, and only in a path. */
function isKept(categories: readonly Category[], layout: CsvWriteOptions['layout']): boolean {
  return categories.every(
    ({ title, source, categories: below = [] }) =>
      (title !== undefined || (layout === 'path' && source)) && isKept(below, layout),
  )
}

test('any schema is read back as it was written', () => {
  fc.assert(
    fc.property(schemaWithin(portalLimits), anyOptions, (given, options) => {
      const schema = given as CategorySchema
      if (isKept(schema.categorySchema, options.layout)) {
        expect(canonicalText(roundTrip(schema, options))).toBe(canonicalText(withoutEmptySources(schema)))
      } else expect(writeCsv(schema, options)).toHaveProperty('problems')
    }),
    { numRuns: runs },
  )
})

test('no sign that CSV, paths or spreadsheets know changes a schema', () => {
  fc.assert(
    fc.property(trickySchema, anyOptions, (schema, options) => {
      expect(canonicalText(roundTrip(schema, options))).toBe(canonicalText(schema))
    }),
    { numRuns: runs },
  )
})

test('naughty strings are read back as titles and as descriptions', () => {
  const categorySchema = naughtyStrings
    .filter((text) => text.isWellFormed())
    .map((description) => {
      const title = description.replace(/[/,\p{Cc}]/gu, ' ')
      return { title: title.trim() === '' ? 'blank' : title, description }
    })
  expect(categorySchema.length).toBeGreaterThan(400)
  for (const layout of ['path', 'levels'] as const) {
    for (const delimiter of delimiters) {
      expect(canonicalText(roundTrip({ categorySchema }, { layout, delimiter, bom: true }))).toBe(
        canonicalText({ categorySchema }),
      )
    }
  }
})

test('no cell begins as a formula', () => {
  fc.assert(
    fc.property(trickySchema, anyOptions, (schema, options) => {
      const written = writeCsv(schema, { ...options, bom: false })
      const cells = readCells('value' in written ? written.value.content : '', options.delimiter).flat()
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
    }),
    { numRuns: runs },
  )
})

test('what a program writes without the prefix, a reader gets with trim=false too', () => {
  const reading = readCsv('level1,description\n-A,=1\n', { trim: false })
  expect(reading).toMatchObject({
    value: { schema: { categorySchema: [{ title: '-A', description: '=1' }] }, notes: [] },
  })
})

test('what CSV cannot keep is refused', () => {
  const refused = (category: Category, layout: 'path' | 'levels') =>
    writeCsv({ categorySchema: [{ title: 'A', categories: [category] }] }, { layout, delimiter: ',', bom: true })
  expect(refused({ title: 'B', description: '\ud800' }, 'path')).toEqual({
    problems: ['The description of /A/B has a lone surrogate; format=json keeps it.'],
  })
  expect(refused({ title: 'B', source: '\ud800' }, 'path')).toEqual({
    problems: ['The source of /A/B has a lone surrogate; format=json keeps it.'],
  })
  expect(refused({ source: 'set' }, 'levels')).toEqual({
    problems: ['/A/ has no title; layout=path or format=json keeps it.'],
  })
  expect(refused({ source: '' }, 'path')).toEqual({
    problems: ['/A/ has neither a title nor a source; format=json keeps it.'],
  })
})

test('a file has a header, parents first, and a mark for Excel', () => {
  const schema = { categorySchema: [{ title: 'A', categories: [{ title: 'B', description: 'b', source: '=s' }] }] }
  expect(writeCsv(schema, { layout: 'path', delimiter: ',', bom: true })).toEqual({
    value: {
      content: "\ufeffpath,description,source\r\n/A,,\r\n/A/B,b,'=s\r\n",
      extension: 'csv',
      contentType: 'text/csv; charset=utf-8',
    },
  })
  expect(writeCsv(schema, { layout: 'levels', delimiter: ';', bom: false })).toMatchObject({
    value: { content: "level1;level2;description;source\r\nA;;;\r\nA;B;b;'=s\r\n" },
  })
  expect(writeCsv({ categorySchema: [] }, { layout: 'levels', delimiter: ',', bom: false })).toMatchObject({
    value: { content: 'level1,description,source\r\n' },
  })
})

const python = spawnSync('python3', ['--version']).status === 0
const printCells = `
import csv, json, sys
print(json.dumps([list(csv.reader(open(name, encoding='utf-8-sig', newline=''))) for name in sys.argv[1:]]))
`

test.skipIf(!python)('the csv module of Python reads the same cells', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'cartulary-csv-'))
  // The module refuses NUL before Python 3.11.
  const schemas = fc
    .sample(trickySchema, { numRuns: 40, seed: 6 })
    .filter((one) => !canonicalText(one).includes('\\u0000'))
  const texts = schemas.map((schema) => {
    const written = writeCsv(schema, { layout: 'path', delimiter: ',', bom: true })
    return 'value' in written ? written.value.content : ''
  })
  const files = texts.map((_, at) => join(folder.path, `${at}.csv`))
  await Promise.all(texts.map((text, at) => writeFile(files[at]!, text)))
  const { stdout } = spawnSync('python3', ['-c', printCells, ...files])
  expect(files.length).toBeGreaterThan(10)
  expect(JSON.parse(stdout.toString())).toEqual(texts.map((text) => readCells(text.slice(1), ',')))
})

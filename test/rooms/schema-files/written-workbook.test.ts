import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { readWorkbook } from '../../../src/file-reading/workbook/workbook.ts'
import { listRows, type RowOptions, writeWorkbook } from '../../../src/schema-files/written-rows.ts'
import { schemaWithin } from '../../support/inputs/any-schema.ts'
import { countOf } from '../../support/length.ts'

const runs = countOf({ sample: 20, system: 150, long: 5_000 })

const schema: CategorySchema = {
  categorySchema: [
    { title: 'A', categories: [{ title: '=B&<', description: 'a_x000D_\r\n\0 ', source: 's' }] },
    { source: 'set', categories: [{ title: 'C' }] },
  ],
}

function write(given: CategorySchema, options: RowOptions): Uint8Array {
  const written = writeWorkbook(given, options)
  if ('problems' in written) throw new Error(written.problems.join(' '))
  return written.value.content
}

/** Cells as they are read, without the empty ones at the end of a row. */
function readCells(bytes: Uint8Array): readonly (readonly string[])[] {
  const read = readWorkbook(bytes, undefined, { trim: false })
  if ('problems' in read) throw new Error(read.problems.join(' '))
  expect(read.value).toMatchObject({ sheet: 'Categories', sheets: ['Categories'], notes: [] })
  return read.value.rows.map(({ cells }) => cells)
}

const trimmed = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)

test('any schema is read back as the cells that were written', () => {
  const anyOptions = fc.record({
    layout: fc.constantFrom('path', 'levels'),
    ids: fc.boolean(),
  }) as fc.Arbitrary<RowOptions>
  fc.assert(
    fc.property(schemaWithin(portalLimits), anyOptions, (given, options) => {
      const rows = listRows(given as CategorySchema, options)
      if ('problems' in rows) expect(writeWorkbook(given as CategorySchema, options)).toEqual(rows)
      else expect(readCells(write(given as CategorySchema, options))).toEqual(rows.value.map(trimmed))
    }),
    { numRuns: runs },
  )
})

test('no sign that XML or spreadsheets know changes a text', () => {
  const description = fc.string({
    unit: fc.constantFrom(
      '_',
      'x',
      '000D',
      '005F',
      '_x0041_',
      '\r',
      '\n',
      '\t',
      '\0',
      '\x01',
      '<',
      '&',
      ']]>',
      ' ',
      '=',
      "'",
      '\ufffe',
      '\x85',
      '👍',
    ),
    maxLength: 8,
  })
  fc.assert(
    fc.property(description, (text) => {
      const given = { categorySchema: [{ title: 'A', description: text }] }
      expect(readCells(write(given, { layout: 'path' }))).toEqual([
        ['path', 'description', 'source'],
        trimmed(['/A', text]),
      ])
    }),
    { numRuns: runs },
  )
})

test('a workbook has titles by level, and paths as identifiers', () => {
  expect(readCells(write(schema, { layout: 'path', ids: true }))).toEqual([
    ['path', 'description', 'source', 'id'],
    ['/A', '', '', '/A'],
    ['/A/=B&<', 'a_x000D_\r\n\0 ', 's', '/A/=B&<'],
    ['/', '', 'set'],
    ['//C'],
  ])
  const [titled] = schema.categorySchema
  expect(readCells(write({ categorySchema: [titled!] }, { layout: 'levels', ids: true }))).toEqual([
    ['level1', 'level2', 'description', 'source', 'id'],
    ['A', '', '', '', '/A'],
    ['A', '=B&<', 'a_x000D_\r\n\0 ', 's', '/A/=B&<'],
  ])
  expect(writeWorkbook(schema, { layout: 'levels' })).toEqual({
    problems: ['/ has no title; layout=path or format=json keeps it.'],
  })
})

test('a workbook has texts alone, a heading that stays, and widths by content', () => {
  const title = '水'.repeat(20)
  const parts = unzipSync(write({ categorySchema: [{ title, description: 'x'.repeat(300) }] }, { layout: 'levels' }))
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml']!)
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
  expect([...sheet.matchAll(/width="(\d+)"/g)].map(([, width]) => width)).toEqual(['42', '60', '12'])
  expect([...sheet.matchAll(/ s="(\d)" t="(\w+)"/g)].map(([, style, type]) => [style, type])).toEqual([
    ...Array.from({ length: 3 }, () => ['2', 'inlineStr']),
    ...Array.from({ length: 2 }, () => ['1', 'inlineStr']),
  ])
  expect(strFromU8(parts['xl/styles.xml']!)).toMatch(
    /<cellXfs count="3"><xf [^>]+><xf numFmtId="49" fontId="0"[^>]+><xf numFmtId="49" fontId="1"/,
  )
})

test('the bytes of a workbook depend on its schema alone', () => {
  const bytes = write(schema, { layout: 'path' })
  expect(Buffer.from(write(JSON.parse(canonicalText(schema)), { layout: 'path' })).equals(bytes)).toBe(true)
  // Date and time of the first part: the first of January 1980, at midnight.
  expect([...bytes.subarray(10, 14)]).toEqual([0, 0, 0x21, 0])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteOrderMark, formatCsvRow, guardFormula, unguardFormula } from '../../src/csv-text.ts'
import { readCsv } from '../support/inputs/read-csv.ts'

test('only cells that need it are quoted, and each row ends with CRLF', () => {
  const rows: readonly [string[], string][] = [
    [['a', 'b'], 'a,b\r\n'],
    [['a,b', ''], '"a,b",\r\n'],
    [['say "a"', 'a:b'], '"say ""a""",a:b\r\n'],
    [['a;=1', 'a\t=1', 'a|=1'], '"a;=1","a\t=1","a|=1"\r\n'],
    [['two\nlines', 'and\rmore'], '"two\nlines","and\rmore"\r\n'],
    [[' a ', "'"], " a ,'\r\n"],
  ]
  for (const [cells, text] of rows) expect(formatCsvRow(cells)).toBe(text)
  expect(formatCsvRow(['a,b', 'a;b'], ';')).toBe('"a,b";"a;b"\r\n')
})

test('a reader gets the cells that were written', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', 'a') }),
  )
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), (given, delimiter) => {
      expect(readCsv(given.map((row) => formatCsvRow(row, delimiter)).join(''), delimiter)).toEqual(given)
    }),
  )
})

test('a decoder of UTF-8 drops the mark', () => {
  expect(new TextDecoder().decode(Buffer.from(`${byteOrderMark}ä`))).toBe('ä')
})

test('no guarded text begins as a formula, and dropping one apostrophe gives the text', () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '＝', '\t', '\r', '\ufeff', '\u200b', 'a', ' '),
  })
  fc.assert(
    fc.property(text, (given) => {
      const guarded = guardFormula(given)
      expect(guarded).not.toMatch(/^[\s\u200b]*[=+\-@＝\t\r]/)
      expect(unguardFormula(guarded)).toBe(given)
    }),
  )
  const hidden = ['＝1', '－1', '\ufeff=1', '\u200b\u00ad+1', ' =1', '\u0001@a', "'\u2060=1"]
  expect(hidden.map(guardFormula)).toEqual(hidden.map((text) => `'${text}`))
  expect(['=1+1', "'=1", "'tis", '-5', 'a=b', ''].map(guardFormula)).toEqual([
    "'=1+1",
    "''=1",
    "'tis",
    "'-5",
    'a=b',
    '',
  ])
})

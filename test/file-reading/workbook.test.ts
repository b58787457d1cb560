import { strFromU8, strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readWorkbook } from '../../src/file-reading/workbook/workbook.ts'
import { looksLikeWorkbook } from '../../src/schema-files/workbooks.ts'
import { archiveOf, inlineRows, relationsOf, sheetFile, workbookFile } from '../support/inputs/workbook-file.ts'

/** Rows of the first sheet, as lists of cells. */
function cellsOf(bytes: Uint8Array): readonly (readonly string[])[] {
  const read = readWorkbook(bytes, undefined)
  if ('problems' in read) throw new Error(read.problems.join(' '))
  return read.value.rows.map(({ cells }) => cells)
}

function problemsOf(bytes: Uint8Array, sheet?: string): readonly string[] {
  const read = readWorkbook(bytes, sheet)
  return 'problems' in read ? read.problems : []
}

function notesOf(bytes: Uint8Array): readonly string[] {
  const read = readWorkbook(bytes, undefined)
  return 'value' in read ? read.value.notes : read.problems
}

describe('rows of a workbook', () => {
  test('as Excel writes them: shared texts, references, rows and cells that are left out', () => {
    const bytes = sheetFile(
      '<dimension ref="A1:C7"/><sheetData><row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
        '<row r="4"><c r="A4" s="1"/></row><row r="7"><c r="B7" t="s"><v>0</v></c><c r="C7" s="1"/></row></sheetData>',
      { strings: '<si><t>Region</t></si><si><t xml:space="preserve"> a &amp; b </t></si>' },
    )
    expect(looksLikeWorkbook(bytes)).toBe(true)
    expect(readWorkbook(bytes, undefined)).toEqual({
      value: {
        rows: [
          { row: 1, cells: ['Region', '', ' a & b '] },
          { row: 7, cells: ['', 'Region'] },
        ],
        sheet: 'Sheet1',
        sheets: ['Sheet1'],
        notes: [],
      },
    })
  })

  test('as libraries write them: texts in the cells, without references', () => {
    expect(
      cellsOf(
        sheetFile(
          inlineRows([
            ['a', '', 'b'],
            ['', ''],
            ['', 'c', ''],
          ]),
        ),
      ),
    ).toEqual([
      ['a', '', 'b'],
      ['', 'c'],
    ])
  })

  test('with prefixes, and the namespaces of the strict form', () => {
    const spreadsheet = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
    const types = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    const relation = (type: string, target: string) =>
      `<p:Relationships xmlns:p="http://schemas.openxmlformats.org/package/2006/relationships"><p:Relationship Type="${types}/${type}" Target="${target}" Id="R1"/></p:Relationships>`
    const bytes = archiveOf({
      '[Content_Types].xml': '<Types/>',
      '_rels/.rels': relation('officeDocument', '/book/main.xml'),
      'book/main.xml': `\ufeff<x:workbook xmlns:x="${spreadsheet}" xmlns:q="${types}"><x:sheets><x:sheet name="S" sheetId="1" q:id="R1"/></x:sheets></x:workbook>`,
      'book/_rels/main.xml.rels': relation('worksheet', '../sheets/My%20sheet.xml'),
      'SHEETS\\my sheet.xml': `<x:worksheet xmlns:x="${spreadsheet}"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
    })
    expect(cellsOf(bytes)).toEqual([['a']])
  })

  test('with runs of fonts joined, without how to pronounce them, and with escaped characters', () => {
    const strings =
      '<si><r><rPr><b/></rPr><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="2"><t>とうきょう</t></rPh><phoneticPr/></si>' +
      '<si><t>a_x000D_&#10;b_x005F_x000D_</t></si><si/>'
    const row =
      '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="str"><f>B1</f><v>c_x0009_</v></c></row>'
    expect(cellsOf(sheetFile(`<sheetData>${row}</sheetData>`, { strings }))).toEqual([
      ['東京', 'a\r\nb_x000D_', '', 'c\t'],
    ])
  })

  test('with numbers as they are shown, and kept values of formulas', () => {
    const cell = (type: string, content: string) => `<c t="${type}">${content}</c>`
    const numbers = ['7', '1.5', '0.10000000000000001', '123456789012345', '1E+3', '-0.0', '1.23E2']
    const cells = [
      ...numbers.map((number) => cell('n', `<v>${number}</v>`)),
      cell('b', '<v>1</v>'),
      cell('b', '<v>0</v>'),
      cell('n', '<f>A1*6</f><v>42</v>'),
      cell('str', '<f>""</f><v></v>'),
    ]
    expect(cellsOf(sheetFile(`<sheetData><row>${cells.join('')}</row></sheetData>`))).toEqual([
      ['7', '1.5', '0.1', '123456789012345', '1000', '0', '123', 'TRUE', 'FALSE', '42'],
    ])
  })

  test('with dates in ISO 8601, and a note on their cells', () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[$-407]d.\\ mmm\\ yy"/><numFmt numFmtId="165" formatCode="[Red]0&quot; days&quot;\\h"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>'
    const cell = (style: number, number: string) => `<c s="${style}"><v>${number}</v></c>`
    const row = [
      cell(0, '46354'),
      cell(1, '46354'),
      cell(2, '46354.5'),
      cell(3, '46354'),
      cell(4, '0.25'),
      cell(1, '60'),
      cell(1, '1'),
      cell(1, '-1'),
      cell(1, '1e300'),
      '<c t="d"><v>2026-11-28T00:00:00</v></c>',
    ]
    const xml = `<sheetData><row>${row.join('')}</row></sheetData>`
    const bytes = sheetFile(xml, { styles })
    expect(cellsOf(bytes)).toEqual([
      [
        '46354',
        '2026-11-28',
        '2026-11-28T12:00:00',
        '46354',
        '06:00:00',
        '1900-02-29',
        '1900-01-01',
        '-1',
        '1e+300',
        '2026-11-28',
      ],
    ])
    expect(notesOf(bytes)).toEqual(['Dates were taken as texts such as 2026-11-28: B1, C1, E1, F1, G1, J1.'])
    expect(cellsOf(sheetFile(xml, { styles, properties: 'date1904="1"' }))[0]![1]).toBe('2030-11-29')
  })

  test('with merged cells filled downwards, and what they cover left out', () => {
    const rows = inlineRows([
      ['All of it', 'hidden'],
      ['Region', 'Asia'],
      ['', 'Europe'],
      ['old', 'Africa'],
      ['', ''],
      ['Topic', 'Water'],
    ])
    const bytes = sheetFile(
      `${rows}<mergeCells><mergeCell ref="A1:XFD1"/><mergeCell ref="A2:A5"/><mergeCell ref="B6:B1048576"/></mergeCells>`,
    )
    expect(cellsOf(bytes)).toEqual([
      ['All of it'],
      ['Region', 'Asia'],
      ['Region', 'Europe'],
      ['Region', 'Africa'],
      ['Topic', 'Water'],
    ])
    expect(notesOf(bytes)).toEqual([
      'The value of a merged cell was taken for each of its rows: A2:A5, B6:B1048576.',
      'Texts that merged cells cover were left out: B1, A4.',
    ])
  })

  test('with those that are hidden, and a note', () => {
    const bytes = sheetFile(
      '<cols><col min="2" max="16384" hidden="1"/></cols><sheetData><row r="2" hidden="1"><c t="inlineStr"><is><t>a</t></is></c></row>' +
        '<row r="3" hidden="true"/><row r="4"><c r="B4"><v>1</v></c></row></sheetData>',
    )
    expect(cellsOf(bytes)).toEqual([['a'], ['', '1']])
    expect(notesOf(bytes)).toEqual(['Hidden rows were read: 2.', 'Hidden columns were read: B.'])
  })

  test('with cells of blanks as empty ones, unless they count', () => {
    const bytes = sheetFile(inlineRows([['a', ' '], [' ']]))
    expect(cellsOf(bytes)).toEqual([['a']])
    expect(readWorkbook(bytes, undefined, { trim: false })).toMatchObject({
      value: { rows: [{ cells: ['a', ' '] }, { cells: [' '] }] },
    })
  })
})

describe('the sheet of a workbook', () => {
  const bytes = workbookFile({
    sheets: [
      { name: 'Chart', xml: '', kind: 'chartsheet' },
      { name: 'Lists', xml: inlineRows([['hidden']]), state: 'veryHidden' },
      { name: 'Äpfel', xml: inlineRows([['a']]) },
      { name: '1', xml: inlineRows([['one']]) },
    ],
    relations: { vbaProject: 'vbaProject.bin' },
    parts: { 'xl/vbaProject.bin': 'macros' },
  })

  test.each([
    [undefined, 'Äpfel', 'a'],
    ['', 'Äpfel', 'a'],
    [' äPFEL', 'Äpfel', 'a'],
    ['Lists', 'Lists', 'hidden'],
    ['1', '1', 'one'],
    ['2', 'Äpfel', 'a'],
  ])('is %s', (wanted, sheet, cell) => {
    expect(readWorkbook(bytes, wanted)).toMatchObject({
      value: { sheet, rows: [{ row: 1, cells: [cell] }], sheets: ['Lists', 'Äpfel', '1'] },
    })
  })

  test('is one of those that it has', () => {
    const problem = 'sheet: the workbook has no such sheet; give the name or the number of one of Lists, Äpfel, 1.'
    expect(problemsOf(bytes, 'Birnen')).toEqual([problem])
    expect(problemsOf(bytes, '4')).toEqual([problem])
    expect(problemsOf(bytes, '0')).toEqual([problem])
  })

  test('is not all of the workbook', () => {
    expect(notesOf(bytes)).toEqual([
      'Only the sheet Äpfel was read, not Lists, 1.',
      'The macros of the workbook were ignored.',
    ])
    const many = workbookFile({
      sheets: Array.from({ length: 25 }, (_, at) => ({ name: `S${at}`, xml: inlineRows([['a']]) })),
    })
    expect(notesOf(many)[0]).toMatch(/^Only the sheet S0 was read, not S1, .*, S20 and 4 more\.$/)
  })
})

describe('cells without a value are named', () => {
  test('errors and formulas', () => {
    const bytes = sheetFile(
      '<sheetData><row r="7"><c r="A7"><f>1+1</f></c><c r="B7" t="e"><f>X</f><v>#REF!</v></c><c r="AA7"><f>2</f><v/></c></row></sheetData>',
    )
    expect(problemsOf(bytes)).toEqual([
      'B7 has the error #REF!: correct it, or empty the cell.',
      'A7, AA7 have formulas without a value: open the workbook in Excel or LibreOffice, and save it.',
    ])
  })
})

const damaged = 'The workbook is damaged: open it in Excel or LibreOffice, and save it again.'
const noWorkbook = 'The file is a ZIP archive, but no Excel workbook: give the file that is in it.'
const tooLarge = 'Unpacked, the workbook has more than 20 MB: leave out what is not needed, or save the sheet as CSV.'
const notUtf8 = 'A part of the workbook is not UTF-8: open it in Excel or LibreOffice, and save it again.'

/** The workbook with other sizes in the list of its parts. */
function declare(bytes: Uint8Array, sizes: Readonly<Record<string, number>>): Uint8Array {
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length - 46; at += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) continue
    const size = sizes[strFromU8(bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)))]
    if (size !== undefined) view.setUint32(at + 24, size, true)
  }
  return bytes
}

describe('a file is refused', () => {
  const row = (cells: string) => sheetFile(`<sheetData><row>${cells}</row></sheetData>`)
  const whole = sheetFile(inlineRows([['a']]))
  const sheetName = 'xl/worksheets/sheet1.xml'
  const mebibytes = (count: number) => count * 1024 * 1024
  const sheetPart = (part: string | Uint8Array) => sheetFile('', { parts: { [sheetName]: part } })

  test.each<readonly [string, Uint8Array, string]>([
    [
      'with a password',
      Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      'The workbook has a password: save it without one.',
    ],
    [
      'of before 2007',
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      'The file is an Excel workbook of before 2007 (.xls): save it as an Excel workbook (.xlsx), or as CSV.',
    ],
    [
      'of LibreOffice',
      zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }] }),
      'The file is an OpenDocument spreadsheet: save it as an Excel workbook (.xlsx), or as CSV.',
    ],
    [
      'in binary form',
      archiveOf({
        '[Content_Types].xml': '<Types/>',
        '_rels/.rels': relationsOf({ officeDocument: 'xl/workbook.bin' }),
        'xl/workbook.bin': '',
      }),
      'The file is a binary Excel workbook (.xlsb): save it as an Excel workbook (.xlsx).',
    ],
    ['that is an archive', archiveOf({ 'a.csv': 'a' }), 'The file is a ZIP archive: give the file that is in it.'],
    [
      'that is a document',
      archiveOf({
        '[Content_Types].xml': '<Types/>',
        '_rels/.rels': relationsOf({ officeDocument: 'word/document.xml' }),
        'word/document.xml': '<document/>',
      }),
      noWorkbook,
    ],
    ['without a workbook', archiveOf({ 'xl/other.xml': '<a/>' }), noWorkbook],
    [
      'of charts alone',
      workbookFile({ sheets: [{ name: 'Chart1', xml: '', kind: 'chartsheet' }] }),
      'The workbook has no sheet with cells, but charts or macros alone.',
    ],
    ['that ends early', whole.subarray(0, -100), damaged],
    ['whose sheet is missing', sheetFile('', { relations: { 'worksheet#1': 'none.xml' } }), damaged],
    ['whose sheet ends early', sheetPart('<worksheet><sheetData>'), damaged],
    ['whose sheet has no end', sheetPart('<worksheet><sheetData></worksheet>'), damaged],
    ['with a type of document', sheetPart('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'), damaged],
    ['with deep elements', sheetPart(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`), damaged],
    ['with a part in UTF-16', sheetPart(Buffer.from('\ufeff<worksheet/>', 'utf16le')), notUtf8],
    ['with a part that says so', sheetPart('<?xml version="1.0" encoding="windows-1252"?><worksheet/>'), notUtf8],
    ['with bytes that are no UTF-8', sheetPart(Buffer.from('<worksheet>\xff</worksheet>', 'latin1')), notUtf8],
    ['with a text that is missing', row('<c t="s"><v>3</v></c>'), damaged],
    ['with a number that is none', row('<c r="B1"><v>x</v></c>'), 'B1 has a number that is none: write it again.'],
    ['with cells in the wrong order', row('<c r="B1"/><c r="A1"/>'), damaged],
    ['with an unknown cell', row('<c r="4"/>'), damaged],
    ['with cells of an unknown type', row('<c t="x"><v>1</v></c>'), damaged],
    ['with rows in the wrong order', sheetFile('<sheetData><row r="2"/><row r="1"/></sheetData>'), damaged],
    [
      'with merged cells in merged cells',
      sheetFile(
        `${inlineRows([['a'], ['b']])}<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="A2:B2"/></mergeCells>`,
      ),
      damaged,
    ],
    [
      'with a text that is too long',
      sheetFile('<sheetData><row><c t="s"><v>0</v></c></row></sheetData>', {
        strings: `<si><t>${'a'.repeat(32_768)}</t></si>`,
      }),
      'A1 has more than 32767 characters.',
    ],
    [
      'with too many columns',
      row('<c r="AX1"><v>1</v></c><c r="AY1"><v>1</v></c>'),
      'Row 1 has a value in column AY; at most 50 columns are allowed.',
    ],
    [
      'whose parts are too large together',
      declare(sheetFile('<sheetData><row><c t="s"><v>0</v></c></row></sheetData>', { strings: '<si/>' }), {
        [sheetName]: mebibytes(11),
        'xl/sharedStrings.xml': mebibytes(10),
      }),
      tooLarge,
    ],
    ['with a part that is too large', declare(whole.slice(), { [sheetName]: mebibytes(4_000) }), tooLarge],
    ['with a part that is larger than it says', declare(whole.slice(), { [sheetName]: 200 }), damaged],
    ['with a part that says it is empty', declare(whole.slice(), { [sheetName]: 0 }), damaged],
  ])('%s', (_what, bytes, problem) => {
    expect(problemsOf(bytes)).toEqual([problem])
  })

  test('with more rows than are allowed, the heading apart', () => {
    const rows = (count: number) => sheetFile(`<sheetData>${'<row><c><v>1</v></c></row>'.repeat(count)}</sheetData>`)
    expect(cellsOf(rows(5_001))).toHaveLength(5_001)
    expect(problemsOf(rows(5_002))).toEqual(['The sheet has more than 5000 rows.'])
  })

  test('whose list of parts has no end', () => {
    const bytes = whole.slice()
    const view = new DataView(bytes.buffer)
    view.setUint16(bytes.length - 22 + 8, 0xffff, true)
    expect(problemsOf(bytes)).toEqual(['The workbook has more than 5000 parts.'])
  })
})

test('rows without anything in them are no burden', () => {
  expect(cellsOf(sheetFile(`<sheetData>${'<row/>'.repeat(100_000)}<row><c><v>1</v></c></row></sheetData>`))).toEqual([
    ['1'],
  ])
})

test('parts that are not needed may be of any size', () => {
  const bytes = sheetFile(inlineRows([['a']]), { parts: { 'xl/media/image1.png': 'a' } })
  expect(cellsOf(declare(bytes, { 'xl/media/image1.png': 0xf0_00_00_00 }))).toEqual([['a']])
})

test('a shared text that is in many cells is refused before it is copied for each of them', () => {
  const row = '<row><c t="s"><v>0</v></c></row>'
  const bytes = sheetFile(`<sheetData>${row.repeat(200)}</sheetData>`, {
    strings: `<si><t>${'x'.repeat(32_000)}</t></si>`,
  })
  expect(readWorkbook(bytes, undefined)).toEqual({
    problems: [
      'The cells of the sheet have more than 4194304 characters: leave out what is not needed, or save the sheet as CSV.',
    ],
  })
})

describe('a workbook of next to nothing ends early', () => {
  const megabyte = 'x'.repeat(1_000_000)
  const cell = '<row><c t="inlineStr"><is><t>a</t></is></c></row>'
  const tooMany = 'The sheet has more than 500000 rows and cells: delete the empty ones, or save the sheet as CSV.'

  test.each([
    ['one comment', `<sheetData>${cell}</sheetData><!--${megabyte}-->`, damaged],
    ['one attribute', `<sheetData>${cell}</sheetData><a b="${megabyte}"/>`, damaged],
    ['one text', `<sheetData>${cell}</sheetData><a>${megabyte}</a>`, damaged],
    ['comments', `<sheetData>${cell}</sheetData>${'<!---->'.repeat(150_000)}`, damaged],
    [
      'empty rows and cells',
      `<sheetData>${cell}${`<row>${'<c/>'.repeat(9)}</row>`.repeat(50_000)}</sheetData>`,
      tooMany,
    ],
    ['rich text', `<sheetData><row><c t="inlineStr"><is>${'<r/>'.repeat(100_001)}</is></c></row></sheetData>`, damaged],
  ])('where it has %s', (_what, xml, problem) => {
    expect(problemsOf(sheetFile(xml))).toEqual([problem])
  })

  test('and the longest text of a cell is read, however it is written', () => {
    const text = '\u4e00'.repeat(32_767)
    const written = `<si><r><t>${'&#x00004e00;'.repeat(16_000)}</t></r><r><t>${'\u4e00'.repeat(16_767)}</t></r></si>`
    expect(cellsOf(sheetFile('<sheetData><row><c t="s"><v>0</v></c></row></sheetData>', { strings: written }))).toEqual(
      [[text]],
    )
  })
})

import { describe, expect, test } from 'vitest'
import { type CsvReadOptions, readCsv } from '../../../src/schema-files/csv/read.ts'
import { sketch } from '../../support/inputs/sketch.ts'

const noHeader = {
  path: 'No header was recognized; the columns were taken as path, description and source.',
  levels: 'No header was recognized; the columns were taken as levels, from the roots down.',
  list: 'No header was recognized; the lines were taken as a list, with levels by indentation.',
}

function read(text: string, options: CsvReadOptions = {}) {
  const reading = readCsv(text, options)
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  const { schema, rows, notes } = reading.value
  return { sketch: sketch(schema), rows, notes: notes.map(({ row, message }) => `${row}: ${message}`) }
}

interface Form {
  readonly what: string
  readonly text: string
  readonly options?: CsvReadOptions
  readonly schema: string
  readonly notes?: readonly string[]
}

/** One file for each form of contract §6.2, with the schema and the notes that it gives. */
const forms: Readonly<Record<string, readonly Form[]>> = {
  'paths under a header': [
    {
      what: 'with slashes, in any order of columns',
      text: 'source,path,description\n,/Region,All of it\nhttp://a.example/w,/Region/World,\n',
      schema: 'Region: All of it (World <http://a.example/w>)',
    },
    { what: 'without the first slash', text: 'path\nRegion\nRegion/World\n', schema: 'Region (World)' },
    { what: 'with the signs of shops', text: 'path\nA\nA > B\nA > B > C\n', schema: 'A (B (C))' },
    { what: 'whose titles have the sign of shops', text: 'path\n/A > B\n/A > B/C\n', schema: 'A > B (C)' },
    { what: 'under another name for them', text: 'Category_Path\n/A\n', schema: 'A' },
    { what: 'that leave parents out', text: 'path\n/A/B/C\n/A/D\n', schema: 'A (B (C), D)' },
    { what: 'whose parent has its row later', text: 'path,description\n/A/B,\n/A,later\n', schema: 'A: later (B)' },
    {
      what: 'with columns of no use',
      text: 'path,created,,status\n/A,2020,,ok\n',
      schema: 'A',
      notes: ['1: The column created is not used.', '1: The column status is not used.'],
    },
    { what: 'of a category without a title', text: 'path,source\n/,set\n//A,\n', schema: '? <set> (A)' },
  ],
  'paths without a header': [
    {
      what: 'with slashes',
      text: '/A,about\n/A/B,,src\n',
      schema: 'A: about (B <src>)',
      notes: [`1: ${noHeader.path}`],
    },
    {
      what: "of a shop, after Google's comment",
      text: '# Google_Product_Taxonomy_Version: 2021-09-21\nA\nA > B\n',
      schema: 'A (B)',
      notes: ['1: The line beginning with # was taken as a comment.', `2: ${noHeader.path}`],
    },
  ],
  levels: [
    { what: 'repeated in each row', text: 'level1,level2\nA,\nA,B\nA,C\n', schema: 'A (B, C)' },
    { what: 'of leaves only', text: 'L1,L2,L3\nA,B,C\nA,B,D\nA,E,F\n', schema: 'A (B (C, D), E (F))' },
    {
      what: 'blank to the left',
      text: 'Level 1,Level 2,Level 3\nA,,\n,B,\n,,C\n,D,\nE,,\n',
      schema: 'A (B (C), D), E',
    },
    { what: 'in another order', text: 'level2,level1\nB,A\n', schema: 'A (B)' },
    {
      what: 'with a description and a source of the last one',
      text: 'level1,level2,description,source\nA,,a,\nA,B,b,src\n',
      schema: 'A: a (B: b <src>)',
    },
    {
      what: 'with a description after each level',
      text: 'level1,description,level2,description\nA,a,B,b\nA,a,C,c\n',
      schema: 'A: a (B: b, C: c)',
    },
    {
      what: 'with descriptions that name their level',
      text: 'level1,level2,level1 description,description2\nA,B,a,b\n',
      schema: 'A: a (B: b)',
    },
    {
      what: 'with another description for the same category',
      text: 'level1,description,level2,description\nA,a,B,b\nA,x,C,c\nA,y,D,\n',
      schema: 'A: a (B: b, C: c, D)',
      notes: ['3: The description differs from that of an earlier row, which is kept. Also row 4.'],
    },
    { what: 'by shape', text: 'A,B\nA,C\n', schema: 'A (B, C)', notes: [`1: ${noHeader.levels}`] },
    {
      what: 'by layout, of one column',
      text: 'A\nB\n',
      options: { layout: 'levels' },
      schema: 'A, B',
      notes: [`1: ${noHeader.levels}`],
    },
    { what: 'under a header of any words', text: 'Theme,Topic\nA,B\n', options: { header: true }, schema: 'A (B)' },
    {
      what: 'without a header that looks like one',
      text: 'level1,level2\n',
      options: { header: false },
      schema: 'level1 (level2)',
    },
  ],
  parents: [
    { what: 'by id', text: 'id,title,parent_id\n1,A,\n2,B,1\n3,C,2\n', schema: 'A (B (C))' },
    { what: 'by title', text: 'name,parent\nA,\nB,A\n', schema: 'A (B)' },
    { what: 'by id or title', text: 'id,title,parent\n1,A,\n2,B,1\n3,C,B\n', schema: 'A (B (C))' },
    { what: 'by title beside ids', text: 'id,title,parent_name\nA,B,\nB,C,B\n', schema: 'B (C)' },
    { what: 'by id in place of a title', text: 'id,parent\nA,\nB,A\n', schema: 'A (B)' },
    {
      what: 'with a slash for roots',
      text: 'Key,Name,ParentKey,Description\nx,A,/,a\ny,B,x,b\n',
      schema: 'A: a (B: b)',
    },
    { what: 'that follow their children', text: 'id,title,parent_id\n2,B,1\n1,A,\n3,C,1\n', schema: 'A (B, C)' },
    {
      what: 'of siblings with one title',
      text: 'id,title,parent_id\n1,A,\n2,A,\n3,B,1\n4,C,2\n',
      schema: 'A (B), A (C)',
      notes: ['3: An earlier row has the same path; both are kept as categories of their own.'],
    },
  ],
  'an indented list': [
    {
      what: 'by blanks',
      text: 'A\n  B\n    C\n  D\nE\n',
      schema: 'A (B (C), D), E',
      notes: [`undefined: ${noHeader.list}`],
    },
    { what: 'by tabs', text: 'A\n\tB\n\t\tC\n', schema: 'A (B (C))', notes: [`1: ${noHeader.list}`] },
    {
      what: 'that is indented as a whole',
      text: '  A\n    B\n  C\n',
      schema: 'A (B), C',
      notes: [`1: ${noHeader.list}`],
    },
    {
      what: 'by blanks that do not break',
      text: 'A\n\u00a0\u00a0B\n',
      schema: 'A (B)',
      notes: [`undefined: ${noHeader.list}`],
    },
    {
      what: 'by layout, whose first line looks like a header',
      text: 'path\n a\n',
      options: { layout: 'indented' },
      schema: 'path (a)',
    },
  ],
  'signs and blanks': [
    { what: 'semicolons', text: 'path;description\n/A;a, b\n', schema: 'A: a, b' },
    { what: 'tabs', text: 'path\tdescription\n/A\ta,b;c\n', schema: 'A: a,b;c' },
    { what: 'bars', text: 'path|description\n/A|a\n', schema: 'A: a' },
    {
      what: 'the delimiter of the first line outside quotes',
      text: '"path"|"description, ;;;"|source\n/A|x|s\n',
      schema: 'A <s>',
      notes: ['1: The column description, ;;; is not used.'],
    },
    {
      what: 'a leading sep=',
      text: 'sep=;\npath;description,x\n/A;b\n',
      schema: 'A',
      notes: ['1: The column description,x is not used.'],
    },
    {
      what: 'a delimiter that is given',
      text: 'level1;level2,x\nA;B,C\n',
      options: { delimiter: ',', layout: 'levels' },
      schema: 'level1;level2 (x), A;B (C)',
      notes: [`1: ${noHeader.levels}`],
    },
    { what: 'CRLF', text: 'path\r\n/A\r\n', schema: 'A' },
    { what: 'CR', text: 'path\r/A\r', schema: 'A' },
    { what: 'no line end at the end', text: 'path\n/A', schema: 'A' },
    { what: 'quotes', text: 'path,description\n"/say ""A""","a, b"\n', schema: 'say "A": a, b' },
    { what: 'a line end inside quotes', text: 'path,description\n/A,"one\ntwo"\n/B,b\n', schema: 'A: one\ntwo, B: b' },
    { what: 'empty columns and rows at the end', text: 'path,description,,,\n/A,a,,,\n,,,,\n\n\n', schema: 'A: a' },
    {
      what: 'rows and columns of nothing but blanks',
      text: 'path,description, \n/A,a, \n , \n\u00a0\n/B,b,\n',
      schema: 'A: a, B: b',
    },
    { what: 'empty rows between others', text: 'path\n\n/A\n,\n/B\n', schema: 'A, B' },
    { what: 'empty rows before the header', text: '\n\npath\n/A\n', schema: 'A' },
    {
      what: 'blanks around texts',
      text: 'path,description\n/A , a\n/A/ B,\u00a0b\u00a0\n',
      schema: 'A: a (B: b)',
      notes: ['2: Blanks around a text were removed; trim=false keeps them. Also row 3.'],
    },
    {
      what: 'blanks that are kept',
      text: 'path,description\n/A , a\n/A /B, \n',
      options: { trim: false },
      schema: 'A :  a (B:  )',
    },
    {
      what: 'a text that is kept from being a formula',
      text: "level1,description\n'-A,'=1\n''tis,''=\n",
      schema: "-A: =1, ''tis: '=",
      notes: ['2: The apostrophe that keeps a text from being a formula was removed. Also row 3.'],
    },
    {
      what: 'prototype names',
      text: 'path,__proto__,constructor\n/__proto__,x,y\n/__proto__/constructor,x,y\n',
      schema: '__proto__ (constructor)',
      notes: ['1: The column __proto__ is not used.', '1: The column constructor is not used.'],
    },
  ],
  'one path in several rows': [
    {
      what: 'is one category for each',
      text: 'path\n/A\n/A/B\n/A\n/A/C\n',
      schema: 'A (B), A (C)',
      notes: [
        '4: An earlier row has the same path; both are kept as categories of their own.',
        '5: Several categories have the path of the parent; the row belongs to the latest of them.',
      ],
    },
  ],
}

for (const [group, members] of Object.entries(forms)) {
  describe(group, () => {
    test.each(members)('$what', ({ text, options, schema, notes = [] }) => {
      expect(read(text, options)).toMatchObject({ sketch: schema, notes })
    })
  })
}

test('rows are counted as a spreadsheet counts them, and categories know theirs', () => {
  const reading = readCsv('sep=,\npath,description\n\n/A,"two\nlines"\n/A/B,\n/C,\n', {})
  expect(reading).toMatchObject({ value: { format: 'csv', rows: 3 } })
  expect('value' in reading && [...reading.value.places]).toEqual([
    ['/categorySchema/0', { row: 3 }],
    ['/categorySchema/0/categories/0', { row: 4 }],
    ['/categorySchema/1', { row: 5 }],
  ])
})

test('a note lists twenty rows beside the first', () => {
  const text = `path\n${Array.from({ length: 24 }, (_, at) => `/A${at} \n`).join('')}`
  expect(read(text).notes).toEqual([
    `2: Blanks around a text were removed; trim=false keeps them. Also rows ${Array.from({ length: 20 }, (_, at) => at + 3).join(', ')} and 3 more.`,
  ])
})

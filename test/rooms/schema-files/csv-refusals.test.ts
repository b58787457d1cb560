import { describe, expect, test } from 'vitest'
import { type CsvReadOptions, readCsv } from '../../../src/schema-files/csv/read.ts'

interface Refusal {
  readonly what: string
  readonly text: string
  readonly options?: CsvReadOptions
  readonly problems: readonly unknown[]
}

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('')
const nothing = ['The file has no categories.']
const takenAsList =
  'No header was recognized; the lines were taken as a list, with levels by indentation. If that is wrong, name the columns by path, level1 to level4, title, id, parent, description or source, in a heading or by columns; or give header, headerRow or layout.'

/** One file for each way of being broken (contract §6.2), with all that is said about it. */
const refusals: Readonly<Record<string, readonly Refusal[]>> = {
  'without categories': [
    { what: 'no text', text: '', problems: nothing },
    { what: 'empty rows', text: '\r\n,,\r\n', problems: nothing },
    { what: 'a header', text: 'path,description\n', problems: nothing },
    { what: 'a header that is told to be one', text: 'A,B\n', options: { header: true }, problems: nothing },
  ],
  quotes: [
    { what: 'never closed', text: 'path\n/A\n"/B\n/C\n', problems: ['Row 3: a quote is opened and never closed.'] },
    {
      what: 'followed by text',
      text: 'path\n"/A"B\n',
      problems: ['Row 2: a closing quote is followed by text; a quote inside a cell is written twice.'],
    },
    {
      what: 'inside a cell without quotes',
      text: 'path\n\n/A "B"\n',
      problems: [
        'Row 3: a quote stands inside a cell that has no quotes around it; write it twice, and put the cell in quotes.',
      ],
    },
    {
      what: 'that swallow the rest of a long file',
      text: `path\n"/A\n${'/B\n'.repeat(30_000)}`,
      problems: ['Row 2 has more than 65536 bytes; a quote may be opened and never closed.'],
    },
  ],
  limits: [
    {
      what: '51 columns',
      text: `path${',x'.repeat(50)}\n`,
      problems: ['Row 1 has 51 columns; at most 50 are allowed.'],
    },
    {
      what: '5,001 rows below a header',
      text: `path\n${lines(5_001, (at) => `/A/${at}\n`)}`,
      problems: ['The file has more than 5000 rows.'],
    },
    {
      what: '21 levels of paths',
      text: `path\n${'/A'.repeat(21)}\n`,
      problems: ['Row 2 is on level 21; at most 20 are read.'],
    },
    {
      what: '22 levels of parents',
      text: `id,parent\n${lines(22, (at) => `${at},${at === 0 ? '' : at - 1}\n`)}`,
      problems: ['Row 22 is on level 21; at most 20 are read.'],
    },
    {
      what: '5,002 lines of a list',
      text: lines(5_002, (at) => `- ${at}\n`),
      problems: ['The file has more than 5000 rows.'],
    },
    {
      what: 'identifiers that put each category below the next',
      text: `path,id\n${lines(1_200, (at) => `/a${at}/x,/a${at + 1}\n`)}`,
      problems: [expect.stringMatching(/^Row \d+ is on level 21; at most 20 are read.$/)],
    },
    {
      what: '21 levels of indentation',
      text: lines(21, (at) => `${' '.repeat(at)}A\n`),
      problems: ['Row 21 is on level 21; at most 20 are read.'],
    },
    {
      what: 'more problems than are of use',
      text: `path\n${lines(150, () => '//A\n')}`,
      problems: [
        ...Array.from({ length: 100 }, (_, at) => `Row ${at + 2}: level 1 has no title.`),
        '50 further problems are not listed.',
      ],
    },
  ],
  header: [
    { what: 'two columns of one name', text: 'path,Path\n/A,/B\n', problems: ['Row 1: two columns are called path.'] },
    {
      what: 'a sep= of another sign',
      text: 'sep=:\npath\n',
      problems: ['Row 1: sep= has to name a comma, a semicolon, a tab or a bar.'],
    },
    {
      what: 'layout=parent without its columns',
      text: 'A,B\nC,D\n',
      options: { layout: 'parent' },
      problems: ['Row 1: layout=parent needs a header with parent, and id or title.'],
    },
  ],
  'no known header': [
    {
      what: 'taken as levels',
      text: 'Polku;Kuvaus;Lähde\nA;;C\n',
      problems: [
        'No header was recognized; the columns were taken as levels, from the roots down. If that is wrong, name the columns by path, level1 to level4, title, id, parent, description or source, in a heading or by columns; or give header, headerRow or layout.',
        'Row 2 has a title on level 3, but none on level 2.',
      ],
    },
    {
      what: 'told that there is none',
      text: 'A,,C\n',
      options: { header: false },
      problems: ['Row 1 has a title on level 3, but none on level 2.'],
    },
  ],
  paths: [
    { what: 'no path', text: 'path,description\n/A,\n,lost\n', problems: ['Row 3 has no path.'] },
    { what: 'no title at the end', text: 'path\n/A/\n', problems: ['Row 2 has no title.'] },
    { what: 'no title in between', text: 'path\n/A//B\n', problems: ['Row 2: level 2 has no title.'] },
    { what: 'a slash alone', text: 'path\n/\n', problems: ['Row 2 has no title.'] },
    { what: 'no title between signs of a shop', text: 'path\nA >  > B\n', problems: ['Row 2: level 2 has no title.'] },
  ],
  levels: [
    {
      what: 'a gap',
      text: 'level1,level2,level3\nA,,C\n',
      problems: ['Row 2 has a title on level 3, but none on level 2.'],
    },
    {
      what: 'a first row that begins below the roots',
      text: 'level1,level2\n,B\n',
      problems: ['Row 2 begins on level 2, but the row above ends on level 0.'],
    },
    {
      what: 'a row two levels below the one above',
      text: 'level1,level2,level3\nA,,\n,,C\n',
      problems: ['Row 3 begins on level 3, but the row above ends on level 1.'],
    },
    { what: 'no title', text: 'level1,description\n,lost\n', problems: ['Row 2 has no title.'] },
  ],
  parents: [
    {
      what: 'one that is not there',
      text: 'id,title,parent_id\n1,A,\n2,B,9\n',
      problems: ['Row 3: the parent 9 is not in the file.'],
    },
    {
      what: 'a title where ids are wanted',
      text: 'id,title,parent_id\n1,A,\n2,B,A\n',
      problems: ['Row 3: the parent A is not in the file.'],
    },
    {
      what: 'a title that two rows have',
      text: 'title,parent\nA,\nA,\nB,A\n',
      problems: ['Row 4: the parent A may be any of rows 2, 3.'],
    },
    {
      what: 'the id of one and the title of another',
      text: 'id,title,parent\n1,2,\n2,B,\n3,C,2\n',
      problems: ['Row 4: the parent 2 may be any of rows 3, 2.'],
    },
    { what: 'one id twice', text: 'id,title,parent\n1,A,\n1,B,\n', problems: ['Rows 2, 3 have the same id 1.'] },
    { what: 'itself', text: 'id,title,parent_id\n1,A,1\n', problems: ['Row 2 is its own parent.'] },
    {
      what: 'a loop, with a row below it',
      text: 'id,title,parent_id\n1,A,\n2,B,3\n3,C,4\n4,D,2\n5,E,2\n',
      problems: ['Rows 3, 4, 5 are each below the next.'],
    },
    { what: 'no title', text: 'id,title,parent_id\n1,,\n', problems: ['Row 2 has no title.'] },
  ],
  'an indented list': [
    {
      what: 'that comes back to nowhere',
      text: 'A\n    B\n  C\n',
      problems: ['Row 3 is indented like no row above it.'],
    },
    {
      what: 'that comes back before its start',
      text: '  A\nB\n',
      problems: [takenAsList, 'Row 2 is indented like no row above it.'],
    },
    {
      what: 'by blanks and by tabs',
      text: 'A\n  B\n\t\t\tC\n',
      problems: [takenAsList, 'Row 3 is indented like no row above it.'],
    },
    {
      what: 'of two columns',
      text: 'A,B\n',
      options: { layout: 'indented', delimiter: ',' },
      problems: ['Row 1 has 2 columns; an indented list has one.'],
    },
  ],
}

for (const [group, members] of Object.entries(refusals)) {
  describe(group, () => {
    test.each(members)('$what', ({ text, options = {}, problems }) => {
      expect(readCsv(text, options)).toMatchObject({ problems })
    })
  })
}

test('5,000 rows below a header, and 50 columns, are read', () => {
  const text = `path${',x'.repeat(49)}\n${lines(5_000, (at) => `/A/${at}\n`)}`
  expect(readCsv(text, {})).toMatchObject({ value: { rows: 5_000 } })
})

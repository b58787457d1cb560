import { describe, expect, test } from 'vitest'
import { type CsvReadOptions, readCsv } from '../../../src/schema-files/csv/read.ts'
import { sketch } from '../../support/inputs/sketch.ts'

/** A table or list as people have it: what each column is taken for, and the schema. */
interface Given {
  readonly what: string
  readonly text: string
  readonly options?: CsvReadOptions
  /** Roles of the columns, from the first on. */
  readonly roles: string
  readonly schema: string
  readonly heading?: number
}

const uuid = (at: number) => `0000000${at}-1111-4222-8333-444455556666`

const tables: readonly Given[] = [
  {
    what: 'cells copied from Excel, with a heading of words for levels',
    text: 'Theme\tSubtheme\tTopic\tDescription\nNature\tWater\tRivers\tAll that flow\nNature\tWater\t5" pipes, wide\t\n',
    roles: 'level1 level2 level3 description',
    schema: 'Nature (Water (Rivers: All that flow, 5" pipes wide))',
    heading: 1,
  },
  {
    what: 'a heading of which one word is known',
    text: 'Hauptgruppe 1;Feinthema;Beschreibung\nA;B;b\nA;C;c\n',
    roles: 'level1 level2 description',
    schema: 'A (B: b, C: c)',
    heading: 1,
  },
  {
    what: 'one column under a heading',
    text: 'title\nWater\nSoil\n',
    roles: 'title',
    schema: 'Water, Soil',
    heading: 1,
  },
  {
    what: 'one column under a German one',
    text: 'Kategorie\nWasser\nBoden\n',
    roles: 'title',
    schema: 'Wasser, Boden',
    heading: 1,
  },
  {
    what: 'titles with descriptions, and columns of other things',
    text: 'Titel;Beschreibung;Verantwortlich;Stand\nWasser;nass;Amt 4;2024\nBoden;;Amt 5;2023\n',
    roles: 'title description ignore ignore',
    schema: 'Wasser: nass, Boden',
    heading: 1,
  },
  {
    what: 'owners and dates behind the description',
    text: 'Bereich;Thema;Beschreibung;Verantwortlich;Stand\nWasser;;nass;Amt 4;2024\nWasser;Fluss;;Amt 5;2023\n',
    roles: 'level1 level2 description ignore ignore',
    schema: 'Wasser: nass (Fluss)',
    heading: 1,
  },
  {
    what: 'a description before the levels',
    text: 'Beschreibung;Bereich;Thema\nnass;Wasser;\n;Wasser;Fluss\n',
    roles: 'description level1 level2',
    schema: 'Wasser: nass (Fluss)',
    heading: 1,
  },
  {
    what: 'a registry with its own names of columns',
    text: 'TAXON_ID,TAXON_NAME,PARENT_TAXON_FK\n7,Plants,\n9,Trees,7\n11,"Oaks, all",9\n',
    roles: 'id title parent',
    schema: 'Plants (Trees (Oaks all))',
    heading: 1,
  },
  {
    what: 'codes, titles and codes of parents',
    text: 'ANZSIC06_CODE;ANZSIC06_TITLE;PARENT_CODE\nA;Farming;\nA01;Crops;A\n',
    roles: 'id title parent',
    schema: 'Farming (Crops)',
    heading: 1,
  },
  {
    what: 'keywords below a line on their version, with identifiers in the last column',
    text: `"Version: 9.1","Revision: x"\nCategory,Topic,Term,UUID\nEARTH,AIR,,${uuid(1)}\nEARTH,SEA/ICE,,${uuid(2)}\nEARTH,SEA/ICE,"Snow, old",${uuid(3)}\n`,
    roles: 'level1 level2 level3 ignore',
    schema: 'EARTH (AIR, SEA∕ICE (Snow old))',
    heading: 2,
  },
  {
    what: 'levels and identifiers without a heading',
    text: `EARTH,AIR,${uuid(1)}\nEARTH,SEA,${uuid(2)}\nEARTH,LAND,${uuid(3)}\n`,
    roles: 'level1 level2 ignore',
    schema: 'EARTH (AIR, SEA, LAND)',
  },
  {
    what: 'names in several languages',
    text: 'id;parent;name_de;name_fr;name_en\n1;;Wasser;Eau;Water\n2;1;Fluss;Rivière;River\n',
    options: { languages: ['fr', 'en'] },
    roles: 'id parent ignore title ignore',
    schema: 'Eau (Rivière)',
    heading: 1,
  },
  {
    what: 'groups that are named once, below a group that is in each row',
    text: 'Theme,Subtheme,Topic\nA,B,C\nA,,D\nE,F,G\nE,,H\n',
    roles: 'level1 level2 level3',
    schema: 'A (B (C, D)), E (F (G, H))',
    heading: 1,
  },
  {
    what: 'a table that does not begin in the first column',
    text: '\tTheme\tTopic\n\tNature\tWater\n\tNature\tSoil\n',
    roles: 'ignore level1 level2',
    schema: 'Nature (Water, Soil)',
    heading: 1,
  },
  {
    what: 'cells that do not begin in the first column',
    text: '\tNature\tWater\n\tNature\tSoil\n',
    roles: 'ignore level1 level2',
    schema: 'Nature (Water, Soil)',
  },
  {
    what: 'rows that differ in a column that is not used',
    text: 'Theme,Topic,Owner\nA,B,x\nA,B,y\nA,C,x\n',
    options: { columns: [{ role: 'ignore', column: 'Owner' }] },
    roles: 'level1 level2 ignore',
    schema: 'A (B, C)',
    heading: 1,
  },
  {
    what: 'words with a star, and categories below in a cell, of which some have rows',
    text: 'Preferred Label*,Definition*,Narrower\nNature,all,Water; Soil\nSoil,earth,Clay\n',
    roles: 'title description narrower',
    schema: 'Nature: all (Water, Soil: earth (Clay))',
    heading: 1,
  },
  {
    what: 'a heading on each page',
    text: 'title,description\nWater,w\ntitle,description\nSoil,s\n',
    roles: 'title description',
    schema: 'Water: w, Soil: s',
    heading: 1,
  },
  {
    what: 'levels whose headings count',
    text: 'level 1,level 2,level 3\nA,B,\nA,B,C\n',
    roles: 'level1 level2 level3',
    schema: 'A (B (C))',
    heading: 1,
  },
]

const themed = (rows: readonly string[]) => rows.join('\n')

const shaped: readonly Given[] = [
  {
    what: 'a heading of unknown words over repeated values, below a title',
    text: themed(['Plan of the town', 'World;Field;Care', 'A;B;x', 'A;C;y', 'A;D;x', 'E;F;y', 'E;G;x', 'E;H;y']),
    roles: 'level1 level2 level3',
    schema: 'A (B (x), C (y), D (x)), E (F (y), G (x), H (y))',
    heading: 2,
  },
  {
    what: 'a heading of unknown words over figures',
    text: themed([
      'World;Field;Count',
      ...'ABCDEF'.split('').map((title, at) => `${title};${title}${title};1.${at % 2}`),
    ]),
    options: { columns: [{ role: 'ignore', column: '3' }] },
    roles: 'level1 level2 ignore',
    schema: 'A (AA), B (BB), C (CC), D (DD), E (EE), F (FF)',
    heading: 1,
  },
  {
    what: 'codes of countries, which are languages nowhere',
    text: themed(['DE;FR', 'IT;ES']),
    roles: 'level1 level2',
    schema: 'DE (FR), IT (ES)',
  },
  {
    what: 'a first group of one row, which is no heading',
    text: themed(['General;All', 'A;B', 'A;C', 'A;D', 'E;F', 'E;G', 'E;H']),
    roles: 'level1 level2',
    schema: 'General (All), A (B, C, D), E (F, G, H)',
  },
  ...[
    'Oberthema;Thema;Kurzbeschreibung;Pflege',
    'Rubrique;Sous-rubrique;Résumé;Contact',
    'Tema;Subtema;Descripción breve;Contacto',
    'Category;Subcategory;Short description;Owner',
    '大分類;中分類;概要;担当',
    'الفئة الرئيسية;الفئة الفرعية;وصف موجز;المسؤول',
  ].map((heading) => ({
    what: `words of ${heading}`,
    text: themed([heading, 'A;B;b;x', 'A;C;c;y']),
    roles: 'level1 level2 description ignore',
    schema: 'A (B: b, C: c)',
    heading: 1,
  })),
]

const inLanguages: readonly Given[] = [
  ['Level 1 EN;Level 1 DE;Level 2 EN;Level 2 DE', 'ignore level1 ignore level2'],
  ['Theme (EN);Thema (DE);Subtheme (EN);Unterthema (DE)', 'ignore level1 ignore level2'],
  ['Thema DE;Unterthema DE;Theme EN;Subtheme EN', 'level1 level2 ignore ignore'],
].map(([heading = '', roles = '']) => ({
  what: `levels in two languages below ${heading}`,
  text: `${heading}\nA;A;B;B\nA;A;C;C\n`,
  options: { languages: ['de'] },
  roles,
  schema: roles.startsWith('level1 level2') ? 'A (A)' : 'A (B, C)',
  heading: 1,
}))

const titlesInLanguages: readonly Given[] = [
  ['English;Deutsch;Français', 'Water;Wasser;Eau', 'ignore title ignore', 'Wasser'],
  ['Theme (EN);Thema (DE);Thème (FR)', 'Water;Wasser;Eau', 'ignore title ignore', 'Wasser'],
  ['EN;DE;FR', 'Water;Wasser;Eau', 'ignore title ignore', 'Wasser'],
  ['name:en;name:de;Description', 'Water;Wasser;wet', 'ignore title description', 'Wasser: wet'],
].map(([heading = '', row = '', roles = '', schema = '']) => ({
  what: `titles in languages below ${heading}`,
  text: `${heading}\n${row}\n`,
  options: { languages: ['de'] },
  roles,
  schema,
  heading: 1,
}))

const levelHeadings: readonly Given[] = [
  'Main category,Subcategory',
  'Amenity*,Subamenity*',
  'Bereich,Unterbereich',
  'Tier 1,Tier 2',
  'Theme,Sub',
].map((heading) => ({
  what: `levels below ${heading}`,
  text: `${heading}\nNature,Water\nNature,Soil\n`,
  roles: 'level1 level2',
  schema: 'Nature (Water, Soil)',
  heading: 1,
}))

const named: readonly Given[] = [
  {
    what: 'by headings, which say where the heading is',
    text: 'Offices of the town\nas of 2024\nArea;Kind;No\nTown;House;1\nTown;Shed;2\n',
    options: {
      columns: [
        { role: 'level1', column: 'area' },
        { role: 'level2', column: 'Kind' },
      ],
    },
    roles: 'level1 level2 ignore',
    schema: 'Town (House, Shed)',
    heading: 3,
  },
  {
    what: 'by numbers, of rows without a heading',
    text: '1,b,A\n2,c,B\n',
    options: {
      columns: [
        { role: 'title', column: '3' },
        { role: 'description', column: '2' },
      ],
    },
    roles: 'ignore description title',
    schema: 'A: b, B: c',
  },
  {
    what: 'by a number, where a heading wins over it',
    text: '2,x,level1\nA,B,C\n',
    options: { header: true, columns: [{ role: 'level1', column: '2' }] },
    roles: 'title ignore ignore',
    schema: 'A',
    heading: 1,
  },
  {
    what: 'by a number, where no heading is looked for',
    text: '2,1\nA,B\n',
    options: { columns: [{ role: 'level1', column: '1' }] },
    roles: 'title ignore',
    schema: '2, A',
  },
  {
    what: 'only those that are ignored',
    text: 'path,source\n/A,x\n',
    options: { columns: [{ role: 'ignore', column: 'source' }] },
    roles: 'path ignore',
    schema: 'A',
    heading: 1,
  },
  {
    what: 'by the row of the heading',
    text: 'Theme,Topic\nX,Y\nTheme,Topic\nA,B\n',
    options: { headerRow: 3 },
    roles: 'level1 level2',
    schema: 'A (B)',
    heading: 3,
  },
]

const lists: readonly Given[] = [
  {
    what: 'bullets',
    text: '- Water\n  - Rivers\n  - Lakes\n- Soil\n',
    roles: 'title',
    schema: 'Water (Rivers, Lakes), Soil',
  },
  {
    what: 'bullets of a word processor, a sign for each level',
    text: '•\tWater\no\tRivers\n▪\tStreams\n•\tSoil\n',
    roles: 'title',
    schema: 'Water (Rivers (Streams)), Soil',
  },
  {
    what: 'bullets below plain lines',
    text: 'Water\n  * Rivers\n  * Lakes\nSoil\n',
    roles: 'title',
    schema: 'Water (Rivers, Lakes), Soil',
  },
  {
    what: 'numbers',
    text: '1 Water\n1.1 Rivers\n1.1.1 Streams\n1.2 Lakes\n2. Soil\n',
    roles: 'title',
    schema: 'Water (Rivers (Streams), Lakes), Soil',
  },
  {
    what: 'numbers that do not follow are titles',
    text: '1984 novels\n2001 films\n',
    roles: 'title',
    schema: '1984 novels, 2001 films',
  },
  {
    what: 'bullets that are kept',
    text: '- A\n- B\n',
    options: { keepsMarkers: true },
    roles: 'title',
    schema: '- A, - B',
  },
  {
    what: 'commas in texts',
    text: 'Water, rivers and lakes\nSoil\nAir, climate\n',
    roles: 'title',
    schema: 'Water rivers and lakes, Soil, Air climate',
  },
  {
    what: 'blanks before lines with commas',
    text: 'Nature\n  Water, rivers\n  Soil\n',
    roles: 'title',
    schema: 'Nature (Water rivers, Soil)',
  },
  {
    what: 'paths without the first slash',
    text: 'Water\nWater/Rivers\nSoil\n',
    roles: 'path',
    schema: 'Water (Rivers), Soil',
  },
  {
    what: 'paths of one tree',
    text: 'Categories/Water\nCategories/Soil\n',
    roles: 'path',
    schema: 'Categories (Water, Soil)',
  },
  {
    what: 'a heading above lines that blanks indent',
    text: 'title\nWater\n  Rivers\n',
    roles: 'title',
    schema: 'Water (Rivers)',
  },
  {
    what: 'rows that are left out, such as a sum',
    text: 'Theme,Topic,Items\nA,B,3\nSum,,3\n',
    options: { ignoredRows: [3], columns: [{ role: 'ignore', column: 'Items' }] },
    roles: 'level1 level2 ignore',
    schema: 'A (B)',
    heading: 1,
  },
  {
    what: 'titles with slashes',
    text: 'Surface/Ground water\nSoil\n',
    roles: 'title',
    schema: 'Surface∕Ground water, Soil',
  },
]

describe.each([
  ['a table', [...tables, ...levelHeadings, ...inLanguages, ...titlesInLanguages, ...shaped]],
  ['columns that are named', named],
  ['a list', lists],
])('%s', (_group, members) => {
  test.each(members)('$what', ({ text, options = {}, roles, schema, heading }) => {
    const reading = readCsv(text, options)
    if ('problems' in reading) throw new Error(reading.problems.join(' '))
    const { table } = reading.value
    expect(table?.columns.map(({ role }) => role).join(' ')).toBe(roles)
    expect(sketch(reading.value.schema)).toBe(schema)
    expect(table?.headingRow).toBe(heading)
  })
})

test('what a menu above each column says is read as it is shown', () => {
  for (const { text, options = {} } of tables) {
    const first = readCsv(text, options)
    if ('problems' in first || !first.value.table) throw new Error('not read')
    const { columns, headingRow } = first.value.table
    const menus = columns.map(({ role }, at) => ({ role: role as 'ignore', column: String(at + 1) }))
    const chosen = { columns: menus, ...(headingRow === undefined ? { header: false } : { headerRow: headingRow }) }
    const second = readCsv(text, chosen)
    expect('value' in second && sketch(second.value.schema)).toBe(sketch(first.value.schema))
    expect('value' in second && second.value.table?.columns).toEqual(columns)
  }
})

test('rows that are wrong are marked, and sent wherever they stand; the last ones, as of totals, are sent too', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `A${at},B,C\n`).join('')
  const reading = readCsv(`level1,level2,level3\n${rows}A,,C\nB,,\nC,,\nTotal,,\n`, {})
  expect(reading).toMatchObject({
    problems: ['Row 62 has a title on level 3, but none on level 2.'],
    table: { marks: [{ row: 62, message: 'Row 62 has a title on level 3, but none on level 2.' }] },
  })
  const sent = 'table' in reading ? reading.table?.rows.map(({ row }) => row) : []
  expect(sent).toEqual([...Array.from({ length: 25 }, (_, at) => at + 1), 62, 63, 64, 65])
  const short = readCsv(`level1,level2,level3\n${'A,,B\n'.repeat(26)}`, {})
  expect('table' in short && short.table?.rows.length).toBe(27)
})

test('a heading that is not there is named, with those that are', () => {
  expect(readCsv('Area,Kind\nA,B\n', { columns: [{ role: 'level1', column: 'Theme' }] })).toMatchObject({
    problems: ['columns: no column is called Theme. Row 1 has: Area, Kind.'],
  })
  expect(readCsv('A,B\n', { columns: [{ role: 'level1', column: '7' }] })).toMatchObject({
    problems: ['columns: there is no column 7; the table has 2.'],
  })
  expect(readCsv('A,B\n', { headerRow: 4 })).toMatchObject({
    problems: ['headerRow: row 4 is empty, or not in the file.'],
  })
})

import { expect, test } from 'vitest'
import { withBeginning } from '../../../pages/src/content/state.ts'
import { groupFailures, keyOf, readList, writeRows } from '../../../pages/src/tables/list.ts'
import { findingNamed, withEnglish } from '../../../pages/src/tables/names.ts'
import { readSheet } from '../../../src/item-sheets/read-sheet.ts'
import { readTable } from '../../../src/schema-files/csv/table.ts'

const columns = {
  username: { name: 'Username', words: 'username benutzername', isRequired: true },
  fullName: { name: 'Name', words: 'vorname nachname name', isMany: true },
  groups: { name: 'Groups', words: 'gruppe', isMany: true, separator: /[;,]/ },
}
const rows = [
  ['Mitarbeiter', '', '2026'],
  ['Vorname', 'Nachname', 'Benutzername', 'Gruppe', 'Eintritt'],
  ['Anna', 'Amsel', 'anna', 'Rivers, Lakes', '1.2.2020'],
  ['Bert', '', 'bert', 'Riverz'],
  ['Summe', '', '2'],
].map((cells, at) => ({ row: at + 1, cells }))

test('a list is read by the words of its heading, wherever that is; values that were meant otherwise are replaced', () => {
  const replaced = new Map([
    [keyOf('groups', 'Riverz'), 'Rivers'],
    [keyOf('groups', 'Lakes', 4), 'Seas'],
  ])
  const read = readList(rows, columns, { ignoreRows: [5] }, replaced)
  expect(read.headingRow).toBe(2)
  expect(read.columns.map(({ role }) => role)).toEqual(['fullName', 'fullName', 'username', 'groups', 'ignore'])
  expect(read.rows).toEqual([
    { row: 3, values: { fullName: ['Anna', 'Amsel'], username: ['anna'], groups: ['Rivers', 'Lakes'] } },
    { row: 4, values: { fullName: ['Bert'], username: ['bert'], groups: ['Rivers'] } },
  ])
  const foreign = [['Kirje', 'Luku'], ...Array.from({ length: 6 }, (_, at) => [`anna${at}`, `${at}`])]
  const shaped = foreign.map((cells, at) => ({ row: at + 1, cells }))
  expect(readList(shaped, columns, {}, new Map())).toMatchObject({ headingRow: 1, missing: ['username'] })
  expect(readList(rows, columns, { header: false }, new Map())).toMatchObject({ missing: ['username'] })
  const chosen = readList(rows, columns, { headerRow: 2, columns: { username: [1], ignore: [2, 3, 4, 5] } }, new Map())
  expect(chosen.rows[0]).toEqual({ row: 3, values: { username: ['Anna'] } })
})

test('the same failure is one line with its rows, the most frequent first', () => {
  const wrong = (row: number, value: string) => ({ row, role: 'groups', value, problem: `no ${value}` })
  const failures = groupFailures([wrong(3, 'a'), wrong(4, 'b'), wrong(5, 'b'), wrong(5, 'b')])
  expect(failures.map(({ problem, rows: at }) => [problem, at])).toEqual([
    ['no b', [4, 5]],
    ['no a', [3]],
  ])
})

test('rows that are sent keep their numbers, and their texts', () => {
  const listed = [
    { row: 3, values: { id: ['x'], categories: ['/A, "b"', '/C'] } },
    { row: 5, values: { id: ['y'], modified: ['2026-11-29'], categories: ['/=D'] } },
  ]
  const table = readTable(writeRows(listed, ['id', 'modified', 'categories']), { delimiter: ',', trim: true })
  if ('problems' in table) throw new Error(table.problems.join())
  const named = ['id', 'modified', 'categories'].map((role, at) => ({ role, column: String(at + 1) }))
  expect(readSheet({ format: 'csv', rows: table.value }, { header: false, columns: named })).toMatchObject({
    value: {
      rows: [
        { row: 3, itemId: 'x', paths: ['/A, "b"', '/C'] },
        { row: 5, itemId: 'y', paths: ['/=D'], modified: [expect.anything()] },
      ],
    },
  })
})

test('a name is found in any case, and the one that was probably meant is proposed', () => {
  const roles = [
    ['org_user', 'Benutzer'],
    ['org_admin', 'Administrator'],
  ] as const
  const find = findingNamed(roles)
  expect(find(' benutzer ')).toEqual({ id: 'org_user' })
  expect(find('ORG_ADMIN')).toEqual({ id: 'org_admin' })
  expect([find('Benuzter'), find('Admin')]).toEqual([{ meant: 'Benutzer' }, { meant: 'Administrator' }])
  expect(find('Chef')).toEqual({})
  expect(findingNamed(withEnglish([['org_publisher', 'Autorin']]))('Publisher')).toEqual({ id: 'org_publisher' })
})

test('the last word of a search is a beginning, unless it is marked otherwise', () => {
  const searches = ['hydr', 'tram dep', 'Müllabfuhr-Kal', '"tram dep', 'a OR', 'tags:wat', '-road', 'wat*', '"a" b', '']
  expect(searches.map(withBeginning)).toEqual([
    ...['hydr*', 'tram dep*', 'Müllabfuhr-Kal*', '"tram dep', 'a OR', 'tags:wat', '-road', 'wat*', '"a" b*', ''],
  ])
})

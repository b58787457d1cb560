import { expect, test } from 'vitest'
import { defaultsOf, field, type PropertiesOf, pickFields, type RecordOf, type RowOf } from '../../../src/record.ts'
import { mapper } from '../../../src/storage/stores/mapper.ts'

const sheetFields = { edition: field.number(), isColoured: field.flag(), soldUntil: field.time().optional() }

const mapFields = {
  mapId: field.id(),
  title: field.text(250).given(),
  access: field.choice(['private', 'public']).or('private'),
  isProtected: field.flag().or(true),
  tags: field.texts(10, 20).or([]),
  logo: field.text().optional(),
  extent: field.json<{ readonly x: number }>().optional().or(undefined),
  createdAt: field.time(),
}

type MapRow = RowOf<typeof mapFields> & RowOf<typeof sheetFields, 'sheet_'>
type MapRecord = RecordOf<typeof mapFields>

const maps = mapper(mapFields)
const sheets = mapper(sheetFields, 'sheet_')

const aMap = {
  mapId: 'a',
  title: 'Roads',
  access: 'public',
  isProtected: true,
  tags: ['a', 'b'],
  createdAt: 1,
} as const
const aRow = {
  map_id: 'a',
  title: 'Roads',
  access: 'public',
  is_protected: 1,
  tags: '["a","b"]',
  created_at: 1,
} as const

test.each<[RowOf<typeof mapFields>, MapRecord]>([
  [
    { ...aRow, logo: null, extent: null },
    { ...aMap, logo: undefined, extent: undefined },
  ],
  [
    { ...aRow, is_protected: 0, tags: '[]', logo: '', extent: '{"x":0}' },
    { ...aMap, isProtected: false, tags: [], logo: '', extent: { x: 0 } },
  ],
])('a row is a record, and the record is that row', (row, record) => {
  expect(maps.toRecord(row)).toStrictEqual(record)
  expect(maps.toRow(record)).toStrictEqual(row)
})

test('two mappers share a row, each with columns of its own', () => {
  const row: MapRow = {
    ...{ ...aRow, logo: null, extent: null },
    ...{ sheet_edition: 2, sheet_is_coloured: 0, sheet_sold_until: null },
  }
  expect(sheets.columns).toEqual(['sheet_edition', 'sheet_is_coloured', 'sheet_sold_until'])
  expect(sheets.toRecord(row)).toStrictEqual({ edition: 2, isColoured: false, soldUntil: undefined })
  expect({ ...maps.toRow(maps.toRecord(row)), ...sheets.toRow(sheets.toRecord(row)) }).toStrictEqual(row)
})

test('records do not share what a mapper makes', () => {
  const row = { ...aRow, logo: null, extent: null }
  expect(maps.toRecord(row)).not.toBe(maps.toRecord(row))
  expect(maps.toRow(maps.toRecord(row))).not.toBe(maps.toRow(maps.toRecord(row)))
})

test('members that callers may set have defaults, and others have none', () => {
  expect(defaultsOf(mapFields)).toStrictEqual({ access: 'private', isProtected: true, tags: [], extent: undefined })
  const given: PropertiesOf<typeof mapFields> = { title: '', ...defaultsOf(mapFields) }
  // @ts-expect-error Set by the server.
  expect(given.mapId).toBeUndefined()
})

test('fields that are picked keep their columns', () => {
  expect(mapper(pickFields(mapFields, ['isProtected', 'mapId'])).columns).toEqual(['is_protected', 'map_id'])
})

test('what does not fit a description does not compile', () => {
  const record = maps.toRecord({ ...aRow, logo: null, extent: null })
  // @ts-expect-error A missing column.
  expect(() => maps.toRecord({ ...aRow, logo: null })).toThrow()
  // @ts-expect-error A column of another type.
  maps.toRecord({ ...aRow, logo: null, extent: null, is_protected: true })
  // @ts-expect-error Null is not undefined.
  maps.toRow({ ...record, logo: null })
  // @ts-expect-error None of the choices.
  maps.toRow({ ...record, access: 'org' })
  // @ts-expect-error A default has the type of the field.
  field.choice(['a']).or('b')
  // @ts-expect-error A field with a default is not made optional: that would lose it.
  expect(() => field.text().or('').optional()).toThrow()
})

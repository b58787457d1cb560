import { expect, test } from 'vitest'
import { boolean, decode, json, optional } from '../../../src/storage/stores/decode.ts'

interface MapRow {
  map_id: string
  is_public: number
  tags: string
  logo: string | null
  x: number
  y: number
}

interface MapOfTest {
  readonly mapId: string
  readonly isPublic: boolean
  readonly tags: readonly string[]
  readonly logo: string | undefined
  readonly center: Center
}

interface Center {
  readonly x: number
  readonly y: number
}

const description = {
  mapId: 'map_id',
  isPublic: boolean('is_public'),
  tags: json('tags'),
  logo: optional('logo'),
  center: decode<Pick<MapRow, 'x' | 'y'>, Center>()({ x: 'x', y: 'y' }),
} as const

const maps = decode<MapRow, MapOfTest>()(description)

test.each([
  [
    { map_id: 'a', is_public: 1, tags: '["roads"]', logo: null, x: 0, y: 1 },
    { mapId: 'a', isPublic: true, tags: ['roads'], logo: undefined, center: { x: 0, y: 1 } },
  ],
  [
    { map_id: '', is_public: 0, tags: '[]', logo: '', x: 2, y: 0 },
    { mapId: '', isPublic: false, tags: [], logo: '', center: { x: 2, y: 0 } },
  ],
])('a row is a value, and the value is that row', (row, value) => {
  expect(maps.toValue(row)).toStrictEqual(value)
  expect(maps.toRow(value)).toStrictEqual(row)
})

test('columns and members that are not described are left out', () => {
  const centers = decode<Pick<MapRow, 'x' | 'y'>, Center>()({ x: 'x', y: 'y' })
  const wider = { x: 0, y: 1, z: 2 }
  expect(centers.toValue(wider)).toStrictEqual({ x: 0, y: 1 })
  expect(centers.toRow(wider)).toStrictEqual({ x: 0, y: 1 })
})

test('a description that is wrong does not compile', () => {
  // @ts-expect-error No such column.
  decode<MapRow, MapOfTest>()({ ...description, mapId: 'id' })
  // @ts-expect-error A column of another type.
  decode<MapRow, MapOfTest>()({ ...description, mapId: 'x' })
  // @ts-expect-error A number is no boolean.
  decode<MapRow, MapOfTest>()({ ...description, isPublic: 'is_public' })
  // @ts-expect-error A text is no boolean.
  decode<MapRow, MapOfTest>()({ ...description, isPublic: boolean('tags') })
  // @ts-expect-error A text is no list.
  decode<MapRow, MapOfTest>()({ ...description, tags: 'tags' })
  // @ts-expect-error Null is not undefined.
  decode<MapRow, MapOfTest>()({ ...description, logo: 'logo' })
  // @ts-expect-error A column without nulls.
  decode<MapRow, MapOfTest>()({ ...description, logo: optional('tags') })
  // @ts-expect-error A member is missing.
  decode<MapRow, MapOfTest & { readonly zoom: number }>()(description)
  // @ts-expect-error A member that the value does not have.
  decode<MapRow, MapOfTest>()({ ...description, zoom: 'x' })
  // @ts-expect-error A column is missing.
  decode<MapRow & { zoom: number }, MapOfTest>()(description)
})

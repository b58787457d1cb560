import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RoomOperation } from '../../src/http/endpoints/endpoint.ts'
import { nameOf } from '../../src/operations/execute.ts'

const rooms = new URL('../../src/', import.meta.url)
const files = globSync('{categories,collaborations,directory,tokens}/{,*-}operations.ts', { cwd: rooms }).toSorted()

type AnyOperation = RoomOperation<never, unknown>

describe('the name of an operation', () => {
  test('is looked for in every room', () => {
    expect(files.length).toBeGreaterThan(10)
  })

  test.each(files)('finds each of %s', async (file) => {
    const room = (await import(new URL(file, rooms).href)) as Record<string, unknown>
    const operations = Object.values(room).filter((value) => typeof value === 'function') as AnyOperation[]
    expect(operations.map(nameOf)).toEqual(operations.map(({ name }) => name))
    expect(operations).not.toHaveLength(0)
  })

  test('is refused of what another thread would not find, or would find another one for', () => {
    expect(() => nameOf(async () => undefined)).toThrow('in none of the rooms')
    expect(() => nameOf(async function createGroup() {})).toThrow('The operation createGroup is in none of the rooms')
  })
})

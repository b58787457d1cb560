import { describe, expect, test } from 'vitest'
import { excerptOf } from '../../../src/http/pages/excerpt.ts'
import { parseExactly } from '../../../src/json-text.ts'

const many = <Entry>(count: number, entry: Entry): readonly Entry[] => Array.from({ length: count }, () => entry)

describe('a value of usual size is shown whole', () => {
  const category = { title: 'x'.repeat(100), description: 'y'.repeat(300) }
  test.each([
    ['a word', 'word'],
    ['nothing', null],
    [
      'a hundred entries of thirty members',
      many(100, Object.fromEntries(many(30, 0).map((_, at) => [`member${at}`, at]))),
    ],
    ['a schema of the longest texts', { categorySchema: many(5, { ...category, categories: many(39, category) }) }],
    ['a file of the handshake', { invitationString: 'x'.repeat(65_536) }],
    ['members named like those of every object', JSON.parse('{"__proto__":{"a":1},"constructor":2}')],
  ])('%s', (_what, value) => {
    const { value: shown, isCut } = excerptOf(value)
    expect(JSON.stringify(shown)).toBe(JSON.stringify(value))
    expect(isCut).toBe(false)
  })

  test('a number that JavaScript cannot hold', () => {
    const { value, isCut } = excerptOf(parseExactly('[12345678901234567891]'))
    expect([JSON.stringify(value), isCut]).toEqual(['[12345678901234567891]', false])
  })
})

describe('of a larger one, the first part', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 0 : many(100, nested(depth - 1)))
  test.each<[string, unknown]>([
    ['a long list', many(1_000_000, 0)],
    ['a list of long texts', many(1_000, 'x'.repeat(10_000))],
    ['lists in lists', nested(3)],
    ['an object of many members', Object.fromEntries(many(100_000, 0).map((_, at) => [`m${at}`, at]))],
    ['objects in objects', { list: many(200, { a: { b: { c: { d: many(100, { e: 1 }) } } } }) }],
    ['a long text', 'x'.repeat(1_000_000)],
  ])('%s', (_what, value) => {
    const { value: shown, isCut } = excerptOf(value)
    expect(isCut).toBe(true)
    expect(JSON.stringify(shown).length).toBeLessThan(200_000)
  })

  test('a text ends in an ellipsis', () => {
    expect(excerptOf({ text: '🗺'.repeat(50_000) }).value).toEqual({ text: `${'🗺'.repeat(32_768)}…` })
  })

  test('the entries that are shown have all their members, names and ids, for the links that are made of them', () => {
    const entry = { id: 'a'.repeat(32), owner: { username: 'anna' }, description: 'x'.repeat(50_000), title: 'Map' }
    const { value } = excerptOf({ total: 9, results: many(9, entry) })
    const { results } = value as { results: (typeof entry)[] }
    expect(results.length).toBe(3)
    for (const { id, owner, title } of results)
      expect({ id, owner, title }).toEqual({ id: entry.id, owner: entry.owner, title: 'Map' })
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasDuplicateMember, hasMoreValues } from '../../src/json-text.ts'
import { hasTwins, readJson } from '../support/inputs/json-members.ts'

describe('a repeated member is found', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"a":1 , "a" \n\t\r : 2}',
    '{"":1,"":2}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"\\u0061":2}',
    '{"\\"":1,"\\u0022":2}',
    '{"\\\\":1,"\\u005c":2}',
    '{"/":1,"\\/":2}',
    '{"\\ud83d\\uddfa":1,"🗺":2}',
    '{"\\ud800":1,"\\ud800":2}',
    '{"__proto__":1,"__proto__":2}',
    '[[{"a":{"b":[1,{"c":1,"c":2}]}}]]',
    '{"a":{"a":1},"a":2}',
    '{"a":[],"a":{}}',
    '{"a":"}","a":1}',
    '{"a":"\\\\","a":1}',
    '{"a":"\\\\\\"","a":1}',
  ])('%s', (text) => {
    JSON.parse(text)
    expect(hasDuplicateMember(text)).toBe(true)
  })
})

describe('no repeated member is found', () => {
  test.each([
    '1',
    '"a"',
    '[]',
    '{}',
    '{"a":1,"A":2}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":[{"a":1},"a","a",{"a":1}],"b":"a","c":"a"}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":"\\\\","b":"\\\\\\\\"}',
    '{"a":"\\"","b":"a\\":"}',
    '{"\u00e9":1,"e\u0301":2}',
    '{"toString":1,"valueOf":2,"__proto__":3}',
    '["a" ,"a"]',
  ])('%s', (text) => {
    JSON.parse(text)
    expect(hasDuplicateMember(text)).toBe(false)
  })
})

/** JSON text with few names, some of them written in several ways, so that repetitions are likely. */
const jsonText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('1', 'null', '"a"', '"\\\\"', '"\\":"', '"a\\\\\\""', '"{"', '"]"', '""'),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(' ,')}]`),
    tie('object'),
  ),
  object: fc
    .array(
      fc.tuple(fc.constantFrom('a', '\\u0061', 'b', '\\\\', '\\u005C', '\\"', '', '__proto__', 'b:'), tie('value')),
      {
        maxLength: 4,
      },
    )
    .map((members) => `{${members.map(([name, value]) => `"${name}" :${value}`).join(', ')}}`),
})).value

test('any JSON text has a repeated member exactly if a plain reader of JSON finds one', () => {
  let repetitions = 0
  fc.assert(
    fc.property(jsonText, (text) => {
      const value = readJson(text)
      if (!value) throw new Error('The generator wrote no JSON.')
      JSON.parse(text)
      const expected = hasTwins(value)
      if (expected) repetitions += 1
      expect(hasDuplicateMember(text)).toBe(expected)
    }),
    { numRuns: 3000, seed: 19115 },
  )
  expect(repetitions).toBeGreaterThan(100)
})

function countValues(value: unknown): number {
  const parts = typeof value === 'object' && value !== null ? Object.values(value) : []
  return parts.reduce<number>((sum, part) => sum + countValues(part), 1)
}

describe('whether a text has more values than a number', () => {
  test('is so for any JSON that has no empty lists and objects', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('\\",[{'),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
    )
    const { value: json } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('object')),
      list: fc.array(tie('value'), { minLength: 1 }),
      object: fc.dictionary(fc.string(), tie('value'), { minKeys: 1 }),
    }))
    fc.assert(
      fc.property(json, fc.nat({ max: 4 }), (value, indent) => {
        const text = JSON.stringify([value], null, indent)
        const count = countValues(JSON.parse(text))
        expect([hasMoreValues(text, count - 1), hasMoreValues(text, count)]).toEqual([true, false])
      }),
    )
  })

  test.each(['"', '"\\\\', '["a', '"\\\\"', '[[[', ',,,,', ''])('is answered for %j, which is not JSON', (text) => {
    expect(hasMoreValues(text, 100)).toBe(false)
    expect(hasMoreValues(`${'['.repeat(300)}${text}`, 100)).toBe(true)
  })
})

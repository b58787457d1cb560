import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasDuplicateMember } from '../../src/json-text.ts'
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

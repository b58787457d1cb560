import { describe, expect, test } from 'vitest'
import { isolate, showControls } from '../../../pages/src/texts/bidi.ts'

describe('characters that reorder what is around them', () => {
  test.each([
    ['Öffentlich\u202etxt.exe', 'Öffentlich[U+202E]txt.exe', 'an override'],
    ['a\u202ab\u202bc\u202cd\u202de', 'a[U+202A]b[U+202B]c[U+202C]d[U+202D]e', 'embeddings'],
    ['a\u2069b\u2067c', 'a[U+2069]b[U+2067]c', 'isolates that end or begin outside'],
    ['a\u2066b', 'a[U+2066]b', 'an isolate that is not closed'],
    ['a\u2067\u2068b\u2069\u2069c', 'a\u2067\u2068b\u2069\u2069c', 'closed isolates, which have no effect outside'],
    ['מפות \u200fwater', 'מפות \u200fwater', 'marks, which have none either'],
  ])('%j is seen as %j: %s', (text, shown) => {
    expect(showControls(text)).toBe(shown)
  })
})

describe('a value within a message', () => {
  test.each([
    ['Maps', 'ltr', 'Maps'],
    ['مياه', 'ltr', '\u2068مياه\u2069'],
    ['Maps', 'rtl', '\u2068Maps\u2069'],
    ['a\u2069b\u202e', 'rtl', '\u2068a[U+2069]b[U+202E]\u2069'],
  ] as const)('%j where one reads %s is %j', (value, direction, isolated) => {
    expect(isolate(value, direction)).toBe(isolated)
  })
})

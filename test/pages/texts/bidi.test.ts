import { describe, expect, test } from 'vitest'
import { isolate, joinTrail, listControls, showControls } from '../../../pages/src/texts/bidi.ts'

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

describe('characters that are not seen', () => {
  test.each([
    ['Wa\u200bter', 'Wa[U+200B]ter', 'a blank without a width'],
    ['Water\ufeff', 'Water[U+FEFF]', 'a byte order mark'],
    ['Wa\u00adter', 'Wa[U+00AD]ter', 'a hyphen that is not there'],
    ['\u200dWa\u200cter', '[U+200D]Wa[U+200C]ter', 'joiners where nothing is joined'],
    ['\u3164', '[U+3164]', 'a filler alone'],
    [' \u200e\u200d\ufe0f ', ' [U+200E][U+200D][U+FE0F] ', 'a text of which nothing is seen'],
    ['Water\u{e0041}', 'Water[U+E0041]', 'a tag'],
    ['می\u200cخواهم', 'می\u200cخواهم', 'a joiner of Arabic letters, which belongs to the word'],
    ['क्\u200dष', 'क्\u200dष', 'one of Indic letters'],
    ['👩\u200d🔬 ❤\ufe0f', '👩\u200d🔬 ❤\ufe0f', 'what belongs to an emoji'],
    [
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e007f}',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e007f}',
      'the tags of a flag',
    ],
    ['\n  ', '\n  ', 'white space alone'],
    ['', '', 'nothing'],
  ])('%j is seen as %j: %s', (text, shown) => {
    expect(showControls(text)).toBe(shown)
    expect(listControls(text)).toEqual([...new Set([...shown.matchAll(/\[(U\+[0-9A-F]+)\]/g)].map(([, name]) => name))])
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

describe('a path', () => {
  test.each([
    [['Europe', 'Baltic Sea'], 'ltr', 'Europe › Baltic Sea'],
    [['Europe', 'المنطقة'], 'ltr', '\u2066Europe › \u2068المنطقة\u2069\u2069'],
    [['Europe', 'المنطقة'], 'rtl', '\u2067\u2068Europe\u2069 › \u2068المنطقة\u2069\u2069'],
    [[], 'rtl', ''],
  ] as const)('%j where one reads %s is %j, in the direction of the page', (titles, direction, trail) => {
    expect(joinTrail(titles, direction)).toBe(trail)
    expect(showControls(trail)).toBe(trail)
  })
})

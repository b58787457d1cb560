import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery, type Query } from '../../../src/search/query.ts'
import { type Bound, type Language, type Piece, tokensOf } from '../../../src/search/tokens.ts'
import { countOf } from '../../support/length.ts'
import { printQuery, withoutPlaces } from '../../support/search/print-query.ts'

const seed = 2019
const numRuns = countOf({ sample: 200, system: 500, long: 20_000 })

const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
  fc.constantFrom(
    'AND',
    'and',
    'OR',
    'NOT',
    'TO',
    'to',
    '-a',
    '+',
    '*',
    '?',
    'title:x',
    'a b',
    '"',
    '\\',
    '(',
    'https://a',
  ),
)
const wildcard = fc.constantFrom<Piece>({ wildcard: '*' }, { wildcard: '?' })

/** Text is never beside text, nor a star beside a star, as parsed. */
const pieces = fc.array(fc.oneof(text, wildcard), { minLength: 1, maxLength: 4 }).filter((list) =>
  list.every((piece, at) => {
    const next = list[at + 1]
    if (typeof piece === 'string') return typeof next !== 'string'
    return !(piece.wildcard === '*' && typeof next === 'object' && next.wildcard === '*')
  }),
)
const isStar = ([piece, ...rest]: readonly Piece[]) =>
  rest.length === 0 && typeof piece === 'object' && piece.wildcard === '*'

const bound = fc.option(fc.record<Bound>({ text: fc.string({ unit: 'binary' }), isInclusive: fc.boolean() }), {
  nil: undefined,
})
const field = fc.option(fc.constantFrom('title', 'a.b_1', 'owner'), { nil: undefined })

const atom: fc.Arbitrary<Query> = fc
  .oneof(
    fc.record({ kind: fc.constant('term' as const), pieces }),
    fc.record({ kind: fc.constant('phrase' as const), text: fc.string({ unit: 'binary' }) }),
    fc.record({ kind: fc.constant('range' as const), min: bound, max: bound }),
  )
  .chain((one) => field.map((named) => ({ ...one, field: named, at: 0 })))
  .filter((one) => one.kind !== 'term' || one.field !== undefined || !isStar(one.pieces))

const tree = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.constant<Query>({ kind: 'everything' }),
    tie('query').map((of): Query => ({ kind: 'not', of })),
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('query'), { minLength: 2, maxLength: 4, depthIdentifier: 'tree' }),
      )
      .map(([kind, of]): Query => ({ kind, of })),
  ),
})).query

test.each(['q', 'filter'] as const)('a printed tree is parsed as the same tree: %s', (language) => {
  let deep = 0
  fc.assert(
    fc.property(tree, (query) => {
      const printed = printQuery(query)
      if (query.kind === 'and' || query.kind === 'or') deep += 1
      expect(parse(printed, language), printed).toEqual({ query })
    }),
    { seed, numRuns },
  )
  expect(deep).toBeGreaterThan(numRuns / 10)
})

function parse(given: string, language: Language) {
  const result = parseQuery(given, language)
  return 'query' in result ? { query: withoutPlaces(result.query) } : result
}

describe('any text is parsed or refused, and the refusal names the place or the limit', () => {
  const signs = fc.constantFrom(
    ...'"():*?\\-+!^[]{},',
    ' ',
    'a',
    'é',
    '\u200b',
    '\u202e',
    'AND ',
    'OR ',
    'NOT ',
    'and ',
    ' TO ',
    'title:',
    'https://',
    '^2',
    '&&',
  )

  test.each([
    ['signs', fc.string({ unit: signs, maxLength: 60 })],
    ['any characters', fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme-ascii', maxLength: 40 }))],
  ])('%s', (_, given) => {
    const seen = { parsed: 0, refused: 0 }
    fc.assert(
      fc.property(given, fc.constantFrom('q', 'filter'), (query, language) => {
        seen[isAnswered(query, language) ? 'parsed' : 'refused'] += 1
      }),
      { seed, numRuns },
    )
    expect(Math.min(seen.parsed, seen.refused)).toBeGreaterThan(numRuns / 50)
  })

  test.each(['q', 'filter'] as const)('texts that break programs: %s', (language) => {
    expect(naughtyStrings.length).toBeGreaterThan(400)
    for (const naughty of naughtyStrings) {
      isAnswered(naughty, language)
      isAnswered(`"${naughty.replace(/["\\]/g, '\\$&')}"`, language)
    }
  })
})

/** Whether it is parsed, and else it is refused in a sentence. */
function isAnswered(given: string, language: Language): boolean {
  const result = parseQuery(given, language)
  if ('query' in result) return true
  expect(result.problem).toMatch(/at character \d+ [^\n]*\.$|at most \d+ are allowed\.$|more than \d+ terms\.$/)
  expect(result.problem.length).toBeLessThan(200)
  const [, place = '1'] = /at character (\d+)/.exec(result.problem) ?? []
  expect(Number(place)).toBeLessThanOrEqual(given.length)
  return false
}

/** A text that counts how often a character of it is looked at. */
class WatchedText {
  readonly text: string
  looks = 0

  constructor(text: string) {
    this.text = text
  }

  get length(): number {
    return this.text.length
  }

  charAt(at: number): string {
    this.looks += 1
    return this.text.charAt(at)
  }

  slice(from: number, to: number): string {
    this.looks += Math.max(0, to - from)
    return this.text.slice(from, to)
  }
}

const length = 10_240
const max = (unit: string) => unit.repeat(Math.floor(length / unit.length))

test.each([
  ['open brackets', max('(')],
  ['closed brackets', max('()')],
  ['brackets that are not opened', max(')')],
  ['a word', max('a')],
  ['hyphens', max('-')],
  ['prefixes', max('-a ')],
  ['quotation marks', max('"')],
  ['quotation marks that are escaped', max('\\"')],
  ['a phrase that is not closed', `"${max('\\a').slice(2)}`],
  ['stars', max('*')],
  ['stars and letters', max('*a')],
  ['question marks', max('?')],
  ['colons', max(':')],
  ['fields', max('a:')],
  ['addresses', max('a://')],
  ['ranges', max('[* TO *]')],
  ['ranges that are not closed', max('[1 TO ')],
  ['open ranges', max('[')],
  ['boosts', max('a^1')],
  ['a long boost', `a^${max('1').slice(2)}`],
  ['operators', max('AND ')],
  ['lower operators', max('and ')],
  ['commas', max(',')],
  ['blanks and a letter', `${max(' ').slice(1)}a`],
  ['backslashes', max('\\')],
  ['a regular expression', max('(a+)+$')],
  ['zero-width characters', max('\u200b')],
  ['directions', max('\u202ea\u202c')],
])('10 KB of %s are read with few looks at each character', (_, given) => {
  for (const language of ['q', 'filter'] as const) {
    const watched = new WatchedText(given)
    const found = tokensOf(watched as unknown as string, language)
    expect(watched.looks).toBeLessThan(20 * length)
    // Every token but the last has a character of its own.
    if ('tokens' in found) expect(found.tokens.length).toBeLessThanOrEqual(given.length)
    isAnswered(given, language)
  }
})

import { describe, expect, test } from 'vitest'
import { parseQuery, type Query } from '../../../src/search/query.ts'
import type { Language } from '../../../src/search/tokens.ts'
import { withoutPlaces } from '../../support/search/print-query.ts'

/** A short form of trees, to read them: `and(a, title:"b c")`. */
function outline(query: Query): string {
  switch (query.kind) {
    case 'everything':
      return '*'
    case 'and':
    case 'or':
      return `${query.kind}(${query.of.map(outline).join(', ')})`
    case 'not':
      return `not(${outline(query.of)})`
  }
  const field = query.field === undefined ? '' : `${query.field}:`
  if (query.kind === 'phrase') return `${field}"${query.text}"`
  if (query.kind === 'term') {
    return field + query.pieces.map((piece) => (typeof piece === 'string' ? piece : `<${piece.wildcard}>`)).join('')
  }
  const { min, max } = query
  return `${field}${min?.isInclusive === false ? '{' : '['}${min?.text ?? '<*>'}..${max?.text ?? '<*>'}${
    max?.isInclusive === false ? '}' : ']'
  }`
}

function parsed(text: string, language: Language = 'q'): string {
  const result = parseQuery(text, language)
  return 'query' in result ? outline(withoutPlaces(result.query)) : result.problem
}

test.each([
  ['', '*'],
  [' \t, ,\u3000', '*'],
  ['*', '*'],
  ['***', '*'],
  ['*:*', '*'],
  ['* AND *', 'and(*, *)'],
  ['-*:*', 'not(*)'],
  ['lakes', 'lakes'],
  ['lakes rivers,"land use"', 'and(lakes, rivers, "land use")'],
  ['a AND b && c', 'and(a, b, c)'],
  ['a OR b || c', 'or(a, b, c)'],
  ['a b OR c d', 'or(and(a, b), and(c, d))'],
  ['a AND(b OR c)', 'and(a, or(b, c))'],
  ['(a)(b)"c"d', 'and(a, b, "c", d)'],
  ['((a b) c)', 'and(and(a, b), c)'],
  ['NOT a', 'not(a)'],
  ['a NOT b', 'and(a, not(b))'],
  ['a AND NOT b', 'and(a, not(b))'],
  ['a OR -b', 'or(a, not(b))'],
  ['-a !b +c', 'and(not(a), not(b), c)'],
  ['-(a b) -"c d" -title:e', 'and(not(and(a, b)), not("c d"), not(title:e))'],
  ['--a', 'not(-a)'],
  ['NOT -a', 'not(-a)'],
  ['+-a', '-a'],
  ['- a', 'and(-, a)'],
  ['a-b a+b a!', 'and(a-b, a+b, a!)'],
  ['"x"-a', 'and("x", not(a))'],
  ['a&&b a|b', 'and(a&&b, a|b)'],
  ['or not to', 'and(or, not, to)'],
  ['TO', 'TO'],
  ['rock and roll', 'and(rock, roll)'],
  ['and', 'and'],
  ['rock and', 'and(rock, and)'],
  ['rock and and roll', 'and(rock, and, roll)'],
  ['a and OR b', 'or(and(a, and), b)'],
  ['(a and) b', 'and(and(a, and), b)'],
  ['a and (b)', 'and(a, b)'],
  ['title:and', 'title:and'],
  ['title:rock and title:roll', 'and(title:rock, title:roll)'],
  ['TITLE:Land', 'title:Land'],
  ['title: land', 'title:land'],
  ['title:"land use"', 'title:"land use"'],
  ['title:AND', 'title:AND'],
  ['owner:-anna tags:+x', 'and(owner:-anna, tags:+x)'],
  ['id:(a OR b)', 'or(id:a, id:b)'],
  ['id:(a OR (b title:c) -d)', 'or(id:a, and(and(id:b, title:c), not(id:d)))'],
  ['id: i1 AND group: g1', 'and(id:i1, group:g1)'],
  ['title:a "b c"', 'and(title:a, "b c")'],
  ['a.b_c:x', 'a.b_c:x'],
  ['"Demo App"^3 (a b)^0.5 c^2', 'and("Demo App", and(a, b), c)'],
  ['lake* l?ke *ke', 'and(lake<*>, l<?>ke, <*>ke)'],
  ['l**e', 'l<*>e'],
  ['title:*', 'title:<*>'],
  ['title:(*)', '*'],
  ['a\\*b \\"c \\-d e\\ f title\\:x', 'and(a*b, "c, -d, e f, title:x)'],
  ['title:,a', 'title:a'],
  ['a -', 'and(a, -)'],
  ['\\AND', 'AND'],
  ['a\\', 'a\\'],
  ['"a \\"b\\" \\\\"', '"a "b" \\"'],
  ['""', '""'],
  ["'a b'", "and('a, b')"],
  ['https://example.com/a?b=c', 'https://example.com/a<?>b=c'],
  ['created:[1 TO 2]', 'created:[1..2]'],
  ['created: [ 1 TO 2 ]', 'created:[1..2]'],
  ['created:{1 TO 2]', 'created:{1..2]'],
  ['created:["1 a" TO "2 b"}', 'created:[1 a..2 b}'],
  ['created:[* TO *]', 'created:[<*>..<*>]'],
  ['created:[-5 TO -1]', 'created:[-5..-1]'],
  ['[1 TO 2]', '[1..2]'],
  ['created:([1 TO 2] OR 5)', 'or(created:[1..2], created:5)'],
  ['/Categories/Water', '/Categories/Water'],
  ['slug|a-b', 'slug|a-b'],
  ['50% a_b ~ 🗺 Straße', 'and(50%, a_b, ~, 🗺, Straße)'],
  ['(title:"x" AND owner:y) OR (title:z)', 'or(and(title:"x", owner:y), title:z)'],
  [
    'lakes AND  (type:"web map" NOT type:"web mapping application") accountid:Qz3',
    'and(lakes, and(type:"web map", not(type:"web mapping application")), accountid:Qz3)',
  ],
  [
    '((categories:"/C/W" OR categories:"/C/X")) AND (-type:"Code Attachment")',
    'and(or(categories:"/C/W", categories:"/C/X"), not(type:"Code Attachment"))',
  ],
])('%j', (text, expected) => {
  expect(parsed(text)).toBe(expected)
})

test.each([
  ['title:"a" OR title:"b" and created: [1 TO 2]', 'or(title:"a", and(title:"b", created:[1..2]))'],
  ['title:a Or Not title:b', 'or(title:a, not(title:b))'],
  ['title:and', 'title:and'],
  ['title:(rock and roll)', 'and(title:rock, title:roll)'],
  ['created:[1 to 2]', 'created:[1..2]'],
  ['*', '*'],
])('as a filter: %j', (text, expected) => {
  expect(parsed(text, 'filter')).toBe(expected)
})

describe('what is refused, with its place', () => {
  test.each([
    ['a "b', 'the quotation mark at character 3 is not closed.'],
    ['"a\\"', 'the quotation mark at character 1 is not closed.'],
    ['a (b', 'the bracket at character 3 is not closed.'],
    ['a (', 'the bracket at character 3 is not closed.'],
    ['a) b', 'the bracket at character 2 closes nothing.'],
    [')', 'the bracket at character 1 closes nothing.'],
    ['a ()', 'the bracket at character 3 has nothing in it.'],
    ['(a OR)', 'OR at character 4 is followed by nothing.'],
    ['OR', 'OR at character 1 stands where a term is needed.'],
    ['a OR', 'OR at character 3 is followed by nothing.'],
    ['a AND OR b', 'OR at character 7 stands where a term is needed.'],
    ['AND a', 'AND at character 1 stands where a term is needed.'],
    ['NOT', 'NOT at character 1 is followed by nothing.'],
    ['NOT NOT a', 'NOT at character 5 stands where a term is needed.'],
    ['title:', 'title at character 1 has no value.'],
    ['title: AND b', 'title at character 1 has no value.'],
    ['title:owner:a', 'title at character 1 has no value.'],
    ['(title:)', 'title at character 2 has no value.'],
    ['12:30', 'the colon at character 3 follows no field; put text with colons in quotation marks.'],
    ['a :b', 'the colon at character 3 follows no field; put text with colons in quotation marks.'],
    ['größe:x', 'the colon at character 6 follows no field; put text with colons in quotation marks.'],
    ['a]', '] at character 2 closes no range.'],
    ['a}', '} at character 2 closes no range.'],
    ['created:[1 TO 2', 'the range at character 9 is not of the form [least TO most].'],
    ['created:[1 2]', 'the range at character 9 is not of the form [least TO most].'],
    ['created:[1 to 2]', 'the range at character 9 is not of the form [least TO most].'],
    ['created:[1 TO 2*]', 'the range at character 9 is not of the form [least TO most].'],
    ['created:[ TO 2]', 'the range at character 9 is not of the form [least TO most].'],
    ['[', 'the range at character 1 is not of the form [least TO most].'],
    ['a^', '^ at character 2 is not followed by a number.'],
    ['a^b', '^ at character 2 is not followed by a number.'],
    ['^2', '^ at character 1 follows nothing.'],
    ['a^2^3', '^ at character 4 follows nothing.'],
    ['\\title:a', 'the colon at character 7 follows no field; put text with colons in quotation marks.'],
  ])('%j', (text, problem) => {
    expect(parsed(text)).toBe(problem)
  })

  test.each([
    ['bytes', 'é'.repeat(5_121), 'has 10242 bytes; at most 10240 are allowed.'],
    ['terms', 'a '.repeat(1_025), 'has more than 1024 terms.'],
    ['brackets', `${'('.repeat(33)}a${')'.repeat(33)}`, 'the bracket at character 33 is deeper than 32 brackets.'],
  ])('too many %s', (_, text, problem) => {
    expect(parsed(text)).toBe(problem)
  })

  test.each([
    ['bytes', 'é'.repeat(5_120)],
    ['terms', 'a '.repeat(1_024)],
    ['brackets', `${'('.repeat(32)}a${')'.repeat(32)}`],
  ])('not yet too many %s', (_, text) => {
    expect('query' in parseQuery(text, 'q')).toBe(true)
  })
})

import { describe, expect, test } from 'vitest'
import type { Parsed } from '../../../src/call/parsed.ts'
import { type GroupSearch, parseGroupQuery } from '../../../src/directory/group-search.ts'
import { parseUserQuery, type UserSearch, withoutDetailsOfOthers } from '../../../src/directory/users/user-search.ts'
import type { Condition, SearchFields } from '../../../src/search/condition.ts'
import { allOf, anyOf, negationOf } from '../../../src/search/condition.ts'

const all: Condition<never> = { kind: 'all' }
const none: Condition<never> = { kind: 'none' }

function words(field: string | readonly string[], ...given: string[]): Condition {
  const isPrefix = given.at(-1)!.endsWith('*')
  return { kind: 'words', fields: [field].flat(), words: given.map((word) => word.replace('*', '')), isPrefix }
}

const key = (field: string, value: string): Condition => ({ kind: 'key', field, value, isPrefix: false })
const beginning = (field: string, value: string): Condition => ({ kind: 'key', field, value, isPrefix: true })
const range = (field: string, min: number, max: number): Condition => ({ kind: 'range', field, min, max })
const not = (of: Condition) => negationOf<SearchFields>(of)
const { MIN_SAFE_INTEGER: min, MAX_SAFE_INTEGER: max } = Number

const texts = ['title', 'tags', 'snippet', 'description', 'owner']
const id = 'a1'.repeat(16)

describe('a search for groups', () => {
  test.each<[string, Condition]>([
    ['', all],
    ['* AND owner:x', key('owner', 'x')],
    ['-*', none],
    ['Lakes', words(texts, 'lakes')],
    ['"Land-Use"', words(texts, 'land', 'use')],
    ['Land-Us*', words(texts, 'land', 'us*')],
    ['land-*', words(texts, 'land')],
    ['re\u0301*', words(texts, 're*')],
    ['-- a', words(texts, 'a')],
    ['"--" OR a', words(texts, 'a')],
    ['NOT "--" a', words(texts, 'a')],
    ['("--" "..") OR a', words(texts, 'a')],
    ['"--"', all],
    [id.toUpperCase(), anyOf<SearchFields>([words(texts, id), key('id', id)])],
    [`"${id}"`, words(texts, id)],
    ['title:Land', words('title', 'land')],
    ['tag', words(texts, 'tag')],
    ['tags:"Land use"', words('tags', 'land', 'use')],
    ['title:*', beginning('title', '')],
    ['-snippet:*', not(beginning('snippet', ''))],
    ['title:""', all],
    ['title:---', all],
    [`id:(${id} OR b)`, anyOf<SearchFields>([key('id', id), key('id', 'b')])],
    ['orgid:AbC', key('orgid', 'abc')],
    ['accountid: AbC', key('orgid', 'abc')],
    ['accountid:""', not(beginning('orgid', ''))],
    ['owner:An?a', { kind: 'pattern', field: 'owner', pattern: 'an?a' }],
    ['owner:*na*', { kind: 'pattern', field: 'owner', pattern: '*na*' }],
    ['owner:An*', beginning('owner', 'an')],
    ['owner:??', { kind: 'pattern', field: 'owner', pattern: '??' }],
    ['owner:a\\*b', key('owner', 'a*b')],
    [
      'owner:{A TO b]',
      {
        kind: 'between',
        field: 'owner',
        min: { value: 'a', isInclusive: false },
        max: { value: 'b', isInclusive: true },
      },
    ],
    ['owner:[* TO b]', { kind: 'between', field: 'owner', min: undefined, max: { value: 'b', isInclusive: true } }],
    ['owner:[* TO *]', beginning('owner', '')],
    ['created:[1 TO 2]', range('created', 1, 2)],
    ['created:{1 TO 2}', none],
    ['created:{1 TO 3}', range('created', 2, 2)],
    ['created:[1.5 TO 2.5]', range('created', 2, 2)],
    ['created:{1.5 TO 2.5}', range('created', 2, 2)],
    ['modified:[0000000000005 TO *]', range('modified', 5, max)],
    ['modified:[* TO -5]', range('modified', min, -5)],
    [`modified:[* TO ${'9'.repeat(90)}]`, range('modified', min, max)],
    [`modified:[${'9'.repeat(90)} TO *]`, none],
    ['created:5', range('created', 5, 5)],
    ['created:"5"', range('created', 5, 5)],
    ['created:1.5', none],
    ['created:*', range('created', min, max)],
    ['isinvitationonly:True', key('isinvitationonly', 'true')],
    ['isopendata:false a', words(texts, 'a')],
    ['isopendata:true', none],
    ['-isopendata:true', all],
    ['phone:"+49 1"', key('phone', '+49 1')],
    ['capabilities:""', not(beginning('capabilities', ''))],
    ['-typekeywords:x', all],
    ['(-access:a OR -access:b)', allOf<SearchFields>([not(key('access', 'a')), not(key('access', 'b'))])],
    [
      '(-access:a OR (-access:b OR NOT access:c))',
      allOf<SearchFields>(['a', 'b', 'c'].map((value) => not(key('access', value)))),
    ],
    ['(-access:a OR "--" OR -access:b)', allOf<SearchFields>([not(key('access', 'a')), not(key('access', 'b'))])],
    ['access:a OR NOT access:b', anyOf<SearchFields>([key('access', 'a'), not(key('access', 'b'))])],
    [
      '(title:"x" AND owner:y) OR title:z',
      anyOf<SearchFields>([allOf<SearchFields>([words('title', 'x'), key('owner', 'y')]), words('title', 'z')]),
    ],
  ])('%j', (q, expected) => {
    const parsed: Parsed<GroupSearch['condition']> = parseGroupQuery({ q, filter: undefined })
    expect(parsed).toEqual({ value: expected })
  })

  test.each<[string, Condition]>([
    ['title:"Land-Use"', key('title', 'land-use')],
    ['title:Lan*', beginning('title', 'lan')],
    ['snippet:""', not(beginning('snippet', ''))],
    ['tags:"a b" or tags:c', anyOf<SearchFields>([key('tags', 'a b'), key('tags', 'c')])],
    ['owner:a?b', { kind: 'pattern', field: 'owner', pattern: 'a?b' }],
    ['*', all],
  ])('with the filter %j', (filter, expected) => {
    expect(parseGroupQuery({ q: '', filter })).toEqual({ value: expected })
  })

  test('q and filter hold both', () => {
    expect(parseGroupQuery({ q: 'a', filter: 'access:org' })).toEqual({
      value: allOf<SearchFields>([words(texts, 'a'), key('access', 'org')]),
    })
  })

  const wordByWord = 'is compared word by word: give whole words, or the beginning of a word and *.'
  const fields = expect.stringMatching(/^q: fields are id, title, /)

  test.each<[string, readonly unknown[]]>([
    ['a b*c', [`q: the term at character 3 ${wordByWord}`]],
    ['l?ke', [`q: the term at character 1 ${wordByWord}`]],
    ['lake?', [`q: the term at character 1 ${wordByWord}`]],
    ['title:*s', [`q: title at character 1 ${wordByWord}`]],
    ['title:[a TO b]', ['q: title at character 1 has no ranges.']],
    ['[a TO b]', ['q: the term at character 1 has no ranges.']],
    ['access:[a TO b]', ['q: access at character 1 has no ranges.']],
    ['id:a*', ['q: id at character 1 has no wildcards: give the whole value, in quotation marks if it has a * or ?.']],
    ['owner:a\\*?', ['q: owner at character 1 has a * or ? that is text beside one that is a wildcard.']],
    ['owner:＊?', ['q: owner at character 1 has a * or ? that is text beside one that is a wildcard.']],
    ['created:yesterday', ['q: created at character 1 has numbers; give one, or a range of two.']],
    ['created:[1 TO b]', ['q: created at character 1 has numbers; give one, or a range of two.']],
    ['created:1*', ['q: created at character 1 has numbers; give one, or a range of two.']],
    ['password:x', ['q: the field password at character 1 is not searched.', fields]],
    ['constructor:x', ['q: the field constructor at character 1 is not searched.', fields]],
    [
      'tostring:x OR a*b',
      ['q: the field tostring at character 1 is not searched.', `q: the term at character 15 ${wordByWord}`, fields],
    ],
    ['a id:(b title:[c TO d])', ['q: title at character 9 has no ranges.']],
    ['(', ['q: the bracket at character 1 is not closed.']],
  ])('%j is refused', (q, problems) => {
    expect(parseGroupQuery({ q, filter: undefined })).toEqual({ problems })
  })

  test('every mistake of q and filter is reported, ten of each with their places', () => {
    expect(parseGroupQuery({ q: 'a*b', filter: 'a title:a?b' })).toEqual({
      problems: [
        `q: the term at character 1 ${wordByWord}`,
        'filter: a at character 1 has no field; give field:value.',
        'filter: title at character 3 has wildcards at the end of a value only.',
      ],
    })
    const quoted = (value: string) => `a value with blanks needs quotation marks: ${value}.`
    for (const [filter, ...found] of [
      ['typeKeywords:Service Proxy', `Proxy at character 22 has no field; ${quoted('typeKeywords:"Service Proxy"')}`],
      [
        'title:"a b" AND tags:land use  plan OR (owner:x)',
        `use at character 27 has no field; ${quoted('tags:"land use  plan"')}`,
        `plan at character 32 has no field; ${quoted('tags:"land use  plan"')}`,
      ],
      ['tags:a AND b', 'b at character 12 has no field; give field:value.'],
      ['tags:land use owner:x', `use at character 11 has no field; ${quoted('tags:"land use"')}`],
      ['"land use"', '"land use" at character 1 has no field; give field:value.'],
    ]) {
      const given = parseGroupQuery({ q: undefined, filter })
      const problems = 'problems' in given ? given.problems.filter((problem) => problem.includes('has no field')) : []
      expect(problems).toEqual(found.map((sentence) => `filter: ${sentence}`))
    }
    const many = parseGroupQuery({ q: 'x:y '.repeat(1_000), filter: undefined })
    expect('problems' in many && many.problems).toHaveLength(12)
    expect('problems' in many && many.problems[10]).toBe('q: 990 more mistakes.')
  })
})

describe('a search for users', () => {
  test.each<[string, Condition]>([
    ['anna', words(['username', 'fullname'], 'anna')],
    [
      'fullname:"Anna Atlas" -disabled:true',
      allOf<SearchFields>([words('fullname', 'anna', 'atlas'), not(key('disabled', 'true'))]),
    ],
    ['username:ann* accountid:X', allOf<SearchFields>([beginning('username', 'ann'), key('orgid', 'x')])],
    ['role:org_admin', key('role', 'org_admin')],
    ['email:a@b.example', key('email', 'a@b.example')],
    ['lastlogin:[1 TO 2] provider:arcgis', none],
  ])('%j', (q, expected) => {
    expect(parseUserQuery({ q, filter: undefined })).toEqual({ value: expected })
  })

  test('the e-mail address of others matches nothing for who may not see it', () => {
    const address = key('email', 'a@b.example') as UserSearch['condition']
    const own = key('id', 'u1') as UserSearch['condition']
    expect(withoutDetailsOfOthers(address, 'u1')).toEqual(allOf([own, address]))
    expect(withoutDetailsOfOthers(anyOf([negationOf(address), own]), 'u1')).toEqual(
      anyOf([negationOf(allOf([own, address])), own]),
    )
  })
})

test('fields of one noun are not those of another', () => {
  expect(parseUserQuery({ q: 'isviewonly:true', filter: undefined })).toHaveProperty('problems')
  expect(parseGroupQuery({ q: 'username:a', filter: undefined })).toHaveProperty('problems')
})

import { describe, expect, test } from 'vitest'
import { readRequestParameters } from '../../../src/http/decoding/request-parameters.ts'
import { pageParameters } from '../../../src/http/endpoints/page-parameters.ts'
import {
  judgedJson,
  onlyGiven,
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalList,
  optionalName,
  optionalText,
  type Parameter,
  requiredJson,
  requiredName,
  requiredText,
} from '../../../src/http/endpoints/parameter-types.ts'
import { readValues } from '../../../src/http/endpoints/parameter-values.ts'

/** Reads a form for an operation with these parameters. */
async function readForm(parameters: Readonly<Record<string, Parameter<unknown>>>, form: string) {
  const body = Buffer.from(form, 'latin1')
  return readValues(
    parameters,
    await readRequestParameters({ query: '', contentType: undefined, body, bareBody: undefined }),
  )
}

/** The value of `a`, or the sentences that say what is wrong. */
async function readA(parameter: Parameter<unknown>, form: string): Promise<unknown> {
  const parsed = await readForm({ a: parameter }, form)
  return 'problems' in parsed ? parsed.problems : parsed.value['a']
}

describe('text', () => {
  const few = { maxLength: 5 }
  test.each([
    ['is taken as it is', optionalText('', few), 'a=+x+', ' x '],
    ['may be as long as its limit', optionalText('', few), 'a=12345', '12345'],
    ['is not one longer', optionalText('', few), 'a=123456', ['a: has 6 characters; at most 5 are allowed.']],
    [
      'is counted in UTF-16 code units',
      optionalText('', few),
      'a=%F0%9F%8C%8D%F0%9F%8C%8D%F0%9F%8C%8D',
      ['a: has 6 characters; at most 5 are allowed.'],
    ],
    ['may have tabs and lines', optionalText(''), 'a=1%09%0D%0A2', '1\t\r\n2'],
    ['has no NUL', optionalText(''), 'a=%00', ['a: has a control character.']],
    ['has no escape character', optionalText(''), 'a=%1B', ['a: has a control character.']],
    ['has no DEL', optionalText(''), 'a=%7F', ['a: has a control character.']],
    ['is refused where it is not UTF-8', optionalText(''), 'a=%FF', ['a: the bytes are not UTF-8.']],
    ['may be empty where it is optional', optionalText(''), 'a=', ''],
    ['may be absent where it is optional', optionalText(''), '', undefined],
    ['is not absent where it is required', requiredText(''), '', ['a: give a value.']],
    ['is not blank where it is required', requiredText(''), 'a=+%09', ['a: give a value.']],
    [
      'is limited where it is required',
      requiredText('', few),
      'a=123456',
      ['a: has 6 characters; at most 5 are allowed.'],
    ],
    ['that is secret has any character', optionalText('', { isSecret: true }), 'a=%00%7F', '\0\x7f'],
    ['that is repeated is refused', optionalText(''), 'a=1&A=1&a=1', ['a: given 3 times; give it once.']],
  ])('%s', async (_sentence, parameter, form, outcome) => {
    expect(await readA(parameter, form)).toEqual(outcome)
  })

  test.each([
    ['has no tab', optionalName('', few), 'a=1%09', ['a: has a control character.']],
    ['has no line end', requiredName('', few), 'a=1%0A', ['a: has a control character.']],
    ['has no control character beyond ASCII', requiredName('', few), 'a=1%C2%85', ['a: has a control character.']],
    ['has no NUL', optionalName('', few), 'a=%00', ['a: has a control character.']],
    ['is limited', optionalName('', few), 'a=123456', ['a: has 6 characters; at most 5 are allowed.']],
    ['that shows nothing is empty', optionalName('', few), 'a=%E2%80%8B+%09', ''],
    ['that shows nothing is none where it is required', requiredName('', few), 'a=%E2%80%8B', ['a: give a value.']],
    ['may be absent where it is optional', optionalName('', few), '', undefined],
    ['is taken as it is', requiredName('', few), 'a=+%C3%BC+', ' ü '],
  ])('as a name %s', async (_sentence, parameter, form, outcome) => {
    expect(await readA(parameter, form)).toEqual(outcome)
  })

  test('is never repeated by what is said against it', async () => {
    expect(JSON.stringify(await readA(optionalText('', few), 'a=my secret'))).not.toContain('secret')
  })
})

describe('an integer', () => {
  const oneToTen = optionalInteger('', { minimum: 1, maximum: 10 })
  const capped = optionalInteger('', { minimum: 1, cap: 10 })
  test.each([
    ['is read', oneToTen, 'a=7', 7],
    ['may have spaces around it', oneToTen, 'a=+7+', 7],
    ['may have zeros before it', oneToTen, 'a=007', 7],
    ['may be its least', oneToTen, 'a=1', 1],
    ['may be its most', oneToTen, 'a=10', 10],
    ['is not less', oneToTen, 'a=0', ['a: has to be from 1 to 10.']],
    ['is not more', oneToTen, 'a=11', ['a: has to be from 1 to 10.']],
    ['is not negative', oneToTen, 'a=-1', ['a: has to be from 1 to 10.']],
    ['may wish more than its cap and gets the cap', capped, 'a=11', 10],
    ['may wish far more than its cap', capped, 'a=99999999999999999999999', 10],
    ['is not less than the least where there is no most', capped, 'a=0', ['a: has to be 1 or more.']],
    ['may be the largest that is exact', optionalInteger('', { minimum: 1 }), 'a=9007199254740991', 2 ** 53 - 1],
    [
      'is not one that would be rounded',
      optionalInteger('', { minimum: 1 }),
      'a=9007199254740993',
      ['a: has to be at most 9007199254740991.'],
    ],
    ['has no fraction', oneToTen, 'a=1.5', ['a: is not a whole number.']],
    ['has no exponent', oneToTen, 'a=1e1', ['a: is not a whole number.']],
    ['is not hexadecimal', oneToTen, 'a=0x5', ['a: is not a whole number.']],
    ['is not a word', oneToTen, 'a=Infinity', ['a: is not a whole number.']],
    ['has no other digits', oneToTen, 'a=%D9%A3', ['a: is not a whole number.']],
    ['that is empty is absent', oneToTen, 'a=', undefined],
    ['that is absent is absent', oneToTen, '', undefined],
  ])('%s', async (_sentence, parameter, form, outcome) => {
    expect(await readA(parameter, form)).toEqual(outcome)
  })
})

describe('a boolean', () => {
  test.each([
    ['a=true', true],
    ['a=TRUE', true],
    ['a=false', false],
    ['a=+False+', false],
    ['a=', undefined],
    ['', undefined],
    ['a=1', ['a: has to be true or false.']],
    ['a=yes', ['a: has to be true or false.']],
  ])('%s', async (form, outcome) => {
    expect(await readA(optionalBoolean(''), form)).toEqual(outcome)
  })
})

describe('a choice', () => {
  const access = optionalChoice('', ['private', 'sendAndReceive'])
  test.each([
    ['a=private', 'private'],
    ['a=SENDANDRECEIVE', 'sendAndReceive'],
    ['a=', undefined],
    ['', undefined],
    ['a=secret', ['a: has to be one of private, sendAndReceive.']],
  ])('%s', async (form, outcome) => {
    expect(await readA(access, form)).toEqual(outcome)
  })
})

describe('a list', () => {
  const tags = optionalList('', { max: 2, maxLength: 3 })
  test.each([
    ['a=x,y', ['x', 'y']],
    ['a=+x+,,+y+,', ['x', 'y']],
    ['a=x,x,x', ['x']],
    ['a=', []],
    ['', undefined],
    ['a=x,y,z', { problem: 'a: has 3 entries; at most 2 are allowed.' }],
    ['a=xxxx', { problem: 'a: an entry has 4 characters; at most 3 are allowed.' }],
    ['a=x%00', { problem: 'a: an entry has a control character.' }],
  ])('%s', async (form, outcome) => {
    const read = await readA(tags, form)
    expect(read).toEqual(outcome && 'problem' in outcome ? [outcome.problem] : outcome)
  })
})

describe('JSON', () => {
  const size = requiredJson('', (value) =>
    Array.isArray(value) ? { value: value.length } : { problems: ['has no list.', 'That is all.'] },
  )
  test.each([
    ['becomes what its function makes of it', 'a=[1,2]', 2],
    ['is told what its function says', 'a={}', ['a: has no list. That is all.']],
    ['is refused where it is none', 'a=[1', ['a: is not JSON.']],
    ['is refused where it is absent', '', ['a: give a value.']],
    ['is refused where it is blank', 'a=+', ['a: give a value.']],
    ['is refused where it is not UTF-8', 'a=["%FF"]', ['a: the bytes are not UTF-8.']],
  ])('%s', async (_sentence, form, outcome) => {
    expect(await readA(size, form)).toEqual(outcome)
  })

  test('that a room judges comes as it is, or says why there is none', async () => {
    expect(await readA(judgedJson(''), 'a=+{}+')).toEqual({ text: ' {} ' })
    expect(await readA(judgedJson(''), 'a="%FF"')).toEqual({ problem: 'the bytes are not UTF-8.' })
    expect(await readA(judgedJson(''), '')).toEqual({ problem: 'give a value.' })
    expect(await readA(judgedJson(''), 'a={}&a={}')).toEqual(['a: given 2 times; give it once.'])
  })
})

describe('a page', () => {
  test.each([
    ['', { start: 1, num: 10 }],
    ['start=&num=', { start: 1, num: 10 }],
    ['start=0&num=20', { start: 1, num: 20 }],
    ['start=%2000', { start: 1, num: 10 }],
    ['start=11&num=20', { start: 11, num: 20 }],
    ['num=100', { start: 1, num: 100 }],
    ['num=101', { start: 1, num: 100 }],
    ['num=0', { start: 1, num: 0 }],
  ])('%s', async (form, value) => {
    expect(await readForm(pageParameters, form)).toEqual({ value })
  })

  test.each(['start=-1', 'start=x', 'num=-1', 'num=ten', 'start=1&start=2'])('%s is refused', async (form) => {
    const parsed = await readForm(pageParameters, form)
    expect('problems' in parsed && parsed.problems).toHaveLength(1)
  })
})

test('everything that is wrong is reported together, in the order of the description', async () => {
  const described = { name: requiredText(''), num: optionalInteger('', { minimum: 0 }), access: optionalText('') }
  expect(await readForm(described, 'access=%FF&num=x')).toEqual({
    problems: ['name: give a value.', 'num: is not a whole number.', 'access: the bytes are not UTF-8.'],
  })
})

test('parameters that are not described are ignored, even where they are repeated or malformed', async () => {
  expect(await readForm({ a: optionalText('') }, 'a=1&b=2&b=3&c=%FF')).toEqual({ value: { a: '1' } })
})

test('what was not given is left out of a change', () => {
  expect(onlyGiven({ title: 'Maps', snippet: undefined, tags: [], description: '' })).toEqual({
    title: 'Maps',
    tags: [],
    description: '',
  })
})

import { getHeapSpaceStatistics } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { maxFields } from '../../../src/http/decoding/form.ts'
import { maxParts } from '../../../src/http/decoding/multipart.ts'
import {
  type ParameterSource,
  type RequestParameters,
  readRequestParameters,
} from '../../../src/http/decoding/request-parameters.ts'

const form = 'application/x-www-form-urlencoded'
const schema = '{"categorySchema":[{"title":"Region"}]}'

interface Sent extends Partial<Omit<ParameterSource, 'body'>> {
  /** Text of Latin-1 characters, one for each byte. */
  readonly body?: string
}

function read({ query = '', contentType = form, body, bareBody }: Sent): Promise<RequestParameters> {
  return readRequestParameters({
    query,
    contentType,
    body: body === undefined ? undefined : Buffer.from(body, 'latin1'),
    bareBody,
  })
}

/** A multipart body of parts as `name: value`. */
function multipart(...parts: readonly (readonly [head: string, value: string])[]): Sent {
  const body = parts.map(([head, value]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`)
  return { contentType: 'multipart/form-data; boundary=b', body: `${body.join('')}--b--\r\n` }
}

describe('parameters', () => {
  test('come from the query and from the body', async () => {
    const params = await read({ query: 'a=1', body: 'b=2' })
    expect(params.find('a')).toEqual({ text: '1' })
    expect(params.find('b')).toEqual({ text: '2' })
    expect(params.find('c')).toBeUndefined()
    expect(params.problems).toEqual([])
  })

  test('of the body win over those of the query', async () => {
    expect((await read({ query: 'a=query', body: 'a=body' })).find('a')).toEqual({ text: 'body' })
    const repeated = await read({ query: 'a=1&a=2', body: 'a=body' })
    expect(repeated.find('a')).toEqual({ text: 'body' })
  })

  test('are found whatever the case of their names, in every source', async () => {
    const params = await read({
      query: 'START=1',
      ...multipart(['name="Num"', '2'], ['name="FILE"; filename="f"', '3']),
    })
    expect(params.find('start')).toEqual({ text: '1' })
    expect(params.find('nUM')).toEqual({ text: '2' })
    expect(params.findFile('file')?.toString()).toBe('3')
    expect((await read({ query: 'a=query', body: 'A=body' })).find('a')).toEqual({ text: 'body' })
  })

  test('that are repeated within one source are given with each value', async () => {
    expect((await read({ query: 'a=1&A=1' })).find('a')).toEqual({ texts: ['1', '1'] })
    expect((await read({ body: 'a=1&a=2&a=3' })).find('a')).toEqual({ texts: ['1', '2', '3'] })
    expect((await read(multipart(['name="a"', '1'], ['name="a"', '2']))).find('a')).toEqual({ texts: ['1', '2'] })
  })

  test('whose bytes are not UTF-8 are reported as such, and not repaired', async () => {
    expect((await read({ query: 'a=%ff' })).find('a')).toEqual({ malformed: true })
    expect((await read({ body: 'a=caf\xe9' })).find('a')).toEqual({ malformed: true })
    expect((await read(multipart(['name="a"', 'caf\xe9']))).find('a')).toEqual({ malformed: true })
    for (const query of ['a=1&a=%ff&a=2', 'a=%ff&a=1']) {
      expect((await read({ query })).find('a')).toEqual({ malformed: true })
    }
  })

  test('named like members of every object are parameters like any other', async () => {
    const params = await read({ query: '__proto__=1&constructor=2' })
    expect(params.find('__proto__')).toEqual({ text: '1' })
    expect(params.find('constructor')).toEqual({ text: '2' })
    expect((await read({})).find('toString')).toBeUndefined()
  })

  test('are up to a thousand in each source, and a thousand and one are reported', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=`).join('&')
    const tooMany = ['The request has more than 1000 parameters.']
    expect((await read({ query: many(maxFields), body: many(maxFields) })).problems).toEqual([])
    expect((await read({ query: many(maxFields + 1) })).problems).toEqual(tooMany)
    expect((await read({ body: many(maxFields + 1) })).problems).toEqual(tooMany)
  })

  test('that are empty count too, and nothing behind the last one is read', async () => {
    const tooMany = ['The request has more than 1000 parameters.']
    expect((await read({ body: `${'&'.repeat(maxFields - 1)}a=1` })).find('a')).toEqual({ text: '1' })
    const cut = await read({ body: `${'&'.repeat(maxFields)}a=1` })
    expect([cut.problems, cut.find('a')]).toEqual([tooMany, undefined])
    const unnamed = await read({ body: `${'%ff=&'.repeat(maxFields)}a=1` })
    expect([unnamed.problems, unnamed.find('a')]).toEqual([tooMany, undefined])
  })

  test('are up to a hundred parts of a multipart body, and nothing behind the last one is parsed', async () => {
    const parts = (count: number) =>
      multipart(...Array.from({ length: count }, (_, at): [string, string] => [`name="p${at}"`, `${at}`]))
    const max = await read(parts(maxParts))
    expect([max.problems, max.find('p99')]).toEqual([[], { text: '99' }])
    const cut = await read(parts(maxParts + 1))
    expect(cut.problems).toEqual(['The multipart body has more than 100 parts.'])
    expect([cut.find('p99'), cut.find('p100')]).toEqual([{ text: '99' }, undefined])
    const unended = parts(18_000)
    // A body without an end is not well-formed, if it is parsed so far.
    expect((await read({ ...unended, body: unended.body!.slice(0, -8) })).problems).toEqual(cut.problems)
  })

  test('in the query are kept apart from those in the body', async () => {
    const params = await read({ query: 'Password=1', body: 'username=2' })
    expect(params.isInQuery('password')).toBe(true)
    expect(params.isInQuery('username')).toBe(false)
  })

  test('called token are kept from each source, as none of them wins; of several in the query the last one counts', async () => {
    expect((await read({ query: 'token=a&TOKEN=b', body: 'Token=c' })).tokens).toEqual(['b', 'c'])
  })
})

describe('a body', () => {
  test.each([undefined, '', form, `${form}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])(
    'of Content-Type %s is a form',
    async (contentType) => {
      const params = await readRequestParameters({
        query: '',
        contentType,
        body: Buffer.from('a=1'),
        bareBody: undefined,
      })
      expect(params.find('a')).toEqual({ text: '1' })
    },
  )

  test.each(['text/plain', 'application/json', 'application/xml', 'multipart/mixed; boundary=b', 'form'])(
    'of Content-Type %s is refused without repeating it',
    async (contentType) => {
      const params = await read({ contentType, body: 'a=1', query: 'b=2' })
      expect(params.problems).toEqual([
        'The Content-Type of the body is not understood; it has to be application/x-www-form-urlencoded or multipart/form-data.',
      ])
      expect(params.find('a')).toBeUndefined()
      expect(params.find('b')).toEqual({ text: '2' })
    },
  )

  test('of an unknown Content-Type is refused with what a document alone may be sent as, where one is taken', async () => {
    const source = { query: '', contentType: 'application/xml', body: Buffer.from('<a/>') }
    const { problems } = await readRequestParameters({ ...source, bareBody: 'categorySchema' })
    expect(problems).toEqual([
      'The Content-Type of the body is not understood; it has to be application/x-www-form-urlencoded or multipart/form-data, or application/json for the document alone.',
    ])
  })

  test('of a Content-Type that is too long to be read is refused', async () => {
    const { problems } = await read({ contentType: `${form};${'a=b;'.repeat(300)}`, body: 'a=1' })
    expect(problems).toEqual([expect.stringMatching(/^The Content-Type of the body is not understood/)])
  })

  test('that is empty is no body, whatever its Content-Type', async () => {
    expect((await read({ contentType: 'text/plain', body: '' })).problems).toEqual([])
    expect((await read({ contentType: 'multipart/form-data', body: '' })).problems).toEqual([])
  })
})

describe('a multipart body', () => {
  test('has texts and files', async () => {
    const params = await read(multipart(['name="a"', 'text'], ['name="f"; filename="x.invite"', '{"b":1}']))
    expect(params.find('a')).toEqual({ text: 'text' })
    expect(params.find('f')).toBeUndefined()
    expect(params.findFile('f')?.toString()).toBe('{"b":1}')
    expect(params.findFile('a')).toBeUndefined()
    expect(params.problems).toEqual([])
  })

  test('keeps the bytes of a file', async () => {
    const params = await read(multipart(['name="f"; filename="x"', '\xff\r\n\0']))
    expect(params.findFile('f')).toEqual(Buffer.from([0xff, 0x0d, 0x0a, 0x00]))
  })

  test('with a file without a name has a text, as a browser sends a field that was left empty', async () => {
    expect((await read(multipart(['name="f"; filename=""', '']))).find('f')).toEqual({ text: '' })
  })

  test('with the same file twice is reported', async () => {
    const twice = multipart(['name="f"; filename="x"', '1'], ['name="F"; filename="y"', '2'])
    expect((await read(twice)).problems).toEqual(['A file is given twice; give each once.'])
  })

  const whole = multipart(['name="a"', '1'])
  test.each<[string, Sent]>([
    ['with another boundary', { ...whole, contentType: 'multipart/form-data; boundary=c' }],
    ['cut off before its end', { ...whole, body: whole.body!.slice(0, -8) }],
    ['cut off within a part', { ...whole, body: whole.body!.slice(0, 30) }],
    ['of other words', { ...whole, body: 'a=1' }],
    ['with headers of a part that are too long', multipart([`x="${'x'.repeat(5_000)}"; name="a"`, '1'])],
    ['with bare line feeds', { ...whole, body: whole.body!.replaceAll('\r', '') }],
    ['with a part without a name', multipart(['size=1', '1'])],
    ['with a file without a name for its part', multipart(['filename="x"', '1'])],
  ])('%s is not well-formed', async (_sentence, sent) => {
    const params = await read(sent)
    expect(params.problems).toEqual(['The multipart body is not well-formed.'])
    expect(params.find('a')).toBeUndefined()
  })

  test('without a boundary in its Content-Type names the form that it has to have', async () => {
    const { problems } = await read({ ...whole, contentType: 'multipart/form-data; charset=utf-8' })
    expect(problems).toEqual([expect.stringContaining('has to be multipart/form-data; boundary=')])
  })
})

describe('a body without a parameter name, for an operation that knows one', () => {
  const bare = { bareBody: 'categorySchema' }
  const broken = '{"categorySchema":[{"title":"A}"}]'

  test.each<[string, Sent, string]>([
    ['the JSON itself', { body: schema }, schema],
    ['a bare array', { body: '[{"title":"A"}]' }, '[{"title":"A"}]'],
    ['with spaces before it', { body: ` \r\n${schema}` }, ` \r\n${schema}`],
    ['with application/json', { body: schema, contentType: 'application/json; charset=utf-8' }, schema],
    ['with text/plain', { body: schema, contentType: 'text/plain;charset=UTF-8' }, schema],
    ['without a Content-Type', { body: schema, contentType: '' }, schema],
    ['percent-encoded', { body: encodeURIComponent(schema) }, schema],
    ['percent-encoded as a name without a value', { body: `${encodeURIComponent(schema)}=` }, schema],
    ['percent-encoded with plus for its spaces', { body: `+${encodeURIComponent(schema)}` }, ` ${schema}`],
    ['JSON with ampersands and percent signs', { body: '[{"title":"R&D 100%25"}]' }, '[{"title":"R&D 100%25"}]'],
    ['JSON that is broken', { body: '{"categorySchema":' }, '{"categorySchema":'],
    ['JSON with words behind it', { body: '{} x' }, '{} x'],
    ['JSON whose last bracket is missing', { body: broken }, broken],
  ])('%s is that parameter', async (_sentence, sent, text) => {
    const params = await read({ ...bare, ...sent })
    expect(params.find('categorySchema')).toEqual({ text })
    expect(params.find('f')).toBeUndefined()
    expect(params.problems).toEqual([])
  })

  test.each([schema, encodeURIComponent(schema)])('leaves the parameters behind it to themselves: %s', async (text) => {
    const params = await read({ ...bare, body: `${text}&f=pjson&token=t` })
    expect(params.find('categorySchema')).toEqual({ text: schema })
    expect(params.find('f')).toEqual({ text: 'pjson' })
    expect(params.tokens).toEqual(['t'])
  })

  test('wins over the same parameter in the query', async () => {
    const params = await read({ ...bare, query: 'categorySchema=query', body: schema })
    expect(params.find('categorySchema')).toEqual({ text: schema })
  })

  test('and with its name behind it is given twice', async () => {
    const params = await read({ ...bare, body: `${schema}&categorySchema=x` })
    expect(params.find('categorySchema')).toEqual({ texts: [schema, 'x'] })
  })

  test.each([form, 'application/json'])('is malformed where it is not UTF-8, as %s', async (contentType) => {
    const params = await read({ ...bare, contentType, body: '[{"title":"caf\xe9"}]' })
    expect(params.find('categorySchema')).toEqual({ malformed: true })
  })

  test('with a parameter name is an ordinary form', async () => {
    const params = await read({ ...bare, body: `categorySchema=${encodeURIComponent(schema)}` })
    expect(params.find('categorySchema')).toEqual({ text: schema })
  })

  test('means nothing to an operation that knows none', async () => {
    expect((await read({ body: schema })).find('categorySchema')).toBeUndefined()
  })
})

test('nothing of a request is kept after it', async () => {
  const oldBytes = () => {
    const spaces = getHeapSpaceStatistics()
    return spaces.find(({ space_name: name }) => name === 'large_object_space')!.space_used_size
  }
  const body = Buffer.from(`[${'"0",'.repeat(250_000)}"0"]`)
  const before = oldBytes()
  let max = 0
  for (let number = 0; number < 400; number += 1) {
    const params = await readRequestParameters({ query: '', contentType: 'application/json', body, bareBody: 'a' })
    expect(params.names()).toEqual(['a'])
    max = Math.max(max, oldBytes() - before)
  }
  // A few dozen of 400 texts of 1 MB may have become old before they are collected; 220 MB and more if they are kept.
  expect(max).toBeLessThan(130_000_000)
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { groupLimits } from '../../src/categories/limits.ts'
import { judgeSchema } from '../../src/categories/schema.ts'
import { measureMemory } from '../support/faults/memory.ts'

/** More than any stack takes; a request may have about as much. */
const length = 300_000
const notASchema = 'Invalid category schema.'
const around = (inner: string) => `{"categorySchema":[{"title":"A","extra":${inner}}]}`
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join()

/** Texts that are written only to harm the service. */
const texts: readonly { what: string; text: string; says: string | undefined }[] = [
  { what: '300,000 nested lists', text: '['.repeat(length) + ']'.repeat(length), says: notASchema },
  { what: '300,000 lists that are not closed', text: '['.repeat(length), says: notASchema },
  { what: '200,000 nested objects', text: '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000), says: notASchema },
  {
    what: '35,000 levels of categories',
    text: `{"categorySchema":${'[{"title":"A","categories":'.repeat(35_000)}[]${'}]'.repeat(35_000)}}`,
    says: notASchema,
  },
  {
    what: '3,000 levels of categories',
    text: `{"categorySchema":${'[{"title":"A","categories":'.repeat(3_000)}[]${'}]'.repeat(3_000)}}`,
    says: 'Category schema at /categorySchema has 3000 categories; at most 200 are allowed.',
  },
  {
    what: '300,000 nested lists in a dropped member',
    text: around('['.repeat(length) + ']'.repeat(length)),
    says: notASchema,
  },
  {
    what: '9,000 nested lists in a dropped member',
    text: around('['.repeat(9_000) + ']'.repeat(9_000)),
    says: undefined,
  },
  {
    what: '9,000 nested objects in a dropped member',
    text: around('{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000)),
    says: undefined,
  },
  {
    what: '100,000 members in one object',
    text: around(`{${many(100_000, (at) => `"m${at}":${at}`)}}`),
    says: notASchema,
  },
  {
    what: '9,000 members in one object',
    text: around(`{${many(9_000, (at) => `"m${at}":${at}`)}}`),
    says: undefined,
  },
  {
    what: '9,000 members, the last one repeated',
    text: around(`{${many(9_000, (at) => `"m${at}":${at}`)},"m8999":1}`),
    says: notASchema,
  },
  {
    what: '9,000 members of a category',
    text: `[{"title":"A",${many(9_000, (at) => `"m${at}":${at}`)}}]`,
    says: undefined,
  },
  {
    what: '9,000 members named by numbers',
    text: around(`{${many(9_000, (at) => `"${at * 7}":0`)}}`),
    says: undefined,
  },
  {
    what: '9,000 __proto__ in __proto__',
    text: around('{"__proto__":'.repeat(9_000) + '{"polluted":1}' + '}'.repeat(9_000)),
    says: undefined,
  },
  {
    what: '100,000 categories',
    text: `[${many(100_000, () => '{"title":"/"}')}]`,
    says: notASchema,
  },
  {
    what: '4,500 categories',
    text: `[${many(4_500, () => '{"title":"/"}')}]`,
    says: 'Category schema exceeds max tree size or empty.',
  },
  {
    what: '4,500 children with bad titles',
    text: `[{"title":"A","categories":[${many(4_500, () => '{"title":"/"}')}]}]`,
    says: 'Category schema at /categorySchema has 4501 categories; at most 200 are allowed.',
  },
  {
    what: 'a title of 300,000 characters',
    text: JSON.stringify([{ title: 'x'.repeat(length) }]),
    says: 'Title at /categorySchema/0/title has 300000 characters; at most 99 are allowed.',
  },
  {
    what: 'a title of 300,000 spaces',
    text: JSON.stringify([{ title: ' '.repeat(length) }]),
    says: 'Title at /categorySchema/0/title has 300000 characters; at most 99 are allowed.',
  },
  {
    what: '300,000 escapes',
    text: `[{"title":"${'\\u0041'.repeat(length)}"}]`,
    says: 'Title at /categorySchema/0/title has 300000 characters; at most 99 are allowed.',
  },
  { what: '300,000 backslashes', text: around(`"${'\\\\'.repeat(length)}"`), says: undefined },
  {
    what: '300,000 backslashes before a quote that never comes',
    text: `[{"title":"${'\\'.repeat(length)}`,
    says: notASchema,
  },
  { what: '300,000 escaped quotes', text: around(`"${'\\"'.repeat(length)}"`), says: undefined },
  { what: 'a number of 300,000 digits', text: around('9'.repeat(length)), says: undefined },
  { what: 'a number beyond all numbers', text: around('[1e999,-1e999,1e-999]'), says: undefined },
  { what: '300,000 spaces', text: `${' '.repeat(length)}[{"title":"A"}]${' '.repeat(length)}`, says: undefined },
  { what: '300,000 NUL', text: '\0'.repeat(length), says: notASchema },
  { what: '300,000 lone surrogates', text: around(`"${'\ud800'.repeat(length)}"`), says: undefined },
]

test.each(texts)('$what: a short verdict', ({ text, says }) => {
  const verdict = judgeSchema(text, groupLimits)
  expect(JSON.stringify(verdict).length).toBeLessThan(20_000)
  if (says === undefined) expect(verdict).toMatchObject({ document: '{"categorySchema":[{"title":"A"}]}' })
  else expect(verdict).toHaveProperty(['violations', 0], says)
})

describe('more values than any schema has are refused before the text is parsed', () => {
  const refusal = {
    violations: [notASchema],
    reasons: ['The document has more than 10000 values; a category schema has at most 200 categories.'],
  }

  test.each([
    ['valid JSON', (values: string) => around(`[${values}]`)],
    ['a list that is not closed', (values: string) => `[{"title":"A","extra":[${values}`],
    ['a bare list', (values: string) => `[${values}]`],
  ])('%s', (_what, write) => {
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => parse.mockRestore())
    expect(judgeSchema(write(many(20_000, () => '0')), groupLimits)).toEqual(refusal)
    expect(parse).not.toHaveBeenCalled()
  })

  test('one value more than 10,000, and not one less', () => {
    // The document, the list of trees, the category with two members, and the list.
    const withZeros = (count: number) => around(`[${many(count, () => '0')}]`)
    expect(judgeSchema(withZeros(9_995), groupLimits)).toMatchObject({ document: '{"categorySchema":[{"title":"A"}]}' })
    expect(judgeSchema(withZeros(9_996), groupLimits)).toEqual(refusal)
  })

  test('what stands in texts is no value', () => {
    const text = JSON.stringify([{ title: 'A', extra: ',[{"'.repeat(20_000) }])
    expect(judgeSchema(text, groupLimits)).toMatchObject({ document: '{"categorySchema":[{"title":"A"}]}' })
  })
})

test('hostile texts leave no memory behind, and Object.prototype as it was', async () => {
  const before = Reflect.ownKeys(Object.prototype)
  const judgeAll = () => {
    for (const { text } of texts) judgeSchema(text, groupLimits)
  }
  judgeAll()
  const start = await measureMemory()
  judgeAll()
  const end = await measureMemory()
  // Each of the texts is about as large.
  expect(end.heap - start.heap).toBeLessThan(1)
  expect(end.buffers - start.buffers).toBeLessThan(1)
  expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  expect({}).not.toHaveProperty('polluted')
})

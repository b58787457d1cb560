import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTexts } from '../pages/build/checked-texts.ts'
import { languageNames } from '../pages/src/texts/languages.ts'
import { explain } from '../src/sentences/explain.ts'
import { say } from '../src/sentences/say.ts'
import { type Code, sentences } from '../src/sentences/sentences.ts'
import { test as portalTest } from './support/portal/test.ts'

const codes = Object.keys(sentences) as Code[]
const namesIn = (code: Code) =>
  [...sentences[code].matchAll(/\{(\w+)(#?)\}/g)].map(([, name, sign]) => [name!, sign!] as const)
const sayAny = say as (code: Code, parameters?: object) => string

/** Values of a sentence; none of them has a text of another sentence in it. */
function valuesOf(code: Code): Record<string, string | number> {
  return Object.fromEntries(namesIn(code).map(([name, sign], at) => [name, sign === '#' ? 7 + at : `x${at}`]))
}

test.each(codes)('%s is recognized, with its values', (code) => {
  const parameters = valuesOf(code)
  expect(explain(sayAny(code, parameters))).toEqual({ code, parameters })
  expect(explain(`Row 12: ${sayAny(code, parameters)} Also rows 3, 5 and 7 more.`)).toMatchObject({ code, of: '12' })
  expect(explain(`username: ${sayAny(code, parameters)}`)).toMatchObject({ code, of: 'username' })
})

test('values of any kind make the same sentence again', () => {
  const values = fc.string({
    unit: fc.constantFrom(' ', '.', ':', '{', '}', 'is', 'Row 1: ', '“', '”', '5', '\n'),
    minLength: 1,
  })
  fc.assert(
    fc.property(fc.constantFrom(...codes), values, (code, value) => {
      const given = Object.fromEntries(namesIn(code).map(([name, sign]) => [name, sign === '#' ? 5 : value]))
      const sentence = sayAny(code, given)
      const found = explain(sentence)
      expect(found).toBeDefined()
      if (found?.of === undefined && found?.code !== 'entryWrong') {
        expect(sayAny(found!.code, found!.parameters)).toBe(sentence)
      }
    }),
    { seed: 53 },
  )
})

test('another text has no code, however long', () => {
  expect(explain('Something else.')).toBeUndefined()
  expect(explain(`${'The username '.repeat(20_000)}`)).toBeUndefined()
})

test('every sentence is said somewhere', () => {
  const source = globSync('src/**/*.ts', { exclude: ['src/sentences/**'] })
    .map((file) => readFileSync(file, 'utf8'))
    .join('')
  const parts = { categories: 'Changed', owner: 'Changed', sharing: 'Changed', tags: 'Changed' }
  const made = new Set(Object.entries(parts).flatMap(([part, end]) => [`${part}${end}`, `${part}${end}By`]))
  expect(codes.filter((code) => !made.has(code) && !source.includes(`'${code}'`))).toEqual([])
})

test('refusals are said by their codes, not written where they are thrown', () => {
  const files = globSync('src/**/*.ts', { exclude: ['src/cli/**'] })
  const written = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/operationRefused\(\s*(['"`][^\n]*)/g)].map(
      ([, start]) => `${file}: ${start}`,
    ),
  )
  expect(written.filter((line) => !line.includes('${say(')).length).toBeLessThanOrEqual(notSaidYet)
})

/** Refusals that no page shows: of the command line, of the first start, and of parameters that pages do not have. */
const notSaidYet = 43

describe.each(Object.keys(languageNames))('in %s', (language) => {
  const texts = readTexts('pages/src/texts', language)['sentences']!

  test('every code has a text of its own, and no text is without a code', () => {
    expect(Object.keys(texts).toSorted()).toEqual([...codes, 'ofPerson', 'ofRow'].toSorted())
  })

  test.each(codes)('%s is said with the values that there are, and without parameters of the API', (code) => {
    const names = namesIn(code).map(([name]) => name)
    const used = [...texts[code]!.matchAll(/\{(\w+)/g)].map(([, name]) => name!)
    expect(used.filter((name) => !names.includes(name))).toEqual([])
    expect(texts[code]).not.toMatch(/\w=/)
  })
})

portalTest('a refusal has codes beside its sentences, also for each of many', async ({ admin }) => {
  const update = (headers: Record<string, string>) =>
    admin.send('/community/users/admin/update', { form: { email: 'nobody' }, headers })
  expect((await update({})).json().error).not.toHaveProperty('causes')
  const answer = (await update({ prefer: 'respond-async, causes' })).json()
  expect(answer.error.causes).toContainEqual({
    sentence: 'email: is not an e-mail address.',
    cause: { code: 'noMailAddress', parameters: {}, of: 'email' },
  })
  const { results } = await admin.post('/content/users/admin/deleteItems', { items: '0'.repeat(32) })
  expect(results[0].error.cause).toEqual({ code: 'itemNotAccessible', parameters: {} })
})

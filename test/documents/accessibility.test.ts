/** The conformance report has every clause, and the tests that it names are there. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documents, linesOf, read, root } from './documents.ts'

const path = 'docs/accessibility.md'

/** Success criteria of WCAG 2.1 at levels A and AA, by guideline. */
const criteria: Readonly<Record<string, readonly number[]>> = {
  '1.1': [1],
  '1.2': [1, 2, 3, 4, 5],
  '1.3': [1, 2, 3, 4, 5],
  '1.4': [1, 2, 3, 4, 5, 10, 11, 12, 13],
  '2.1': [1, 2, 4],
  '2.2': [1, 2],
  '2.3': [1],
  '2.4': [1, 2, 3, 4, 5, 6, 7],
  '2.5': [1, 2, 3, 4],
  '3.1': [1, 2],
  '3.2': [1, 2, 3, 4],
  '3.3': [1, 2, 3, 4],
  '4.1': [1, 2, 3],
}

test('every clause of chapter 9 has its row', () => {
  const clauses = Object.entries(criteria).flatMap(([guideline, numbers]) =>
    numbers.map((number) => `9.${guideline}.${number}`),
  )
  const named = linesOf(path).flatMap(
    ({ text }) =>
      /^\| (9\.[\d.]+) .*\| (?:Supports|Partially supports|Not applicable|Not claimed) \| \S/.exec(text)?.[1] ?? [],
  )
  expect(named).toEqual([...clauses, '9.5', '9.6'])
})

test('tests that the report names are there', () => {
  const named = linesOf(path).flatMap(({ text }) => [...text.matchAll(/`(test\/[^`]+\.test\.ts)`(?:: ([^|]+))?/g)])
  expect(named.length).toBeGreaterThan(30)
  const wrong = named.filter(([, file, title]) => {
    if (!existsSync(new URL(file!, root))) return true
    return title !== undefined && !read(file!).includes(`test('${title.trim()}`)
  })
  expect(wrong.map(([found]) => found)).toEqual([])
})

test('pictures have descriptions', () => {
  const bare = documents.flatMap(linesOf).filter(({ text, isCode }) => !isCode && /!\[\s*\]\(/.test(text))
  expect(bare.map(({ place }) => place)).toEqual([])
})

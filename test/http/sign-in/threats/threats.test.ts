import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const tests = fileURLToPath(new URL('../../../', import.meta.url))

/** Cells of the table, without the head. */
const rows = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| T'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('the table has every threat once', () => {
  expect(rows.map(([, name]) => name)).toEqual(Array.from({ length: 40 }, (_, at) => `T${at + 1}`))
})

test.each(rows)(
  '%s%s: each test that is named is there, and a threat without one has a reason',
  (_empty, _name, _threat, where) => {
    const paths = [...where!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!).filter((path) => path.includes('/'))
    expect(paths.filter((path) => !existsSync(join(tests, path)))).toEqual([])
    if (paths.length === 0) expect(where).toMatch(/^no test: .{20}/)
  },
)

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'

const root = new URL('../../', import.meta.url)

test('every planted fault replaces a text that there is once, and names tests that there are', () => {
  const wrong = faults.flatMap(({ name, file, find, tests }) => {
    const count = readFileSync(new URL(file, root), 'utf8').split(find).length - 1
    const missing = tests.filter((path) => !existsSync(new URL(path, root)))
    return [
      ...(count === 1 ? [] : [`${name}: ${file} has it ${count} times`]),
      ...missing.map((path) => `${name}: ${path}`),
    ]
  })
  expect(wrong).toEqual([])
})

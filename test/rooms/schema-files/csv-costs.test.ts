import { expect, test } from 'vitest'
import { isLongCsv, readCsv } from '../../../src/schema-files/csv/read.ts'
import { Problems } from '../../../src/schema-files/schema-file.ts'

/** Entries that sets take while `run` does its work: in a row's search for its parent, the rows that are looked at. */
function countEntries(run: () => void): number {
  const { add } = Set.prototype
  let count = 0
  Set.prototype.add = function (this: Set<unknown>, value: unknown) {
    count += 1
    return add.call(this, value)
  }
  try {
    run()
  } finally {
    Set.prototype.add = add
  }
  return count
}

test.each([
  ['id', 'id,title,parent_id\n', '1,a,1\n'],
  ['title', 'title,parent\na,/\n', 'a,a\n'],
])('rows whose parent may be any of them, by %s, cost no more the more there are', (_by, header, row) => {
  const countFor = (rows: number) => countEntries(() => readCsv(header + row.repeat(rows), {}))
  const few = countFor(500)
  expect(few).toBeGreaterThan(500)
  expect(countFor(1_000)).toBeLessThan(2.1 * few)
})

test('sentences that will not be shown are not made', () => {
  const problems = new Problems()
  let made = 0
  for (let row = 0; row < 5_000; row += 1) {
    problems.add(() => {
      made += 1
      return `Row ${row}.`
    })
  }
  expect(made).toBe(100)
  expect(problems.list()).toHaveLength(101)
  expect(problems.list().at(-1)).toBe('4900 further problems are not listed.')
})

test.each([
  ['as many lines as one waits for', '/A\n'.repeat(300), false],
  ['a line more', '/A\n'.repeat(301), true],
  ['lines that end as on an old Mac', '/A\r'.repeat(301), true],
  ['as many characters as one waits for', 'x'.repeat(64 * 1024), false],
  ['a character more', 'x'.repeat(64 * 1024 + 1), true],
])('%s, %#: whether it is read in a thread', (_what, text, isLong) => {
  expect(isLongCsv(text)).toBe(isLong)
})

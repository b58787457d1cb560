import { expect, test } from 'vitest'
import { writeTextList } from '../../../src/schema-files/written-rows.ts'

test('a list has the titles, two blanks further to the right for each level', () => {
  const categories = [{ title: '- B', description: 'b', categories: [{ title: '1. C ' }] }, { title: 'D' }]
  expect(writeTextList({ categorySchema: [{ title: 'A', categories }, { title: 'E' }] })).toEqual({
    value: {
      content: 'A\n  - B\n    1. C \n  D\nE\n',
      extension: 'txt',
      contentType: 'text/plain; charset=utf-8',
    },
  })
  expect(writeTextList({ categorySchema: [] })).toMatchObject({ value: { content: '' } })
})

test('a list does not have what would be read back as something else', () => {
  expect(
    writeTextList({ categorySchema: [{ title: 'A', categories: [{ source: 's' }, { title: '\u00a0B' }] }] }),
  ).toEqual({
    problems: [
      '/A/ has no title; format=csv or format=json keeps it.',
      'The title of /A/\u00a0B begins with a blank; format=csv or format=json keeps it.',
    ],
  })
})

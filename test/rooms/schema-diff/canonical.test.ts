import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { hashOf } from '../../../src/categories/history/document-hash.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'

test('documents that say the same have one canonical text', () => {
  const text = '{"categorySchema":[{"title":"A","source":"s","categories":[{"title":"B"}]},{"source":"t"}]}'
  const documents = [
    { categorySchema: [{ title: 'A', source: 's', categories: [{ title: 'B' }] }, { source: 't' }] },
    {
      categorySchema: [
        { categories: [{ title: 'B', categories: [], description: '' }], source: 's', title: 'A' },
        { source: 't' },
      ],
    },
  ]
  for (const document of documents) expect(canonicalText(document)).toBe(text)
})

test('the hash is the SHA-256 of the canonical text', () => {
  // printf '{"categorySchema":[]}' | sha256sum
  expect(hashOf({ categorySchema: [] })).toBe('sha256:ba8a4064b0f4c4125962a3fbf0068d2a7b88f659bb311031ef2146853b0d3ad2')
})

test('categories are listed parents first; below one without a title nothing has a path', () => {
  const schema = {
    categorySchema: [
      { title: 'A', categories: [{ title: 'B' }] },
      { source: 's', categories: [{ title: 'C' }] },
    ],
  }
  expect(listCategories(schema).map(({ path, pointer }) => [path, pointer])).toEqual([
    ['/A', '/categorySchema/0'],
    ['/A/B', '/categorySchema/0/categories/0'],
    [undefined, '/categorySchema/1'],
    [undefined, '/categorySchema/1/categories/0'],
  ])
})

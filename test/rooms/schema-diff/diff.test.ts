import { expect, test } from 'vitest'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { formatDiff } from '../../../src/categories/diff/format-diff.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'

function schema(...trees: Category[]): CategorySchema {
  return { categorySchema: trees }
}

function category(title: string, ...categories: Category[]): Category {
  return { title, categories }
}

const before = schema(
  category(
    'Categories',
    category('Water', category('Rivers'), category('Lakes'), category('Seas')),
    category('Basins'),
    category('Misc'),
    category('Roads'),
    category('Geology'),
  ),
)
const after = schema(
  category(
    'Categories',
    category('Geology'),
    category('Hydrology', category('Rivers'), category('Lakes'), category('Seas')),
    category('Basins'),
    category('Other'),
    category('Roads'),
    category('Soil'),
  ),
)

test('a diff shows what was declared, the facts, and what was perhaps meant', () => {
  const diff = diffSchemas(before, after, [{ from: '/Categories/Water', to: '/Categories/Hydrology' }])
  expect(diff).toEqual({
    summary: { added: 2, removed: 1, renamed: 1, moved: 0, merged: 0, changed: 0, reordered: 1 },
    changes: [
      {
        op: 'reorder',
        path: '/Categories/Geology',
        pointer: '/categorySchema/0/categories/4',
        toPointer: '/categorySchema/0/categories/0',
        from: 4,
        to: 0,
      },
      {
        op: 'rename',
        path: '/Categories/Water',
        pointer: '/categorySchema/0/categories/0',
        to: '/Categories/Hydrology',
        toPointer: '/categorySchema/0/categories/1',
        categories: 4,
        declared: true,
      },
      { op: 'add', path: '/Categories/Other', pointer: '/categorySchema/0/categories/3', categories: 1 },
      { op: 'add', path: '/Categories/Soil', pointer: '/categorySchema/0/categories/5', categories: 1 },
      { op: 'remove', path: '/Categories/Misc', pointer: '/categorySchema/0/categories/2', categories: 1 },
    ],
    suggestions: [
      {
        from: '/Categories/Misc',
        to: '/Categories/Other',
        confidence: 'sure',
        because: ['same parent', 'same place'],
      },
    ],
  })
})

test('the text of a diff has a line for each change', () => {
  const moves = [{ from: '/Categories/Water', to: '/Categories/Hydrology' }]
  expect(formatDiff(diffSchemas(before, after, moves)).split('\n')).toEqual([
    '^ reorder /Categories/Geology from position 5 to 1',
    '> rename /Categories/Water to /Categories/Hydrology (4 categories)',
    '+ add /Categories/Other',
    '+ add /Categories/Soil',
    '- remove /Categories/Misc',
    '2 added, 1 removed, 1 renamed, 0 moved, 0 merged, 0 changed, 1 reordered',
    '',
  ])
})

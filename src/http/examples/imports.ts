import { hashOf } from '../../categories/history/document-hash.ts'
import { exampleSchema } from './examples.ts'

const present = JSON.parse(exampleSchema)
const [region] = present.categorySchema
const merged = { categorySchema: [{ ...region, categories: [...region.categories, { title: 'Asia' }] }] }

/** A file that adds a category to the schema of the examples. */
export const exampleImport = {
  parameters: { file: 'path\n/Region/Asia \n', mode: 'merge' },
  fileName: 'categories.csv',
  answer: {
    success: true,
    dryRun: true,
    version: 1,
    hash: hashOf(present),
    resultHash: hashOf(merged),
    summary: { added: 1, removed: 0, renamed: 0, moved: 0, merged: 0, changed: 0, reordered: 0 },
    changes: [{ op: 'add', path: '/Region/Asia', pointer: '/categorySchema/0/categories/2', categories: 1 }],
    suggestions: [],
    impact: { items: 0, moved: 0, vanishing: 0, unrecognizedBefore: 0, unrecognizedAfter: 0, byPath: [] },
    warnings: [],
    imported: {
      format: 'csv',
      rows: 1,
      notes: [{ row: 2, message: 'Blanks around a text were removed; trim=false keeps them.' }],
    },
    ...merged,
  },
} as const

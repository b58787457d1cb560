import { diffSchemas } from '../src/categories/diff/diff.ts'
import type { Category, CategorySchema } from '../src/categories/schema.ts'
import { type Figure, figureOf, type Run } from './result.ts'
import { largeSchema } from './work.ts'

/** Milliseconds for one diff of 200 categories against themselves with ten edits, none of them declared. */
export async function diffOfSchemas({ rounds, milliseconds, warmMilliseconds }: Run): Promise<Figure> {
  const before = JSON.parse(largeSchema) as CategorySchema
  const after = edited(before)
  timeOf(before, after, warmMilliseconds)
  return figureOf(Array.from({ length: rounds }, () => timeOf(before, after, milliseconds)))
}

function timeOf(before: CategorySchema, after: CategorySchema, milliseconds: number): number {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < milliseconds) {
    diffSchemas(before, after, [])
    count += 1
  }
  return (performance.now() - start) / count
}

/** Edits two categories of each tree: renamed, described, removed, added, moved or reordered. */
function edited({ categorySchema }: CategorySchema): CategorySchema {
  const lists = categorySchema.map(({ categories = [] }) => [...categories])
  const [first, second, third, fourth, fifth] = lists as [Category[], Category[], Category[], Category[], Category[]]
  for (const list of [first, second]) list[7] = { ...list[7], title: 'Hydrology' }
  for (const list of [first, third]) list[3] = { ...list[3], description: 'What it had' }
  for (const list of [second, fourth]) list.splice(11, 1)
  for (const list of [third, fifth]) list.splice(20, 0, { title: 'Geology' })
  fifth.unshift(fourth.pop()!)
  fifth.unshift(fifth.pop()!)
  return { categorySchema: categorySchema.map((tree, at) => ({ ...tree, categories: lists[at]! })) }
}

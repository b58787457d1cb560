import { expect, test } from 'vitest'
import { alignChildren } from '../../../src/categories/diff/alignment.ts'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { matchNodes, treeOf } from '../../../src/categories/diff/tree.ts'
import type { Category } from '../../../src/categories/schema.ts'

/** Far more than a schema may have today. */
const many = 1_000

/** A tree of many categories, whose descriptions are counted as they are read. */
function wideTree(titleOf: (index: number) => string, counted: { looks: number }): Category {
  const categories = Array.from({ length: many }, (_, index) => ({
    title: titleOf(index),
    get description() {
      counted.looks += 1
      return `about ${index}`
    },
  }))
  return { title: 'Root', categories }
}

test('however many categories differ, only so many pairs are compared', () => {
  const counted = { looks: 0 }
  const before = wideTree((index) => `old ${index}`, counted)
  const after = wideTree((index) => `new ${index}`, counted)
  const { changes } = diffSchemas({ categorySchema: [before] }, { categorySchema: [after] }, [])
  expect(changes).toHaveLength(2 * many)
  expect(counted.looks).toBeGreaterThan(many)
  // 250 on each side, in four rounds, and a few looks at each category.
  expect(counted.looks).toBeLessThan(4 * 250 ** 2 * 2 + 20 * many)
})

test('however many siblings have one title, only so many are compared', () => {
  const counted = { looks: 0 }
  const rootOf = (step: number) => {
    const categories = Array.from({ length: many }, (_, index) => ({ title: 'A', description: `${index * step}` }))
    const root = treeOf({ categorySchema: categories })
    for (const child of root.children) {
      const { text } = child
      Object.defineProperty(child, 'text', {
        get: () => {
          counted.looks += 1
          return text
        },
      })
    }
    return root
  }
  const [before, after] = [rootOf(2), rootOf(3)]
  matchNodes(before, after)
  alignChildren(before, after)
  expect(before.children.every(({ match }) => match)).toBe(true)
  expect(counted.looks).toBeGreaterThan(many)
  expect(counted.looks).toBeLessThan(20 * many)
})

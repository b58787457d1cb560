import { expect, test } from 'vitest'
import {
  barOf,
  type CoveredCategory,
  type CoveredNode,
  depthOf,
  linesOf,
  openToLevel,
  treeOf,
} from '../../../pages/src/coverage/covered-tree.ts'

function category(path: string, items = 0, itemsBelow = items): CoveredCategory {
  const titles = path.split('/').slice(1)
  return { path, title: titles.at(-1)!, depth: titles.length, items, itemsBelow, state: 'filled' }
}

const paths = ['/Region', '/Region/Europe', '/Region/Europe/Alps', '/Region/Asia', '/Topic', '/Topic/Water']
const categories = paths.map((path) => category(path))

test('categories in the order of their schema are a tree', () => {
  const outlineOf = (nodes: readonly CoveredNode[]): object =>
    Object.fromEntries(nodes.map(({ category, below }) => [category.title, outlineOf(below)]))
  expect(outlineOf(treeOf(categories))).toEqual({
    Region: { Europe: { Alps: {} }, Asia: {} },
    Topic: { Water: {} },
  })
  expect(treeOf([])).toEqual([])
  expect(depthOf(categories)).toBe(3)
})

test('a tree is opened to a level', () => {
  expect([...openToLevel(categories, 1)]).toEqual([])
  expect([...openToLevel(categories, 2)]).toEqual(['/Region', '/Topic'])
})

test('a bar has the items of the category itself, and those below it', () => {
  expect(barOf(category('/Region', 2, 5), 10)).toEqual({ own: 0.2, below: 0.3 })
  expect(barOf(category('/Region'), 0)).toEqual({ own: 0, below: 0 })
})

test('lines leave the room of days without an entry', () => {
  const days = [
    { day: '2026-11-01', items: 10, uncategorized: 10 },
    { day: '2026-11-02', items: 10, uncategorized: 5 },
    { day: '2026-11-05', items: 20, uncategorized: 0 },
  ]
  expect(linesOf(days, 100, 50)).toEqual({ items: '0,25 25,25 100,0', uncategorized: '0,25 25,37.5 100,50', most: 20 })
})

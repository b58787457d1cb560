import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followMoves } from '../../../src/categories/moves.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { readCsv } from '../../../src/schema-files/csv/read.ts'
import { applyMoves, findMoves, keepPossible } from '../../../src/schema-files/identity.ts'
import { sketch } from '../../support/inputs/sketch.ts'
import { countOf } from '../../support/length.ts'

interface Node {
  title: string
  readonly id: string | undefined
  children: Node[]
}

/** Schemas with titles of one letter, of which no two siblings have the same. */
const anySchema = fc
  .array(fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .map((paths) => ({ categorySchema: treesOf(paths) }))
const edit = fc.record({
  op: fc.constantFrom('rename', 'move', 'remove', 'add'),
  at: fc.nat(),
  to: fc.nat(),
})

function treesOf(paths: readonly (readonly string[])[]): readonly Category[] {
  const byTitle = Map.groupBy(paths, ([title]) => title!)
  return [...byTitle].map(([title, own]) => {
    const below = own.map((path) => path.slice(1)).filter((path) => path.length > 0)
    return below.length === 0 ? { title } : { title, categories: treesOf(below) }
  })
}

function nodesOf(categories: readonly Category[], above = ''): Node[] {
  return categories.map(({ title = '', categories: below = [] }) => {
    const id = `${above}/${title}`
    return { title, id, children: nodesOf(below, id) }
  })
}

function all(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => [node, ...all(node.children)])
}

/** Edits the tree as a person would; new titles are words that no other category has. */
function editTree(root: Node, edits: readonly { op: string; at: number; to: number }[]): void {
  for (const [step, { op, at, to }] of edits.entries()) {
    const nodes = all(root.children)
    const node = nodes[at % Math.max(1, nodes.length)]
    if (!node) return
    const parent = [root, ...nodes].find(({ children }) => children.includes(node))!
    const targets = [root, ...nodes].filter((one) => one !== node && !all(node.children).includes(one))
    const target = targets[to % targets.length]!
    if (op === 'rename') node.title = `renamed ${step}`
    else if (op === 'add') target.children.push({ title: `new ${step}`, id: undefined, children: [] })
    else if (op === 'remove' && all(node.children).length + 1 < nodes.length)
      parent.children.splice(parent.children.indexOf(node), 1)
    else if (op === 'move' && !target.children.some(({ title }) => title === node.title)) {
      parent.children.splice(parent.children.indexOf(node), 1)
      target.children.push(node)
    }
  }
}

function rowsOf(
  nodes: readonly Node[],
  above = '',
): readonly { readonly path: string; readonly id: string | undefined }[] {
  return nodes.flatMap(({ title, id, children }) => {
    const path = `${above}/${title}`
    return [{ path, id }, ...rowsOf(children, path)]
  })
}

test('whatever is renamed, moved, added and removed in an exported file, items follow to where it says', () => {
  fc.assert(
    fc.property(anySchema, fc.array(edit, { maxLength: 6 }), (before, edits) => {
      const root: Node = { title: '', id: undefined, children: nodesOf(before.categorySchema) }
      editTree(root, edits)
      const rows = rowsOf(root.children)
      const reading = readCsv(['path,id', ...rows.map(({ path, id = '' }) => `${path},${id}`)].join('\n'), {})
      if ('problems' in reading) throw new Error(reading.problems.join(' '))
      const moves = findMoves(before, reading.value)
      expect(keepPossible(moves, before, reading.value.schema)).toEqual(moves)
      const follow = followMoves(moves)
      // No move can say that a path stays while those above it go.
      const led = rows.filter(({ path, id }) => id !== undefined && id !== path)
      for (const { path, id = '' } of led) expect([id, follow(id)]).toEqual([id, path])
      const kept = new Set(listPaths(applyMoves(before, moves)))
      expect(led.filter(({ path }) => !kept.has(path))).toEqual([])
    }),
    { numRuns: countOf({ sample: 200, system: 2_000, long: 50_000 }) },
  )
})

test('a row may name its parent by the former path: renaming a category is done in its own row', () => {
  fc.assert(
    fc.property(anySchema, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (before, places) => {
      const root: Node = { title: '', id: undefined, children: nodesOf(before.categorySchema) }
      for (const [step, at] of places.entries()) {
        const nodes = all(root.children)
        nodes[at % nodes.length]!.title = `renamed ${step}`
      }
      const lines = (nodes: readonly Node[], parent: string): readonly string[] =>
        nodes.flatMap(({ title, id = '', children }) => [`${parent}/${title},${id}`, ...lines(children, id)])
      const reading = readCsv(['path,id', ...lines(root.children, '')].join('\n'), {})
      if ('problems' in reading) throw new Error(reading.problems.join(' '))
      const wanted = rowsOf(root.children).map(({ path }) => path)
      expect([...listPaths(reading.value.schema)].sort()).toEqual(wanted.sort())
      const follow = followMoves(findMoves(before, reading.value))
      for (const { path, id = '' } of rowsOf(root.children)) expect(follow(id)).toBe(path)
    }),
    { numRuns: countOf({ sample: 200, system: 2_000, long: 50_000 }) },
  )
})

function moved(before: CategorySchema, csv: string) {
  const reading = readCsv(csv, {})
  if ('problems' in reading) throw new Error(reading.problems.join(' '))
  const moves = findMoves(before, reading.value)
  return { moves: moves.map(({ from, to }) => `${from} > ${to}`), schema: sketch(reading.value.schema) }
}

describe('a category of a file is one of the schema', () => {
  const before = { categorySchema: [{ title: 'A', categories: [{ title: 'B', categories: [{ title: 'C' }] }] }] }

  test('that was renamed in its own row alone', () => {
    expect(moved(before, 'path,id\n/A,/A\n/A/New,/A/B\n/A/B/C,/A/B/C\n/A/B/D,\n')).toEqual({
      moves: ['/A/B > /A/New'],
      schema: 'A (New (C, D))',
    })
  })

  test('in levels too', () => {
    expect(moved(before, 'level1,level2,level3,id\nX,,,/A\nX,B,,/A/B\nX,B,C,/A/B/C\n')).toEqual({
      moves: ['/A > /X'],
      schema: 'X (B (C))',
    })
  })

  test('by its URI, if no other category has it', () => {
    const [one, other] = ['https://a.example/1', 'urn:a:2']
    const present = {
      categorySchema: [
        { title: 'A', source: one },
        { title: 'B', source: other },
        { title: 'C', source: other },
      ],
    }
    expect(moved(present, `path,source\n/X,${one}\n/Y,${other}\n`).moves).toEqual(['/A > /X'])
  })

  test('but by no identifier that is not its path', () => {
    expect(moved(before, 'path,id\n/A,7\n/A/X,/Z\n').moves).toEqual([])
  })
})

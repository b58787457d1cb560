import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { countOf } from '../../support/length.ts'
import type { Writable } from './random-schemas.ts'

/**
 * One edit is: a subtree is added, anywhere; a subtree is removed; a category gets another position among its siblings. As
 * a category is its path, one is removed only while more categories have its path than in the new schema, and added only
 * while fewer have; so a category that stays is never replaced by another of the same path.
 */
interface State {
  readonly schema: CategorySchema
  /** How many categories have each path. */
  readonly paths: ReadonlyMap<string, number>
  /** Removals from this state. */
  readonly smaller: Removal[]
  /** Removals that result in this state. */
  readonly larger: Removal[]
  /** States after one reordering. */
  readonly reordered: State[]
}

interface Removal {
  /** Path of the top of the subtree. */
  readonly path: string
  readonly larger: State
  readonly smaller: State
}

/** All lists of trees of so many categories in all, of two titles. */
function listTrees(size: number): readonly Category[][] {
  if (size === 0) return [[]]
  return Array.from({ length: size }, (_, index) => index + 1).flatMap((first) =>
    listTrees(first - 1).flatMap((categories) =>
      listTrees(size - first).flatMap((others) => ['A', 'B'].map((title) => [{ title, categories }, ...others])),
    ),
  )
}

function listStates(max: number): readonly State[] {
  const sizes = Array.from({ length: max + 1 }, (_, size) => size)
  const states = sizes.flatMap(listTrees).map((categorySchema): State => {
    const paths = new Map<string, number>()
    for (const path of listPaths({ categorySchema })) paths.set(path, (paths.get(path) ?? 0) + 1)
    return { schema: { categorySchema }, paths, smaller: [], larger: [], reordered: [] }
  })
  const byText = new Map(states.map((state) => [canonicalText(state.schema), state]))
  const find = (categorySchema: Category[]) => byText.get(canonicalText({ categorySchema }))!
  for (const state of states) {
    const trees = JSON.parse(JSON.stringify(state.schema.categorySchema)) as Writable[]
    for (const { list, path } of listsWithPaths(trees, '')) {
      for (const at of list.keys()) {
        const [category] = list.splice(at, 1)
        const smaller = find(trees as Category[])
        const removal: Removal = { path: `${path}/${category!.title}`, larger: state, smaller }
        state.smaller.push(removal)
        smaller.larger.push(removal)
        for (let to = 0; to <= list.length; to += 1) {
          list.splice(to, 0, category!)
          if (to !== at) state.reordered.push(find(trees as Category[]))
          list.splice(to, 1)
        }
        list.splice(at, 0, category!)
      }
    }
  }
  return states
}

function listsWithPaths(
  list: Writable[],
  path: string,
): readonly { readonly list: Writable[]; readonly path: string }[] {
  const below = list.flatMap(({ title, categories }) => listsWithPaths(categories!, `${path}/${title}`))
  return [{ list, path }, ...below]
}

/** The fewest edits from each state to the target, by a breadth-first search from there. */
function distancesTo(target: State): ReadonlyMap<State, number> {
  const distances = new Map([[target, 0]])
  const wanted = (path: string) => target.paths.get(path) ?? 0
  for (const [state, distance] of distances) {
    const reach = (earlier: State) => {
      if (!distances.has(earlier)) distances.set(earlier, distance + 1)
    }
    for (const { path, larger } of state.larger) if (larger.paths.get(path)! > wanted(path)) reach(larger)
    for (const { path, smaller } of state.smaller) if ((smaller.paths.get(path) ?? 0) < wanted(path)) reach(smaller)
    for (const other of state.reordered) reach(other)
  }
  return distances
}

/** Whether siblings of one title are equal subtrees wherever there are several, so that any of them may be any other. */
function hasOnlyEqualTwins(categories: readonly Category[]): boolean {
  const texts = new Map<string, string>()
  return categories.every(({ title, categories: below = [] }) => {
    const text = canonicalText({ categorySchema: below })
    const first = texts.get(title!) ?? text
    texts.set(title!, first)
    return text === first && hasOnlyEqualTwins(below)
  })
}

/**
 * All lists of trees of up to four categories: with one above them, all trees of up to five. Unequal siblings of one title
 * are distinguished by their order, which is not always the shortest way.
 */
test('no shorter list of edits leads from one schema to another, for all small ones of two titles', () => {
  const states = listStates(countOf({ sample: 3, long: 4 }))
  const isStrict = new Map(states.map((state) => [state, hasOnlyEqualTwins(state.schema.categorySchema)]))
  const seen = { strict: 0, others: 0, longer: 0 }
  const tooLong: unknown[] = []
  for (const target of states) {
    for (const [state, distance] of distancesTo(target)) {
      const isLonger = diffSchemas(state.schema, target.schema, []).changes.length > distance
      if (isStrict.get(state) && isStrict.get(target)) {
        seen.strict += 1
        if (isLonger) tooLong.push({ from: canonicalText(state.schema), to: canonicalText(target.schema), distance })
      } else {
        seen.others += 1
        if (isLonger) seen.longer += 1
      }
    }
  }
  expect(tooLong.slice(0, 5)).toEqual([])
  expect(seen.strict).toBeGreaterThan(0.4 * states.length ** 2)
  expect(seen.longer).toBeLessThan(0.12 * seen.others)
})

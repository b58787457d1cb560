import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText } from '../../../src/categories/canonical.ts'
import type { Change } from '../../../src/categories/diff/change.ts'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { groupLimits } from '../../../src/categories/limits.ts'
import { judgeMoves, type Move } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { countOf } from '../../support/length.ts'
import { heightOf, listsOf, schemasWithin, type Writable } from './random-schemas.ts'

const seed = 2028
const runs = countOf({ sample: 100, system: 400, long: 8_000 })

/** A list of siblings of the schema that is edited. */
interface Place {
  readonly list: Writable[]
  readonly level: number
  readonly path: string
}

interface Edit {
  readonly trees: Writable[]
  /** Filled lists, and one of them with the position of a category. */
  readonly places: readonly Place[]
  readonly place: Place
  readonly at: number
  readonly pick: <Value>(values: readonly Value[]) => Value
}

/** Does an edit that a move may go with; undefined if it cannot be done here. */
type Kind = (edit: Edit) => { readonly moves?: readonly Move[]; readonly expected: Partial<Change> } | undefined

const kinds: Record<string, Kind> = {
  'an addition': ({ trees, places, pick, at }) => {
    const list = pick([{ list: trees, level: 1 }, ...places]).list
    list.splice(at % (list.length + 1), 0, { title: pick(['A', 'New']), description: 'new' })
    return { expected: { op: 'add', categories: 1 } }
  },
  'a removal': ({ place: { list }, at }) => {
    const [category] = list.splice(at, 1)
    return { expected: { op: 'remove', categories: sizeIn(category!) } }
  },
  'another description': ({ place: { list }, at }) => {
    const from = list[at]!.description || null
    list[at]!.description = 'another'
    return { expected: { op: 'change', description: { from, to: 'another' } } }
  },
  'another place among the siblings': ({ trees, place: { list }, at, pick }) => {
    const before = canonicalText({ categorySchema: trees })
    const [category] = list.splice(at, 1)
    list.splice(pick([0, 1, 2, 3]) % (list.length + 1), 0, category!)
    return canonicalText({ categorySchema: trees }) === before ? undefined : { expected: { op: 'reorder' } }
  },
  'a declared rename': ({ place: { list, path }, at, pick }) => {
    const from = `${path}/${list[at]!.title}`
    if (list[at]!.title === undefined || path.includes('undefined')) return undefined
    const title = pick(['New', 'A', 'B'].filter((one) => one !== list[at]!.title))
    const to = `${path}/${title}`
    list[at]!.title = title
    return { moves: [{ from, to }], expected: { op: 'rename', path: from, to, declared: true } }
  },
  'a declared move': ({ place: { list, path }, places, at, pick }) => {
    const category = list[at]!
    const targets = places.filter(
      (one) =>
        one.list !== list &&
        // Beside one of its title it could be that one, which the move may have changed too.
        !one.list.some(({ title }) => title === category.title) &&
        one.level + heightOf(category) - 1 <= groupLimits.levels &&
        !listsOf(category.categories!, 1).some((below) => below.list === one.list),
    )
    if (category.title === undefined || targets.length === 0) return undefined
    const target = pick(targets)
    const from = `${path}/${category.title}`
    const to = `${target.path}/${category.title}`
    if (from === to || `${path}${target.path}`.includes('undefined')) return undefined
    list.splice(at, 1)
    target.list.splice(at % (target.list.length + 1), 0, category)
    return { moves: [{ from, to }], expected: { op: 'move', path: from, to, declared: true } }
  },
  'a declared merge of a category without others below': ({ trees, place: { list, path }, at, pick }) => {
    const category = list[at]!
    if (category.title === undefined || path.includes('undefined') || category.categories!.length > 0) return undefined
    list.splice(at, 1)
    const from = `${path}/${category.title}`
    const targets = listPaths({ categorySchema: trees }).filter((one) => one !== from)
    if (targets.length === 0) return undefined
    const to = pick(targets)
    return { moves: [{ from, to }], expected: { op: 'merge', path: from, to, categories: 1, declared: true } }
  },
}

function sizeIn({ categories = [] }: Writable): number {
  return categories.reduce((total, category) => total + sizeIn(category), 1)
}

function placesOf(list: Writable[], level: number, path: string): readonly Place[] {
  const below = list.flatMap((category) => {
    category.categories ??= []
    return placesOf(category.categories, level + 1, `${path}/${category.title}`)
  })
  return list.length > 0 ? [{ list, level, path }, ...below] : below
}

test.each(Object.entries(kinds))('%s is one change', (_, kind) => {
  let seen = 0
  fc.assert(
    fc.property(schemasWithin(groupLimits), fc.infiniteStream(fc.nat()), (before, numbers) => {
      const pick = <Value>(values: readonly Value[]) => values[(numbers.next().value as number) % values.length]!
      const trees = structuredClone(before.categorySchema) as Writable[]
      const places = placesOf(trees, 1, '')
      if (places.length === 0) return
      const place = pick(places)
      const edit = kind({ trees, places, place, at: pick([...place.list.keys()]), pick })
      if (!edit) return
      const after = { categorySchema: trees } as CategorySchema
      const moves = edit.moves ?? []
      const context = { before: new Set(listPaths(before)), after: new Set(listPaths(after)), isCarried: () => false }
      if (judgeMoves(moves, context).length > 0) return
      seen += 1
      expect(diffSchemas(before, after, moves).changes).toEqual([expect.objectContaining(edit.expected)])
    }),
    { seed, numRuns: runs },
  )
  expect(seen).toBeGreaterThan(runs / 6)
})

/** Schemas whose titles are all different, of at most 60 categories. */
const distinct = schemasWithin(groupLimits).map((schema) => {
  let number = 0
  const named = (list: Writable[]): Writable[] =>
    list.map(({ categories = [] }) => ({
      title: words[number++ % words.length]! + number,
      categories: named(categories),
    }))
  return named(schema.categorySchema as Writable[])
})
const words = ['Water', 'Roads', 'Soil', 'Basins', 'Geology', 'Land use', 'Energy', 'Health', 'Species', 'Climate']

test.each([
  { what: 'a rename', doEdit: rename },
  { what: 'a move', doEdit: move },
])('$what that was not declared is a removal, an addition and the right suggestion, which is sure', ({ doEdit }) => {
  let seen = 0
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (before, numbers) => {
      const pick = <Value>(values: readonly Value[]) => values[(numbers.next().value as number) % values.length]!
      const trees = structuredClone(before)
      const places = placesOf(trees, 1, '')
      if (places.length === 0) return
      const suggestion = doEdit(places, pick)
      if (!suggestion) return
      seen += 1
      const { changes, suggestions } = diffSchemas(
        { categorySchema: before } as CategorySchema,
        { categorySchema: trees } as CategorySchema,
        [],
      )
      expect(changes.map(({ op }) => op)).toEqual(['add', 'remove'])
      expect(suggestions).toEqual([{ ...suggestion, confidence: 'sure', because: expect.any(Array) }])
    }),
    { seed, numRuns: runs },
  )
  expect(seen).toBeGreaterThan(runs / 2)
})

type Pick = Edit['pick']

function rename(places: readonly Place[], pick: Pick): Move {
  const { list, path } = pick(places)
  const category = pick(list)
  const from = `${path}/${category.title}`
  category.title = 'Quarries'
  return { from, to: `${path}/Quarries` }
}

function move(places: readonly Place[], pick: Pick): Move | undefined {
  const { list, path } = pick(places)
  const category = pick(list)
  const inside = new Set(listsOf(category.categories!, 1).map((below) => below.list))
  const targets = places.filter((one) => one.list !== list && !inside.has(one.list))
  if (targets.length === 0) return undefined
  const target = pick(targets)
  list.splice(list.indexOf(category), 1)
  target.list.splice(pick([0, 1, 2]) % (target.list.length + 1), 0, category)
  return { from: `${path}/${category.title}`, to: `${target.path}/${category.title}` }
}

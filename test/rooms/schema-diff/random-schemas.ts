import fc from 'fast-check'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { findRefusedMoves, type Move, type MoveContext } from '../../../src/categories/moves.ts'
import type { Category, CategorySchema } from '../../../src/categories/schema.ts'

/** Schemas within the limits; few titles, so many equal siblings. Some categories have only a source, some one that is a URI. */
export function schemasWithin(limits: SchemaLimits): fc.Arbitrary<CategorySchema> {
  const title = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('A', 'B', 'C') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('é', 'e\u0301', ' A', '\u202eA', 'constructor', 'A'.repeat(limits.titleLength)),
    },
  )
  const description = fc.constantFrom(undefined, undefined, undefined, '', 'one', 'x'.repeat(limits.descriptionLength))
  const uri = fc.nat({ max: 9 }).map((number) => `http://example.org/concepts/${number}`)
  const source = fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: uri },
    { weight: 1, arbitrary: fc.constantFrom('', 'contentCategorySetsGroupQuery.One') },
  )
  const texts: fc.Arbitrary<Partial<Record<'title' | 'description' | 'source', string | undefined>>> = fc.oneof(
    { weight: 12, arbitrary: fc.record({ title, description, source }) },
    { weight: 1, arbitrary: fc.record({ source: fc.constantFrom('contentCategorySetsGroupQuery.Two', 'urn:x:1') }) },
  )
  const treeOf = (levels: number): fc.Arbitrary<Category> =>
    fc
      .tuple(texts, levels > 1 ? fc.array(treeOf(levels - 1), { maxLength: 3 }) : fc.constant([]), fc.boolean())
      .map(([members, categories, hasList]): Category => {
        // A list of its own: an edit of one that several categories share would make them contain each other.
        const list = categories.length > 0 || hasList ? [...categories] : undefined
        const entries = Object.entries({ ...members, categories: list })
        return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
      })
  return fc
    .array(treeOf(limits.levels), { maxLength: limits.trees })
    .map((categorySchema) => ({ categorySchema }))
    .filter(({ categorySchema }) => sizeOf(categorySchema) <= limits.categories)
}

/** Pairs of schemas: unrelated, or one made of the other by some edits. */
export function pairsWithin(limits: SchemaLimits): fc.Arbitrary<readonly [CategorySchema, CategorySchema]> {
  const schemas = schemasWithin(limits)
  const edited = fc.tuple(schemas, fc.array(fc.nat(), { minLength: 1, maxLength: 8 })).map(([before, numbers]) => {
    const after = structuredClone(before)
    for (const number of numbers) edit(after.categorySchema as Writable[], number, limits.levels)
    return [before, after] as const
  })
  return fc.oneof(fc.tuple(schemas, schemas), edited)
}

/** A category whose members a test may write. */
export interface Writable {
  title?: string
  description?: string
  source?: string
  categories?: Writable[]
}

/** One edit that the number chooses: a removal, another title, a description, a copy elsewhere, another place. */
function edit(trees: Writable[], number: number, maxLevels: number): void {
  const lists = listsOf(trees, 1).filter(({ level }) => level <= maxLevels)
  const pick = <Value>(values: readonly Value[], salt: number) => values[(number >>> salt) % values.length]!
  const filled = lists.filter(({ list }) => list.length > 0)
  if (filled.length === 0) {
    trees.push({ title: 'A' })
    return
  }
  const { list } = pick(filled, 3)
  const at = (number >>> 9) % list.length
  const category = list[at]!
  const place = pick(
    lists.filter(({ level }) => level + heightOf(category) - 1 <= maxLevels),
    7,
  ).list
  const position = (number >>> 11) % (place.length + 1)
  if (number % 5 === 0) list.splice(at, 1)
  if (number % 5 === 1) category.title = pick(['A', 'B', 'D'], 5)
  if (number % 5 === 2) category.description = pick(['', 'two'], 5)
  if (number % 5 === 3) place.splice(position, 0, structuredClone(category))
  if (number % 5 === 4) {
    list.splice(at, 1)
    // Its own subtree is no place for it.
    const isOutside = listsOf(trees, 1).some((one) => one.list === place)
    if (isOutside) place.splice(position, 0, category)
  }
}

/** The lists of siblings, with the level of what is in them; those of categories without children included. */
export function listsOf(
  list: Writable[],
  level: number,
): readonly { readonly list: Writable[]; readonly level: number }[] {
  const below = list.flatMap((category) => {
    category.categories ??= []
    return listsOf(category.categories, level + 1)
  })
  return [{ list, level }, ...below]
}

export function heightOf({ categories = [] }: Writable): number {
  return 1 + Math.max(0, ...categories.map(heightOf))
}

export function sizeOf(categories: readonly Category[]): number {
  return categories.reduce((total, category) => total + 1 + sizeOf(category.categories ?? []), 0)
}

/** The moves without those that are refused, and those that are refused without these. */
export function acceptedOf(moves: readonly Move[], context: MoveContext): readonly Move[] {
  const refused = new Set(findRefusedMoves(moves, context).map(({ position }) => position))
  if (refused.size === 0) return moves
  return acceptedOf(
    moves.filter((_, position) => !refused.has(position)),
    context,
  )
}

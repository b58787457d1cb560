import { withAbove } from '../lineage.ts'
import type { Move } from '../moves.ts'
import type { Category, CategorySchema } from '../schema.ts'
import { groupBy } from './tree.ts'

/**
 * Both schemas without what is below categories that have the same below them in both: no sum of a diff counts anything there.
 * Most of two versions is equal, and comparing it takes less than matching it.
 */
export function withoutEqualParts(
  before: CategorySchema,
  after: CategorySchema,
  moves: readonly Move[],
): readonly [CategorySchema, CategorySchema] {
  const above = new Set(moves.flatMap(({ from, to }) => [...withAbove(parentOf(from)), ...withAbove(parentOf(to))]))
  const equal = new Set<Category>()

  function compare(path: string, one: Category, otherPath: string, other: Category): void {
    const isSettled = !above.has(path) && !above.has(otherPath)
    if (isSettled && !hasSource(one, other) && haveEqualBelow(one, other)) equal.add(one).add(other)
  }

  function comparePlaces(siblings: Siblings, others: Siblings, parentPath: string): void {
    const [titles, otherTitles] = [byTitle(siblings), byTitle(others)]
    if (!titles || !otherTitles) return
    for (const [title, one] of titles) {
      const other = otherTitles.get(title)
      const path = `${parentPath}/${title}`
      // What has the path of a category that moves, or that another becomes, is not the same one; nor perhaps with a source.
      if (!other || ends.has(path) || hasSource(one, other)) continue
      compare(path, one, path, other)
      if (!equal.has(one)) comparePlaces(one.categories ?? [], other.categories ?? [], path)
    }
  }

  const ends = new Set(moves.flatMap(({ from, to }) => [from, to]))
  comparePlaces(before.categorySchema, after.categorySchema, '')
  const [starts, targets] = [new Set(moves.map(({ from }) => from)), groupBy(moves, ({ to }) => to)]
  for (const { from, to } of moves) {
    // Where another is or comes, they are merged.
    const isAlone = targets.get(to)!.length === 1 && (starts.has(to) || !isThere(before.categorySchema, to))
    const one = isAlone ? findByPath(before.categorySchema, from) : undefined
    const other = isAlone ? findByPath(after.categorySchema, to) : undefined
    if (one && other) compare(from, one, to, other)
  }
  return [withoutBelow(before, equal), withoutBelow(after, equal)]
}

type Siblings = readonly Category[]

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/**
 * Undefined where titles repeat, or one is missing: which of several such siblings are matched depends on the texts of all,
 * with what is below them.
 */
function byTitle(siblings: Siblings): ReadonlyMap<string, Category> | undefined {
  const titles = new Map<string, Category>()
  for (const category of siblings) if (category.title !== undefined) titles.set(category.title, category)
  return titles.size === siblings.length ? titles : undefined
}

/** The category of the path, where no titles repeat beside it or above. */
function findByPath(siblings: Siblings, path: string): Category | undefined {
  const [title, ...below] = path.slice(1).split('/')
  const found = byTitle(siblings)?.get(title!)
  return !found || below.length === 0 ? found : findByPath(found.categories ?? [], `/${below.join('/')}`)
}

/** Whether the path is one of the schema, be it of several categories. */
function isThere(siblings: Siblings, path: string): boolean {
  const [title, ...below] = path.slice(1).split('/')
  const found = siblings.filter((category) => category.title === title)
  if (below.length === 0) return found.length > 0
  return found.some(({ categories = [] }) => isThere(categories, `/${below.join('/')}`))
}

/** By a source, a category may be the same as one elsewhere. */
function hasSource(one: Category, other: Category): boolean {
  return one.source !== undefined || other.source !== undefined
}

/** Whether the subtrees say the same but for their tops. */
function haveEqualBelow(one: Category, other: Category): boolean {
  const [below, belowOther] = [one.categories ?? [], other.categories ?? []]
  return below.length === belowOther.length && below.every((child, at) => areEqual(child, belowOther[at]!))
}

function areEqual(one: Category, other: Category): boolean {
  if (one.title !== other.title || one.description !== other.description) return false
  return !hasSource(one, other) && haveEqualBelow(one, other)
}

function withoutBelow({ categorySchema }: CategorySchema, tops: ReadonlySet<Category>): CategorySchema {
  const strip = (category: Category): Category => {
    const { categories = [] } = category
    return categories.length === 0
      ? category
      : { ...category, categories: tops.has(category) ? [] : categories.map(strip) }
  }
  return { categorySchema: categorySchema.map(strip) }
}

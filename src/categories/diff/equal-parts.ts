import { withAbove } from '../lineage.ts'
import type { Move } from '../moves.ts'
import type { Category, CategorySchema } from '../schema.ts'
import { groupBy } from './tree.ts'

/**
 * Both schemas without what is below categories that have the same below them in both: nothing there changes. Most of two
 * versions is equal, and comparing it takes less than matching it.
 */
export function withoutEqualParts(
  before: CategorySchema,
  after: CategorySchema,
  moves: readonly Move[],
): readonly [CategorySchema, CategorySchema] {
  const ends = new Set(moves.flatMap(({ from, to }) => [from, to]))
  const aboveEnds = new Set([...ends].flatMap((end) => withAbove(parentOf(end))))
  const equal = new Set<Category>()
  /** Children that were compared, by the path of their parent, which is the same category in both. */
  const compared = new Map<string, Children>()

  function compare(path: string, one: Category, otherPath: string, other: Category): void {
    const hasEnds = aboveEnds.has(path) || aboveEnds.has(otherPath)
    if (!hasEnds && haveEqualBelow(one, other)) equal.add(one).add(other)
  }

  function compareChildren(parentPath: string, siblings: Siblings, others: Siblings): void {
    const [titles, otherTitles] = [byTitle(siblings), byTitle(others)]
    if (!titles || !otherTitles) return
    compared.set(parentPath, { before: titles, after: otherTitles })
    for (const [title, one] of titles) {
      const other = otherTitles.get(title)
      const path = `${parentPath}/${title}`
      // Another category may have come to the path, or this one have gone elsewhere: by a move, or with its source.
      if (!other || ends.has(path) || hasSource(one, other)) continue
      compare(path, one, path, other)
      if (!equal.has(one)) compareChildren(path, one.categories ?? [], other.categories ?? [])
    }
  }

  function compareEnds({ from, to }: Move): void {
    const target = compared.get(parentOf(to))
    const one = compared.get(parentOf(from))?.before.get(titleOf(from))
    const other = target?.after.get(titleOf(to))
    // A category that comes to another one is merged into it.
    const isMerged = comingTo.get(to)!.length > 1 || (!starts.has(to) && target?.before.has(titleOf(to)))
    if (one && other && !isMerged) compare(from, one, to, other)
  }

  compareChildren('', before.categorySchema, after.categorySchema)
  const [starts, comingTo] = [new Set(moves.map(({ from }) => from)), groupBy(moves, ({ to }) => to)]
  for (const move of moves) compareEnds(move)
  return [withoutBelow(before, equal), withoutBelow(after, equal)]
}

type Siblings = readonly Category[]
type Titles = ReadonlyMap<string, Category>

interface Children {
  readonly before: Titles
  readonly after: Titles
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Undefined where titles repeat, or one is missing: which of several such siblings are matched depends on the texts of all,
 * with what is below them.
 */
function byTitle(siblings: Siblings): Titles | undefined {
  const titles = new Map<string, Category>()
  for (const category of siblings) if (category.title !== undefined) titles.set(category.title, category)
  return titles.size === siblings.length ? titles : undefined
}

/** A category may be the same as one elsewhere by its source. */
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

import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listCategories } from '../../../src/categories/schema-paths.ts'
import { fold } from '../../../src/search/folding.ts'

/** Choices of the picker: every category of a schema as a row of a tree. Without DOM. */

export interface Choice {
  /** `/Region/World`: the path that items carry, and the value of the picker. */
  readonly path: string
  readonly title: string
  readonly description: string | undefined
  /** Level, from 1 for the trees. */
  readonly level: number
  /** Undefined for a tree. */
  readonly parent: Choice | undefined
  readonly hasChildren: boolean
  /** Position among its siblings, from 1. */
  readonly position: number
  readonly siblings: number
}

/** Choices of a schema, parents first. A category without a title has no path, and cannot be chosen. */
export function listChoices(schema: CategorySchema): readonly Choice[] {
  const byPath = new Map<string, Choice>()
  const counts = new Map<string, number>()
  const placed = listCategories(schema).flatMap(({ category, path }) => {
    if (path === undefined || counts.has(path)) return []
    const parentPath = path.slice(0, path.length - category.title!.length - 1)
    counts.set(path, 0)
    counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1)
    return [{ category, path, parentPath, position: counts.get(parentPath)! }]
  })
  for (const { category, path, parentPath, position } of placed) {
    const parent = byPath.get(parentPath)
    byPath.set(path, {
      path,
      title: category.title!,
      description: category.description,
      level: (parent?.level ?? 0) + 1,
      parent,
      hasChildren: counts.get(path)! > 0,
      position,
      siblings: counts.get(parentPath)!,
    })
  }
  return [...byPath.values()]
}

/** Visible rows: those whose ancestors are all open; with a search, its matches and their ancestors. */
export function listVisible(choices: readonly Choice[], open: ReadonlySet<string>, search: string): readonly Choice[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return choices.filter((choice) => ancestorsOf(choice).every(({ path }) => open.has(path)))
  const found = new Set<Choice>()
  for (const choice of choices) {
    const text = fold(choice.title)
    if (!words.every((word) => text.includes(word))) continue
    for (const shown of [choice, ...ancestorsOf(choice)]) found.add(shown)
  }
  return choices.filter((choice) => found.has(choice))
}

/** Ancestors, from the parent to the tree. */
export function ancestorsOf({ parent }: Choice): readonly Choice[] {
  return parent ? [parent, ...ancestorsOf(parent)] : []
}

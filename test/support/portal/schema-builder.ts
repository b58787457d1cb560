/** A category as a test writes it; `extra` members may be anything. */
export interface Node {
  readonly title?: unknown
  readonly description?: unknown
  readonly categories?: unknown
  readonly source?: unknown
  readonly [extra: string]: unknown
}

/** A schema with these trees. */
export function aSchema(...trees: readonly unknown[]): { readonly categorySchema: readonly unknown[] } {
  return { categorySchema: trees }
}

/** One tree, with nothing that any rule could mind. */
export const plainSchema = aSchema({ title: 'Region' })

/** Trees of one category each. */
export function aSchemaOfTrees(count: number) {
  return aSchema(...Array.from({ length: count }, (_, index) => ({ title: `Tree ${index + 1}` })))
}

/** One tree that is so many levels high, the root included. */
export function aSchemaOfLevels(count: number) {
  let tree: Node = { title: `Level ${count}` }
  for (let level = count - 1; level >= 1; level -= 1) tree = { title: `Level ${level}`, categories: [tree] }
  return aSchema(tree)
}

/** So many categories in all, roots counted, spread over five trees with two levels. */
export function aSchemaOfCategories(count: number) {
  const roots = Math.min(5, count)
  const trees = Array.from({ length: roots }, (_, root) => {
    const children = Math.floor((count - roots + root) / roots)
    return {
      title: `Tree ${root + 1}`,
      categories: Array.from({ length: children }, (_, child) => ({ title: `Category ${root + 1}.${child + 1}` })),
    }
  })
  return aSchema(...trees)
}

/** Text of so many UTF-16 code units. */
export function aText(units: number): string {
  return 'Land cover and land use '.repeat(Math.ceil(units / 24)).slice(0, units - 1) + '.'
}

/** Text of so many UTF-16 code units, each character taking two. */
export function anAstralText(units: number): string {
  return '🗺'.repeat(units / 2)
}

import type { Category, CategorySchema } from './schema.ts'

/**
 * The one text of all documents that say the same: members in the order title, description, source, categories, no white
 * space, an absent list of children like an empty one, and an absent description like an empty one. Unicode is not
 * normalised, as it is not where items carry paths (chosen).
 */
export function canonicalText({ categorySchema }: CategorySchema): string {
  return `{"categorySchema":[${categorySchema.map(canonicalCategory).join(',')}]}`
}

function canonicalCategory(category: Category): string {
  return canonicalObject(category, (category.categories ?? []).map(canonicalCategory))
}

/** The canonical text of a category, given those of its children. */
export function canonicalObject({ title, description, source }: Category, children: readonly string[]): string {
  const members = [
    title === undefined ? [] : `"title":${JSON.stringify(title)}`,
    description ? `"description":${JSON.stringify(description)}` : [],
    source === undefined ? [] : `"source":${JSON.stringify(source)}`,
    children.length > 0 ? `"categories":[${children.join(',')}]` : [],
  ]
  return `{${members.flat().join(',')}}`
}

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
  const members: string[] = []
  if (title !== undefined) members.push(`"title":${JSON.stringify(title)}`)
  if (description) members.push(`"description":${JSON.stringify(description)}`)
  if (source !== undefined) members.push(`"source":${JSON.stringify(source)}`)
  if (children.length > 0) members.push(`"categories":[${children.join(',')}]`)
  return `{${members.join(',')}}`
}

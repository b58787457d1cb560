import type { Category, CategorySchema } from '../../../src/categories/schema.ts'

/** A schema in one line: `A: description <source> (B, C (D))`. */
export function sketch({ categorySchema }: CategorySchema): string {
  return categorySchema.map(sketchCategory).join(', ')
}

function sketchCategory({ title = '?', description, source, categories }: Category): string {
  const below = categories && `(${sketch({ categorySchema: categories })})`
  return [description === undefined ? title : `${title}: ${description}`, source && `<${source}>`, below]
    .filter((part) => part !== undefined)
    .join(' ')
}

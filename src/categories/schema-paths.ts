import type { Category, CategorySchema } from './schema.ts'

/** A category and its place in a schema. */
export interface ListedCategory {
  readonly category: Category
  /** `/Region/World`. A category without a title has none, nor has what is below it. */
  readonly path: string | undefined
  /** JSON pointer, `/categorySchema/0/categories/2`. */
  readonly pointer: string
}

/** Every category, parents first, in the order of the document. */
export function listCategories({ categorySchema }: CategorySchema): readonly ListedCategory[] {
  const listed: ListedCategory[] = []
  const visit = (siblings: readonly Category[], parentPath: string | undefined, listPointer: string) => {
    for (const [position, category] of siblings.entries()) {
      const { title, categories = [] } = category
      const path = parentPath === undefined || title === undefined ? undefined : `${parentPath}/${title}`
      const pointer = `${listPointer}/${position}`
      listed.push({ category, path, pointer })
      visit(categories, path, `${pointer}/categories`)
    }
  }
  visit(categorySchema, '', '/categorySchema')
  return listed
}

/** Every path, each as often as categories have it: a move lists those of two schemas, for which it needs no pointers. */
export function listPaths({ categorySchema }: CategorySchema): readonly string[] {
  const paths: string[] = []
  const visit = (siblings: readonly Category[], parentPath: string) => {
    for (const { title, categories } of siblings) {
      if (title === undefined) continue
      const path = `${parentPath}/${title}`
      paths.push(path)
      if (categories) visit(categories, path)
    }
  }
  visit(categorySchema, '')
  return paths
}

import type { Category, CategorySchema } from '../categories/schema.ts'
import type { Place } from './schema-file.ts'

/** A schema, and where in a file its categories come from, by JSON pointer. */
export interface PlacedSchema {
  readonly schema: CategorySchema
  readonly places: ReadonlyMap<string, Place>
}

/**
 * Adds the categories of a file to a schema. Those of equal paths are one: its children are merged, and its description and
 * source are those of the file, if it has any. All others are added behind their siblings. Nothing is removed (chosen).
 */
export function mergeSchemas(present: CategorySchema, added: PlacedSchema): PlacedSchema {
  const places = new Map<string, Place>()

  function merge(
    kept: readonly Category[],
    more: readonly Category[],
    into: string,
    from: string,
  ): readonly Category[] {
    const unmatched = Map.groupBy(kept.keys(), (at) => keyOf(kept[at]!))
    const merged: Category[] = [...kept]
    for (const [at, category] of more.entries()) {
      // The first of siblings with one title in the file is the first of the schema.
      const match = unmatched.get(keyOf(category))?.shift()
      const position = match ?? merged.length
      const target = match === undefined ? {} : kept[match]!
      const pointer = `${into}/${position}`
      const origin = `${from}/${at}`
      const place = added.places.get(origin)
      if (place) places.set(pointer, place)
      const below = category.categories ?? []
      merged[position] = {
        ...target,
        ...category,
        ...(below.length > 0 || target.categories
          ? { categories: merge(target.categories ?? [], below, `${pointer}/categories`, `${origin}/categories`) }
          : {}),
      }
    }
    return merged
  }

  const { categorySchema } = added.schema
  const trees = merge(present.categorySchema, categorySchema, '/categorySchema', '/categorySchema')
  return { schema: { categorySchema: trees }, places }
}

/** Key by which two siblings are one category: the title, or the source of one that has none. */
function keyOf({ title, source }: Category): string {
  return title === undefined ? `source ${source}` : `title ${title}`
}

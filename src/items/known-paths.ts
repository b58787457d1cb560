import type { CategorySchema } from '../categories/schema.ts'
import type { CategoryReaders, SchemaOwner } from '../categories/store.ts'
import { KnownPaths, listPaths } from './category-paths.ts'

/** The paths of the owner's present schema; none without one. */
export async function readKnownPaths({ categories }: CategoryReaders, owner: SchemaOwner): Promise<KnownPaths> {
  const present = await categories.findDocument(owner)
  if (!present) return new KnownPaths([])
  const schema = JSON.parse(Buffer.from(present.document).toString()) as CategorySchema
  return new KnownPaths(listPaths(schema))
}

import type { SchemaOwner } from '../../../src/categories/store.ts'
import type { CategoryCount, ItemReader } from '../../../src/items/store.ts'

/** Counts of the paths that items carry and of those above them, without the two of all items. */
export async function countsByPath(
  items: Pick<ItemReader, 'countCoverage'>,
  owner: SchemaOwner,
): Promise<readonly CategoryCount[]> {
  return (await items.countCoverage(owner)).slice(2)
}

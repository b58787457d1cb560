import type { CategorySchema } from '../../categories/schema.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import type { CategoryReaders, SchemaOwner } from '../../categories/store.ts'
import { KnownPaths } from './category-paths.ts'

/** The paths of the owner's present schema; none without one. */
export async function readKnownPaths({ categories }: CategoryReaders, owner: SchemaOwner): Promise<KnownPaths> {
  const present = await categories.findDocument(owner)
  return present ? knownPathsOf(present.document) : new KnownPaths([])
}

/** How many documents' paths are remembered (chosen): an organization writes many items between two of its schemas. */
const maxRemembered = 16

/** The last documents with their paths, the latest first. */
let remembered: readonly { readonly document: Uint8Array; readonly paths: KnownPaths }[] = []

/** Found by the bytes of the document, so that nothing becomes stale: comparing them takes a hundredth of parsing them. */
function knownPathsOf(document: Uint8Array): KnownPaths {
  const known = remembered.find((one) => Buffer.compare(one.document, document) === 0)
  if (known && known === remembered[0]) return known.paths
  const schema = () => JSON.parse(Buffer.from(document).toString()) as CategorySchema
  const entry = known ?? { document, paths: new KnownPaths(listPaths(schema())) }
  remembered = [entry, ...remembered.filter((one) => one !== known)].slice(0, maxRemembered)
  return entry.paths
}

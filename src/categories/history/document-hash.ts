import type { CategorySchema } from '../schema.ts'
import { hashOf } from '../schema-hash.ts'

/** Schema where none is set. */
export const emptySchema: CategorySchema = { categorySchema: [] }

/** Computed once for the bytes of each document, as long as these are kept. */
const known = new WeakMap<Uint8Array, string>()

/** The hash of a stored document; that of the empty schema where there is none. */
export function hashOfDocument(document: Uint8Array | undefined): string {
  if (!document) return hashOf(emptySchema)
  const found = known.get(document) ?? hashOf(parseDocument(document))
  known.set(document, found)
  return found
}

/** The schema of a stored document; the empty one where there is none. */
export function parseDocument(document: Uint8Array | undefined): CategorySchema {
  return document ? JSON.parse(Buffer.from(document).toString()) : emptySchema
}

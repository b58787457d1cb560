import { sha256Of } from '../../digest.ts'
import { canonicalText } from '../canonical.ts'
import type { CategorySchema } from '../schema.ts'

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

/** `sha256:` and 64 hexadecimal digits; does not depend on the version of the program, so any client can compute it. */
export function hashOf(schema: CategorySchema): string {
  return `sha256:${sha256Of(canonicalText(schema))}`
}

import { sha256Of } from '../digest.ts'
import { canonicalText } from './canonical.ts'
import type { CategorySchema } from './schema.ts'

/** `sha256:` and 64 hexadecimal digits; does not depend on the version of the program, so any client can compute it. */
export function hashOf(schema: CategorySchema): string {
  return `sha256:${sha256Of(canonicalText(schema))}`
}

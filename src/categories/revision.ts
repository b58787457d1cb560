import type { PresentSchema } from './store.ts'

/**
 * Tells one state of an owner's schema from every other one, for entity tags. A version alone does not: after a backup
 * was restored, its number is given again.
 */
export function revisionOf(present: PresentSchema | undefined): string {
  return present ? `${present.version}-${present.assignedAt.toString(36)}` : '0'
}

/** Why the schema is not one of those that the client expects; undefined if it is, or if the client expects none. */
export function findChange(
  expected: readonly string[] | undefined,
  present: PresentSchema | undefined,
): string | undefined {
  if (!expected || expected.includes(revisionOf(present))) return undefined
  if (!present) return 'If-Match names a category schema, but none is set.'
  const assigned = new Date(present.assignedAt).toISOString()
  return `If-Match names another category schema: the present one has version ${present.version}, assigned at ${assigned}.`
}

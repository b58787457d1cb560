import type { PresentSchema } from './store.ts'

/**
 * Identifies one state of an owner's schema, for entity tags. The version alone would not, as numbers repeat after a backup
 * is restored.
 */
export function revisionOf(present: PresentSchema | undefined): string {
  return present ? `${present.version}-${present.assignedAt.toString(36)}` : '0'
}

/** Why none of the expected revisions is the present one; undefined if one is, or if any is accepted. */
export function findChange(
  expected: readonly string[] | undefined,
  present: PresentSchema | undefined,
): string | undefined {
  if (!expected || expected.includes(revisionOf(present))) return undefined
  if (!present) return 'If-Match names a category schema, but none is set.'
  const assigned = new Date(present.assignedAt).toISOString()
  return `If-Match names another category schema: the present one has version ${present.version}, assigned at ${assigned}.`
}

import type { OwnedSchema, SchemaOwner } from './store.ts'

/**
 * Identifies one state of one owner's schema, for entity tags. The version alone would not, as numbers repeat after a backup
 * is restored; without the owner, schemas of two organizations would share one, as both have the path `/portals/self`.
 */
export function revisionOf({ owner, present }: OwnedSchema): string {
  const state = present ? `${present.version}-${present.assignedAt.toString(36)}` : '0'
  return `${idOf(owner)}-${state}`
}

function idOf(owner: SchemaOwner): string {
  return owner.kind === 'group' ? owner.groupId : owner.portalId
}

/** Why none of the revisions that `If-Match` names is the present one; undefined if one is. */
export function findOtherRevision(expected: readonly string[], schema: OwnedSchema): string | undefined {
  if (expected.includes(revisionOf(schema))) return undefined
  const { present } = schema
  if (!present) return 'If-Match names a category schema, but none is set.'
  const assigned = new Date(present.assignedAt).toISOString()
  return `If-Match names another category schema: the present one has version ${present.version}, assigned at ${assigned}.`
}

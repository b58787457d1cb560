import type { OwnedSchema, SchemaOwner } from './store.ts'

/**
 * Identifies one state of one owner's schema, for entity tags. The version alone would not, as numbers repeat after a backup
 * is restored; without the owner, schemas of two organizations would share one, as both have the path `/portals/self`.
 */
export function revisionOf({ owner, present }: OwnedSchema): string {
  const state = present ? `${present.version}-${present.assignedAt.toString(36)}` : '0'
  return `${idOf(owner)}-${state}`
}

/** Whether it identifies a state of the schema of this owner. */
export function isRevisionOf(owner: SchemaOwner, revision: string): boolean {
  return revision.startsWith(`${idOf(owner)}-`)
}

function idOf(owner: SchemaOwner): string {
  return owner.kind === 'group' ? owner.groupId : owner.portalId
}

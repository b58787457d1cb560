import { groupLimits, portalLimits, type SchemaLimits } from '../../../src/categories/limits.ts'
import type { PathName, PathParameters } from '../navigation/paths.ts'

/** Owner of a category schema: the organization of the person, or a group. */
export type SchemaOwner = { readonly kind: 'organization' } | { readonly kind: 'group'; readonly id: string }

const organization: SchemaOwner = { kind: 'organization' }
const groups = new Map<string, SchemaOwner>()

/** Owner for a screen, by the values in its path: always the same object, by which a reading knows whether it is another one. */
export function ownerOf(parameters: PathParameters): SchemaOwner {
  const id = parameters['group']
  if (id === undefined) return organization
  const owner = groups.get(id) ?? { kind: 'group', id }
  groups.set(id, owner)
  return owner
}

/** Key of the owner in the name of a stored draft. */
export function keyOfOwner(owner: SchemaOwner): string {
  return owner.kind === 'organization' ? owner.kind : `group:${owner.id}`
}

/** Path of the schema in the API, which `/plan`, `/versions`, `/import`, `/export` follow. */
export function schemaPath(owner: SchemaOwner): string {
  return `${ownerPath(owner)}/categorySchema`
}

export function assignPath(owner: SchemaOwner): string {
  return `${ownerPath(owner)}/assignCategorySchema`
}

export function deletePath(owner: SchemaOwner): string {
  return `${ownerPath(owner)}/deleteCategorySchema`
}

/** Path of the owner in the API. */
export function ownerPath(owner: SchemaOwner): string {
  return owner.kind === 'organization' ? '/portals/self' : `/community/groups/${encodeURIComponent(owner.id)}`
}

/** Limits of the owner's schema. */
export function limitsOf(owner: SchemaOwner): SchemaLimits {
  return owner.kind === 'organization' ? portalLimits : groupLimits
}

type SchemaScreen = 'Schema' | 'Review' | 'History' | 'Version' | 'Comparison' | 'Import' | 'Drafts' | 'Draft'

/** Arguments of `hrefTo` for a screen about its schema: `hrefTo(...screenOf(owner, 'Review'))`. */
export function screenOf(
  owner: SchemaOwner,
  screen: SchemaScreen,
  parameters: PathParameters = {},
): [PathName, PathParameters] {
  return owner.kind === 'organization'
    ? [`organization${screen}`, parameters]
    : [`group${screen}`, { group: owner.id, ...parameters }]
}

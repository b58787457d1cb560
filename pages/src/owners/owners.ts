import { groupLimits, portalLimits, type SchemaLimits } from '../../../src/categories/limits.ts'
import type { PathName, PathParameters } from '../navigation/paths.ts'

/** What a category schema belongs to: the organization of the person, or a group. */
export type SchemaOwner = { readonly kind: 'organization' } | { readonly kind: 'group'; readonly id: string }

/** The owner that a screen is about, by the values in its path. */
export function ownerOf(parameters: PathParameters): SchemaOwner {
  const id = parameters['group']
  return id === undefined ? { kind: 'organization' } : { kind: 'group', id }
}

/** What a stored draft is kept under. */
export function keyOfOwner(owner: SchemaOwner): string {
  return owner.kind === 'organization' ? owner.kind : `group:${owner.id}`
}

/** Path of the schema in the API; `/plan`, `/versions`, `/import`, `/export` follow it. */
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

/** The limits of its schema. */
export function limitsOf(owner: SchemaOwner): SchemaLimits {
  return owner.kind === 'organization' ? portalLimits : groupLimits
}

type SchemaScreen = 'Schema' | 'Review' | 'History' | 'Version' | 'Comparison' | 'Import'

/** The arguments of `hrefTo` for a screen about its schema: `hrefTo(...screenOf(owner, 'Review'))`. */
export function screenOf(
  owner: SchemaOwner,
  screen: SchemaScreen,
  parameters: PathParameters = {},
): [PathName, PathParameters] {
  return owner.kind === 'organization'
    ? [`organization${screen}`, parameters]
    : [`group${screen}`, { group: owner.id, ...parameters }]
}

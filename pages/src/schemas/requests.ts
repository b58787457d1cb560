import type { CategorySchema } from '../../../src/categories/schema.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { permissionShape } from '../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import type { Parameters } from '../api/parameters.ts'
import { ownerPath, type SchemaOwner, schemaPath } from '../owners/owners.ts'
import { call, post, signedIn } from '../session/session.ts'
import type { PresentSchema, SchemaPlan, VersionDiff, VersionList, WholeVersion } from './answers.ts'

/** API requests of the screens about a schema. */

const emptySchema: CategorySchema = { categorySchema: [] }

/** Reads the present schema with its version, which is 0 if there never was a schema. */
export function readPresent(owner: SchemaOwner, signal?: AbortSignal): Promise<PresentSchema> {
  return call(schemaPath(owner), { withVersion: true }, { signal })
}

export function readVersion(owner: SchemaOwner, version: number, signal?: AbortSignal): Promise<WholeVersion> {
  return call(`${schemaPath(owner)}/versions/${version}`, {}, { signal })
}

/** Reads the schema of a version; that of version 0 is empty. */
export async function readSchema(owner: SchemaOwner, version: number, signal?: AbortSignal): Promise<CategorySchema> {
  return version === 0 ? emptySchema : readVersion(owner, version, signal)
}

export function listVersions(owner: SchemaOwner, start: number, signal?: AbortSignal): Promise<VersionList> {
  return call(`${schemaPath(owner)}/versions`, { start, num: 20 }, { signal })
}

/** Compares a version with another one, older or newer. */
export function compareVersions(
  owner: SchemaOwner,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<VersionDiff> {
  return call(`${schemaPath(owner)}/versions/${to}/diff`, { from }, { signal })
}

export function planSchema(owner: SchemaOwner, parameters: Parameters, signal?: AbortSignal): Promise<SchemaPlan> {
  return post(`${schemaPath(owner)}/plan`, parameters, signal)
}

/** Whether the person may do an operation, which has a name for each kind of owner, and if not, why. */
export function checkPermission(
  owner: SchemaOwner,
  ofPortal: string,
  ofGroup: string,
  signal: AbortSignal,
): Promise<ValueOf<typeof permissionShape>> {
  const question =
    owner.kind === 'organization'
      ? { operation: ofPortal }
      : { operation: ofGroup, target: JSON.stringify({ groupId: owner.id }) }
  return call('/portals/self/permissionCheck', question, { signal })
}

/** Title of the owner: the title of the group, or the name of the organization. */
export async function readOwnerTitle(owner: SchemaOwner, signal?: AbortSignal): Promise<string> {
  if (owner.kind === 'organization') return signedIn()?.portal.name ?? ''
  const { title } = await call<WireGroup>(ownerPath(owner), {}, { signal })
  return title
}

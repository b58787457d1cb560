import type { presentSchemaShape } from '../../../src/http/shapes/categories/schema-version.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { permissionShape } from '../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import { call, signedIn } from '../session/session.ts'
import type { Published } from './model/open-draft.ts'

/** The published schema, with what is known of its version. */
export interface LoadedSchema extends Published {
  /** Milliseconds since 1970; undefined if there never was a schema. */
  readonly modified: number | undefined
  /** Undefined for those who do not see versions. */
  readonly modifiedBy: string | undefined
}

/** What the editor begins with. */
export interface Opened {
  readonly schema: LoadedSchema
  /** Title of the group, or name of the organization. */
  readonly ownerName: string
  /** Why the person may not assign it, in the words of the server; undefined if they may. */
  readonly refusal: string | undefined
}

export async function openSchema(owner: SchemaOwner, signal: AbortSignal): Promise<Opened> {
  const [schema, ownerName, refusal] = await Promise.all([
    readSchema(owner, signal),
    readOwnerName(owner, signal),
    readRefusal(owner, signal),
  ])
  return { schema, ownerName, refusal }
}

export async function readSchema(owner: SchemaOwner, signal?: AbortSignal): Promise<LoadedSchema> {
  const { categorySchema, version, modified, modifiedBy } = await call<ValueOf<typeof presentSchemaShape>>(
    schemaPath(owner),
    { withVersion: true },
    { signal },
  )
  return { categorySchema, version: version ?? 0, modified: modified ?? undefined, modifiedBy: modifiedBy ?? undefined }
}

async function readOwnerName(owner: SchemaOwner, signal: AbortSignal): Promise<string> {
  if (owner.kind === 'organization') return signedIn()?.portal.name ?? ''
  const group = await call<WireGroup>(`/community/groups/${encodeURIComponent(owner.id)}`, {}, { signal })
  return group.title
}

async function readRefusal(owner: SchemaOwner, signal: AbortSignal): Promise<string | undefined> {
  const question =
    owner.kind === 'organization'
      ? { operation: 'assignPortalCategorySchema' }
      : { operation: 'assignGroupCategorySchema', target: JSON.stringify({ groupId: owner.id }) }
  const { allowed, reason } = await call<ValueOf<typeof permissionShape>>('/portals/self/permissionCheck', question, {
    signal,
  })
  return allowed ? undefined : reason
}

import type { permissionShape } from '../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import type { SchemaOwner } from '../owners/owners.ts'
import { readOwnerTitle, readPresent } from '../schemas/requests.ts'
import { call } from '../session/session.ts'
import type { LoadedSchema, Opened } from './model/open-draft.ts'

export async function openSchema(owner: SchemaOwner, signal: AbortSignal): Promise<Opened> {
  const [schema, ownerName, refusal] = await Promise.all([
    loadSchema(owner, signal),
    readOwnerTitle(owner, signal),
    readRefusal(owner, signal),
  ])
  return { schema, ownerName, refusal }
}

export async function loadSchema(owner: SchemaOwner, signal?: AbortSignal): Promise<LoadedSchema> {
  const { categorySchema, version, modified, modifiedBy } = await readPresent(owner, signal)
  return { categorySchema, version: version ?? 0, modified: modified ?? undefined, modifiedBy: modifiedBy ?? undefined }
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

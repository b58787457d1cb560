import type { Caller } from '../directory/caller.ts'
import { requireGroup, requireVisibleGroup } from '../directory/group-operations.ts'
import { mayAssignPortalSchema, mayDeletePortalSchema, mayManageCategories } from '../directory/permissions.ts'
import { requireOwnPortal, requireVisiblePortal } from '../directory/portal-operations.ts'
import { categorySchemaChanged, categorySchemaRejected, resourceNotFound } from '../errors.ts'
import { type Call, requirePermission } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import { findChange } from './revision.ts'
import type { SchemaVerdict } from './schema.ts'
import type { CategoryReaders, CategoryStores, OwnedSchema, SchemaOwner } from './store.ts'
import { putSchema } from './versions.ts'

/** The group as the owner of a schema that the caller may assign and delete, else an error. */
export async function requireGroupCategories(
  stores: CategoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<Editable> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayManageCategories(memberType))
  return { caller, portalId: group.portalId, owner: { kind: 'group', groupId: group.groupId } }
}

/** The organization as the owner of a schema that the caller may assign, else an error. */
export async function requirePortalCategories(
  stores: CategoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<Editable> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(mayAssignPortalSchema(caller, portal.portalId))
  return { caller, portalId: portal.portalId, owner: { kind: 'portal', portalId: portal.portalId } }
}

interface Editable {
  readonly caller: Caller
  readonly portalId: string
  readonly owner: SchemaOwner
}

/** Replaces the group's schema (description §4.1). */
export async function assignGroupCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { groupId: string; schema: Parsed<SchemaVerdict>; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, portalId, owner } = await requireGroupCategories(stores, call, input)
  const document = acceptSchema(input.schema)
  await requireUnchanged(stores, owner, input.ifMatch, 'assign')
  await putSchema(stores, call, { owner, portalId, document, author: caller.username })
}

/** Removes the group's schema (documented). */
export async function deleteGroupCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { groupId: string; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, owner } = await requireGroupCategories(stores, call, input)
  await requireUnchanged(stores, owner, input.ifMatch, 'delete')
  if (!(await stores.categories.removeDocument(owner, caller.username, call.now))) throw resourceNotFound()
}

/** The group's schema; for every caller who sees the group (chosen). */
export async function readGroupCategorySchema(
  stores: CategoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<OwnedSchema> {
  const { group } = await requireVisibleGroup(stores, call, input.groupId)
  const owner: SchemaOwner = { kind: 'group', groupId: group.groupId }
  return { owner, present: await stores.categories.findDocument(owner) }
}

/** Replaces the organization's schema (description §4.2). */
export async function assignPortalCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { portalId: string; schema: Parsed<SchemaVerdict>; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, portalId, owner } = await requirePortalCategories(stores, call, input)
  const document = acceptSchema(input.schema)
  await requireUnchanged(stores, owner, input.ifMatch, 'assign')
  await putSchema(stores, call, { owner, portalId, document, author: caller.username })
}

/** Removes the organization's schema (description §4.3); 404 if none is set. */
export async function deletePortalCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { portalId: string; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(mayDeletePortalSchema(caller, portal.portalId))
  const owner: SchemaOwner = { kind: 'portal', portalId: portal.portalId }
  await requireUnchanged(stores, owner, input.ifMatch, 'delete')
  if (!(await stores.categories.removeDocument(owner, caller.username, call.now))) throw resourceNotFound()
}

/** The organization's schema; for members, or for any caller if the portal is public (chosen). */
export async function readPortalCategorySchema(
  stores: CategoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<OwnedSchema> {
  const portal = await requireVisiblePortal(stores, call, input.portalId)
  const owner: SchemaOwner = { kind: 'portal', portalId: portal.portalId }
  return { owner, present: await stores.categories.findDocument(owner) }
}

/** Revisions of `If-Match`, one of which has to be the present one; undefined for any. */
type ExpectedRevisions = readonly string[] | undefined

async function requireUnchanged(
  { categories }: CategoryReaders,
  owner: SchemaOwner,
  expected: ExpectedRevisions,
  task: 'assign' | 'delete',
): Promise<void> {
  if (!expected) return
  const change = findChange(expected, { owner, present: await categories.findDocument(owner) })
  if (change) throw categorySchemaChanged(task, change)
}

function acceptSchema(judged: Parsed<SchemaVerdict>): string {
  const verdict = unwrapParsed(judged)
  if ('violations' in verdict) throw categorySchemaRejected(verdict.violations, verdict.reasons)
  return verdict.document
}

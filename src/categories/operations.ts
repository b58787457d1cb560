import { requireGroup, requireVisibleGroup } from '../directory/group-operations.ts'
import { mayAssignPortalSchema, mayDeletePortalSchema, mayManageCategories } from '../directory/permissions.ts'
import { requireOwnPortal, requireVisiblePortal } from '../directory/portal-operations.ts'
import { categorySchemaChanged, categorySchemaRejected, resourceNotFound } from '../errors.ts'
import { type Call, requirePermission } from '../operations/call.ts'
import { type Parsed, unwrapParsed } from '../parsed.ts'
import { findChange } from './revision.ts'
import type { SchemaVerdict } from './schema.ts'
import type { CategoryReaders, CategoryStores, PresentSchema, SchemaOwner } from './store.ts'

/** Replaces the group's schema (description §4.1). */
export async function assignGroupCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { groupId: string; schema: Parsed<SchemaVerdict>; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayManageCategories(memberType))
  const owner: SchemaOwner = { kind: 'group', groupId: group.groupId }
  const document = acceptSchema(input.schema)
  await requireUnchanged(stores, owner, input.ifMatch, 'assign')
  await stores.categories.putDocument(owner, document, caller.username, call.now)
}

/** Removes the group's schema (documented). */
export async function deleteGroupCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { groupId: string; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(mayManageCategories(memberType))
  const owner: SchemaOwner = { kind: 'group', groupId: group.groupId }
  await requireUnchanged(stores, owner, input.ifMatch, 'delete')
  if (!(await stores.categories.removeDocument(owner, caller.username, call.now))) throw resourceNotFound()
}

/** The group's schema, undefined if none is set; for every caller who sees the group (chosen). */
export async function readGroupCategorySchema(
  stores: CategoryReaders,
  call: Call,
  input: { groupId: string },
): Promise<PresentSchema | undefined> {
  const { group } = await requireVisibleGroup(stores, call, input.groupId)
  return stores.categories.findDocument({ kind: 'group', groupId: group.groupId })
}

/** Replaces the organization's schema (description §4.2). */
export async function assignPortalCategorySchema(
  stores: CategoryStores,
  call: Call,
  input: { portalId: string; schema: Parsed<SchemaVerdict>; ifMatch?: ExpectedRevisions },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(mayAssignPortalSchema(caller, portal.portalId))
  const owner: SchemaOwner = { kind: 'portal', portalId: portal.portalId }
  const document = acceptSchema(input.schema)
  await requireUnchanged(stores, owner, input.ifMatch, 'assign')
  await stores.categories.putDocument(owner, document, caller.username, call.now)
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

/** The organization's schema, undefined if none is set; for members, or for any caller if the portal is public (chosen). */
export async function readPortalCategorySchema(
  stores: CategoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<PresentSchema | undefined> {
  const portal = await requireVisiblePortal(stores, call, input.portalId)
  return stores.categories.findDocument({ kind: 'portal', portalId: portal.portalId })
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
  const change = findChange(expected, await categories.findDocument(owner))
  if (change) throw categorySchemaChanged(task, change)
}

function acceptSchema(judged: Parsed<SchemaVerdict>): string {
  const verdict = unwrapParsed(judged)
  if ('violations' in verdict) throw categorySchemaRejected(verdict.violations, verdict.reasons)
  return verdict.document
}

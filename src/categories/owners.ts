import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import type { Privilege } from '../call/privilege.ts'
import type { GroupOutline } from '../directory/group.ts'
import { requireGroup, requireSeen } from '../directory/group-operations.ts'
import type { MemberType } from '../directory/membership.ts'
import {
  holds,
  isDefaultAdministrator,
  mayAssignPortalSchema,
  mayDeletePortalSchema,
  mayManageCategories,
} from '../directory/permissions.ts'
import { requireOwnPortal, requireVisiblePortal } from '../directory/portal-operations.ts'
import { operationRefused } from '../errors.ts'
import { say } from '../sentences/say.ts'
import type { CategoryReaders, OwnedSchema, SchemaOwner } from './store.ts'

export type OwnerKind = SchemaOwner['kind']

/** Names of kinds of owners in ids of operations: assignGroupCategorySchema, assignPortalCategorySchema. */
export const ownerNames = { group: 'Group', portal: 'Portal' } as const satisfies Readonly<Record<OwnerKind, string>>
export type OwnerName = (typeof ownerNames)[OwnerKind]

/** Id of an operation for one kind of owner: the name of the kind follows the verb. */
type IdFor<Name extends OwnerName, Operation> = Operation extends `${infer Verb}CategorySchema`
  ? `${Verb}${Name}CategorySchema`
  : Operation extends `${infer Verb}Schema${infer Rest}`
    ? `${Verb}${Name}Schema${Rest}`
    : never

/** Operations under their ids, one for each kind of owner. */
export function forOwners<Operations extends object>(
  operations: Operations,
): { readonly [Operation in keyof Operations as IdFor<OwnerName, Operation>]: Operations[Operation] } {
  const entries = Object.values(ownerNames).flatMap((name) =>
    Object.entries(operations).map(([id, operation]) => [id.replace(/[A-Z]/, `${name}$&`), operation]),
  )
  return Object.fromEntries(entries)
}

/** An owner as a path names it: an organization may be `self`. */
export interface OwnerInput {
  readonly owner: { readonly kind: OwnerKind; readonly id: string }
}

type Require<Found> = (stores: CategoryReaders, call: Call, input: OwnerInput) => Promise<Found>

/** The owner whose schema the caller may read, else an error. */
export const requireVisible: Require<VisibleOwner> = (stores, call, { owner }) =>
  rules[owner.kind].requireVisible(stores, call, owner.id)

/** The owner whose schema the caller may assign, else an error. */
export const requireAssignable: Require<EditableOwner> = (stores, call, { owner }) =>
  rules[owner.kind].requireAssignable(stores, call, owner.id)

/** The owner whose schema the caller may delete, else an error. */
export const requireDeletable: Require<EditableOwner> = (stores, call, { owner }) =>
  rules[owner.kind].requireDeletable(stores, call, owner.id)

/** The owner whose versions the caller may see, else an error: names and comments are in them (chosen). */
export const requireHistory: Require<SchemaOwner> = (stores, call, { owner }) =>
  rules[owner.kind].requireHistory(stores, call, owner.id)

export interface VisibleOwner extends OwnedSchema {
  /** Whether the caller may see the versions too. */
  readonly canViewHistory: boolean
}

export interface EditableOwner {
  readonly caller: Caller
  readonly portalId: string
  readonly owner: SchemaOwner
  /** Id of the user who owns the group; undefined for an organization. */
  readonly ownerId?: string
}

function ownerOf({ groupId }: GroupOutline): SchemaOwner {
  return { kind: 'group', groupId }
}

/** Who may assign it, administrators of the organization, and apps that see all of its groups (chosen). */
function canViewHistoryOf(
  caller: Caller | undefined,
  group: GroupOutline,
  memberType: MemberType | undefined,
): boolean {
  if (!caller) return false
  const isApp = caller.isApp === true && holds(caller, group.portalId, 'portal:admin:viewGroups')
  return isApp || mayManageCategories(memberType) || isDefaultAdministrator(caller, group.portalId)
}

async function requireEditableGroup(stores: CategoryReaders, call: Call, groupId: string): Promise<EditableOwner> {
  const { caller, group, memberType } = await requireGroup(stores, call, groupId)
  requirePermission(mayManageCategories(memberType))
  return { caller, portalId: group.portalId, owner: ownerOf(group), ownerId: group.ownerId }
}

/** Permission for a kind of owner; `id` is as a path has it. */
interface OwnerRules {
  requireVisible(stores: CategoryReaders, call: Call, id: string): Promise<VisibleOwner>
  requireAssignable(stores: CategoryReaders, call: Call, id: string): Promise<EditableOwner>
  requireDeletable(stores: CategoryReaders, call: Call, id: string): Promise<EditableOwner>
  requireHistory(stores: CategoryReaders, call: Call, id: string): Promise<SchemaOwner>
}

const groupRules: OwnerRules = {
  async requireVisible(stores, call, groupId) {
    const found = await stores.categories.findGroupSchema(groupId, call.caller?.userId)
    const { group, memberType, present } = requireSeen(call, found)
    return { owner: ownerOf(group), present, canViewHistory: canViewHistoryOf(call.caller, group, memberType) }
  },
  requireAssignable: requireEditableGroup,
  requireDeletable: requireEditableGroup,
  async requireHistory(stores, call, groupId) {
    const { caller, group, memberType } = await requireGroup(stores, call, groupId)
    requirePermission(canViewHistoryOf(caller, group, memberType))
    return ownerOf(group)
  },
}

/** The caller's own organization, for callers to whom the permission is given: by a privilege, where there is one. */
function requireEditablePortal(mayEdit: (caller: Caller, portalId: string) => boolean, privilege?: Privilege) {
  return async (stores: CategoryReaders, call: Call, id: string): Promise<EditableOwner> => {
    const { caller, portal } = await requireOwnPortal(stores, call, id)
    const { portalId } = portal
    requirePermission(mayEdit(caller, portalId), privilege)
    return { caller, portalId, owner: { kind: 'portal', portalId } }
  }
}

const requireAssignablePortal = requireEditablePortal(mayAssignPortalSchema, 'portal:admin:updateItemCategorySchema')

const portalRules: OwnerRules = {
  async requireVisible(stores, call, id) {
    const { portalId } = await requireVisiblePortal(stores, call, id)
    const canViewHistory = call.caller !== undefined && mayAssignPortalSchema(call.caller, portalId)
    const owner = { kind: 'portal', portalId } as const
    return { owner, present: await stores.categories.findDocument(owner), canViewHistory }
  },
  requireAssignable: requireAssignablePortal,
  requireDeletable: requireEditablePortal(mayDeletePortalSchema),
  requireHistory: async (stores, call, id) => (await requireAssignablePortal(stores, call, id)).owner,
}

const rules: Readonly<Record<OwnerKind, OwnerRules>> = { group: groupRules, portal: portalRules }

/** Whether the organization asks for a second person before the schema of this owner changes. */
export async function asksForApproval(
  { directory }: CategoryReaders,
  { owner, portalId }: Pick<EditableOwner, 'owner' | 'portalId'>,
): Promise<boolean> {
  const approval = (await directory.findPortal(portalId))?.categoryApproval
  return approval === 'all' || (approval === 'organization' && owner.kind === 'portal')
}

/** Refuses a change by one person where the organization asks for two; `draft` is what to create instead. */
export async function requireNoApproval(
  stores: CategoryReaders,
  editable: Pick<EditableOwner, 'owner' | 'portalId'>,
  draft = '',
): Promise<void> {
  if (!(await asksForApproval(stores, editable))) return
  throw operationRefused(say('secondPersonNeeded', { resource: `categorySchema/drafts${draft}` }))
}

import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import type { GroupOutline } from '../directory/group.ts'
import { requireGroup, requireSeen } from '../directory/group-operations.ts'
import type { MemberType } from '../directory/membership.ts'
import {
  isDefaultAdministrator,
  mayAssignPortalSchema,
  mayDeletePortalSchema,
  mayManageCategories,
} from '../directory/permissions.ts'
import { requireOwnPortal, requireVisiblePortal } from '../directory/portal-operations.ts'
import type { Privilege } from '../directory/privilege.ts'
import { groupLimits, portalLimits, type SchemaLimits } from './limits.ts'
import type { CategoryReaders, OwnedSchema, SchemaOwner } from './store.ts'

/** What owns category schemas: groups, or organizations. `Ids` are those that a path names an owner by. */
export interface OwnerKind<Ids> {
  readonly limits: SchemaLimits
  /** The owner whose schema the caller may read, else an error. */
  requireVisible(stores: CategoryReaders, call: Call, ids: Ids): Promise<VisibleOwner>
  /** The owner whose schema the caller may assign, else an error. */
  requireAssignable(stores: CategoryReaders, call: Call, ids: Ids): Promise<EditableOwner>
  /** The owner whose schema the caller may delete, else an error. */
  requireDeletable(stores: CategoryReaders, call: Call, ids: Ids): Promise<EditableOwner>
  /** The owner whose versions the caller may see, else an error: names and comments are in them (chosen). */
  requireHistory(stores: CategoryReaders, call: Call, ids: Ids): Promise<SchemaOwner>
}

export interface VisibleOwner extends OwnedSchema {
  /** Whether the caller may see the versions too. */
  readonly seesHistory: boolean
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

/** Who may assign it, and administrators of the organization (chosen). */
function seesHistoryOf(caller: Caller | undefined, group: GroupOutline, memberType: MemberType | undefined): boolean {
  if (!caller) return false
  return mayManageCategories(memberType) || isDefaultAdministrator(caller, group.portalId)
}

async function requireEditableGroup(
  stores: CategoryReaders,
  call: Call,
  { groupId }: GroupIds,
): Promise<EditableOwner> {
  const { caller, group, memberType } = await requireGroup(stores, call, groupId)
  requirePermission(mayManageCategories(memberType))
  return { caller, portalId: group.portalId, owner: ownerOf(group), ownerId: group.ownerId }
}

export interface GroupIds {
  readonly groupId: string
}

export const groupOwners: OwnerKind<GroupIds> = {
  limits: groupLimits,
  async requireVisible(stores, call, { groupId }) {
    const found = await stores.categories.findGroupSchema(groupId, call.caller?.userId)
    const { group, memberType, present } = requireSeen(call, found)
    return { owner: ownerOf(group), present, seesHistory: seesHistoryOf(call.caller, group, memberType) }
  },
  requireAssignable: requireEditableGroup,
  requireDeletable: requireEditableGroup,
  async requireHistory(stores, call, { groupId }) {
    const { caller, group, memberType } = await requireGroup(stores, call, groupId)
    requirePermission(seesHistoryOf(caller, group, memberType))
    return ownerOf(group)
  },
}

export interface PortalIds {
  readonly portalId: string
}

/** The caller's own organization, for callers to whom the permission is given: by a privilege, where there is one. */
function requireEditablePortal(mayEdit: (caller: Caller, portalId: string) => boolean, privilege?: Privilege) {
  return async (stores: CategoryReaders, call: Call, ids: PortalIds): Promise<EditableOwner> => {
    const { caller, portal } = await requireOwnPortal(stores, call, ids.portalId)
    const { portalId } = portal
    requirePermission(mayEdit(caller, portalId), privilege)
    return { caller, portalId, owner: { kind: 'portal', portalId } }
  }
}

const requireAssignablePortal = requireEditablePortal(mayAssignPortalSchema, 'portal:admin:updateItemCategorySchema')

export const portalOwners: OwnerKind<PortalIds> = {
  limits: portalLimits,
  async requireVisible(stores, call, ids) {
    const { portalId } = await requireVisiblePortal(stores, call, ids.portalId)
    const seesHistory = call.caller !== undefined && mayAssignPortalSchema(call.caller, portalId)
    const owner = { kind: 'portal', portalId } as const
    return { owner, present: await stores.categories.findDocument(owner), seesHistory }
  },
  requireAssignable: requireAssignablePortal,
  requireDeletable: requireEditablePortal(mayDeletePortalSchema),
  requireHistory: async (stores, call, ids) => (await requireAssignablePortal(stores, call, ids)).owner,
}

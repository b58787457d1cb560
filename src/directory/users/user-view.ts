import { type Call, requireCaller } from '../../call/call.ts'
import { isBuiltInRole, type Privilege } from '../../call/privilege.ts'
import { resourceNotFound } from '../../errors.ts'
import type { Slice } from '../../paging.ts'
import { canViewPersonalDetails, holds } from '../permissions.ts'
import { privilegesOf } from '../role.ts'
import type { DirectoryReaders, Membership } from '../store.ts'
import type { User } from '../user.ts'

/** A user as the caller sees it. */
export interface ListedUser {
  readonly user: User
  /** Whether the caller sees personal details, such as the e-mail address. */
  readonly isConfidant: boolean
}

/** Includes privileges, and the first groups if the caller sees them. */
export interface UserView extends ListedUser {
  readonly privileges: readonly Privilege[]
  readonly groups: Slice<Membership> | undefined
}

/** Maximum number of bytes of the groups in a view, about: clients read it at every sign-in (chosen). */
const maxGroupBytes = 512 * 1024

/** The user as the caller sees it. */
export async function viewUser({ directory }: DirectoryReaders, call: Call, user: User): Promise<UserView> {
  const custom = isBuiltInRole(user.role) ? undefined : await directory.findRole(user.role)
  const isSelf = call.caller?.userId === user.userId
  const canViewGroups =
    isSelf || (call.caller !== undefined && holds(call.caller, user.portalId, 'portal:admin:viewGroups'))
  return {
    user,
    isConfidant: canViewPersonalDetails(call.caller, user),
    privileges: privilegesOf(user.role, custom),
    groups: canViewGroups
      ? await directory.listGroupsOf(user.userId, { entries: call.limits.groupsInView, bytes: maxGroupBytes })
      : undefined,
  }
}

/** The caller's own view; 499 for an anonymous caller. */
export async function viewCaller(stores: DirectoryReaders, call: Call): Promise<UserView> {
  const user = await stores.directory.findUserById(requireCaller(call).userId)
  if (!user) throw resourceNotFound()
  return viewUser(stores, call, user)
}

import { requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import type { Privilege } from '../call/privilege.ts'
import { holds } from './permissions.ts'

/** Refuses with 403 callers without the privilege in this organization. */
export function requirePrivilege(caller: Caller, portalId: string, privilege: Privilege): void {
  // No privilege of the caller would do in another organization.
  requirePermission(holds(caller, portalId, privilege), caller.portalId === portalId ? privilege : undefined)
}

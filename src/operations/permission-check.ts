import { type Call, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { isDefaultAdministrator } from '../directory/permissions.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import { listPrivilegesOf } from '../directory/users/governing.ts'
import { findNamedUser } from '../directory/users/named-user.ts'
import {
  appNotAccessible,
  groupNotFound,
  itemNotFound,
  PortalError,
  permissionDenied,
  resourceNotFound,
  tokenRequired,
  userNotFound,
} from '../errors.ts'
import type { Readers } from '../storage/storage.ts'

/** Thrown in place of a write, and of slow work before one: all permissions of the operation are given. */
export class WouldWrite extends Error {
  override readonly name = 'WouldWrite'
}

/** Verdict on an operation for a user. */
export type PermissionVerdict =
  | { readonly verdict: 'permitted' | 'disabled' }
  /** Permitted, but refused now for its input or for the present state. */
  | { readonly verdict: 'refusedNow'; readonly details: readonly string[] }
  /** `privilege`: the missing one, if a single privilege is missing. */
  | { readonly verdict: 'forbidden'; readonly privilege: string | undefined }
  /** The target does not exist, or the user does not see it. */
  | { readonly verdict: 'notFound'; readonly message: string }

export interface PermissionQuestion {
  /** Username or id; undefined for the caller. */
  readonly user: string | undefined
  /** Executes the operation as `call.caller`, without writing. */
  attempt(stores: Readers, call: Call): Promise<unknown>
}

/**
 * Checks whether a user of the caller's organization may call an operation: the operation itself decides, executed as this user
 * without writing. Only default administrators may check other users, as the answer shows what these see (chosen).
 */
export async function checkPermission(
  stores: Readers,
  call: Call,
  input: { readonly portalId: string; readonly question: Parsed<PermissionQuestion> },
): Promise<PermissionVerdict & { readonly username: string }> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const { user: named = caller.username, attempt } = unwrapParsed(input.question)
  const user = await findNamedUser(stores, named)
  requirePermission(user?.userId === caller.userId || isDefaultAdministrator(caller, portal.portalId))
  if (user?.portalId !== portal.portalId) throw userNotFound()
  const { userId, username, portalId, role } = user
  if (user.disabled) return { username, verdict: 'disabled' }
  const asked: Caller = { userId, username, portalId, role, privileges: new Set(await listPrivilegesOf(stores, user)) }
  return { username, ...(await judgeAttempt(() => attempt(stores, { ...call, caller: asked }))) }
}

/** Verdict on an attempt, which throws WouldWrite in place of its first write. */
export async function judgeAttempt(attempt: () => Promise<unknown>): Promise<PermissionVerdict> {
  try {
    await attempt()
  } catch (error) {
    if (!(error instanceof WouldWrite)) return judgeRefusal(error)
  }
  return { verdict: 'permitted' }
}

/** Whether the user may call the operation, even if its input or the present state would refuse it. */
export function isAllowed({ verdict }: PermissionVerdict): boolean {
  return verdict === 'permitted' || verdict === 'refusedNow'
}

const notFound = [resourceNotFound(), groupNotFound(), userNotFound(), itemNotFound(), appNotAccessible()]

/** Verdict of a refusal: "not found" and 403 are decided before or at the permission check, all others after it. */
function judgeRefusal(error: unknown): PermissionVerdict {
  if (!(error instanceof PortalError)) throw error
  const { code, message, details, privilege } = error
  if (code === permissionDenied().code || code === tokenRequired().code) return { verdict: 'forbidden', privilege }
  if (notFound.some((one) => one.code === code && one.message === message)) return { verdict: 'notFound', message }
  return { verdict: 'refusedNow', details: details.length > 0 ? details : [message] }
}

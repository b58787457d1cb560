import { permissionDenied, tokenRequired } from '../errors.ts'
import type { Privilege } from './privilege.ts'

/** Who calls: a signed-in, enabled user with what its role allows at this moment. */
export interface Caller {
  readonly userId: string
  readonly username: string
  readonly portalId: string
  /** A built-in role, or the id of a custom one. */
  readonly role: string
  readonly privileges: ReadonlySet<Privilege>
}

/** One call of an operation. Time comes in here; a room never asks the clock. */
export interface Call {
  /** Undefined for an anonymous caller. */
  readonly caller: Caller | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** What the audit is told of a call, where it is not simply the caller, the operation's path and success. */
export interface Account {
  readonly username?: string
  readonly portalId?: string | undefined
  /** What it was done to, as a path below the base. */
  readonly target?: string
  readonly outcome?: number
}

/** The output of an operation that tells the audit what only itself knows. */
export interface Accounted {
  readonly account: Account
}

/** The signed-in caller, or 499. */
export function requireCaller(call: Call): Caller {
  if (!call.caller) throw tokenRequired()
  return call.caller
}

/** Refuses with 403 unless the rule that was asked says yes. */
export function requirePermission(allowed: boolean): void {
  if (!allowed) throw permissionDenied()
}

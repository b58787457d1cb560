import { permissionDenied, tokenRequired } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Caller } from './caller.ts'

/** One call of an operation. Rooms take the time from here and never read the clock. */
export interface Call {
  /** Undefined for an anonymous caller. */
  readonly caller: Caller | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly limits: Limits
}

/** The signed-in caller, or 499. */
export function requireCaller(call: Call): Caller {
  if (!call.caller) throw tokenRequired()
  return call.caller
}

/** Refuses with 403 unless the permission is given; `missing` is the privilege that would give it, if there is a single one. */
export function requirePermission(allowed: boolean, missing?: string): void {
  if (!allowed) throw permissionDenied(missing)
}

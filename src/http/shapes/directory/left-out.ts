import type { LeftOut } from '../../../directory/membership.ts'
import { list, text } from '../shape.ts'

/** Beside a documented list of usernames that were left out (chosen). */
export const leftOutReasons = list(text(), 'One sentence for each of these usernames; absent if there are none.')

/** Warnings of the operations that invite, in place of those of other changes (chosen). */
export const inviteWarnings = {
  warnings: list(
    text(),
    'What was perhaps not meant: parameters that were ignored and are near to one that is not given, or that no user was invited; usually absent.',
  ),
}

/** Beside `success: true` where all who were named are left out: clients expect that word even then (observed). */
export function warnIfNone(named: number, leftOut: number): { readonly warnings?: readonly string[] } {
  return named > 0 && leftOut === named ? { warnings: ['No user was invited.'] } : {}
}

export function leftOutToWire(leftOut: readonly LeftOut[]): {
  readonly users: readonly string[]
  readonly reasons: { readonly reasons?: readonly string[] }
} {
  const reasons = leftOut.map(({ username, reason }) => `${username} ${reason}`)
  return { users: leftOut.map(({ username }) => username), reasons: reasons.length > 0 ? { reasons } : {} }
}

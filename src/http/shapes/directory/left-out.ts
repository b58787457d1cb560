import type { LeftOut } from '../../../directory/membership.ts'
import { list, text } from '../shape.ts'

/** Beside a documented list of usernames that were left out (chosen). */
export const leftOutReasons = list(text(), 'One sentence for each of these usernames; absent if there are none.')

export function leftOutToWire(leftOut: readonly LeftOut[]): {
  readonly users: readonly string[]
  readonly reasons: { readonly reasons?: readonly string[] }
} {
  const reasons = leftOut.map(({ username, reason }) => `${username} ${reason}`)
  return { users: leftOut.map(({ username }) => username), reasons: reasons.length > 0 ? { reasons } : {} }
}

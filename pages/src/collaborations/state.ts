import type { WireInvitation } from '../../../src/http/shapes/collaborations/invitation.ts'

/** State of an invitation as shown: `open` until it expires, is accepted or taken back. */
export type InvitationState = 'open' | 'expired' | 'accepted' | 'takenBack'

export function stateOf(
  { status, expiration }: Pick<WireInvitation, 'status' | 'expiration'>,
  now: number,
): InvitationState {
  if (status === 'host_accepted') return 'accepted'
  if (status === 'host_invalidated') return 'takenBack'
  return expiration <= now ? 'expired' : 'open'
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

export type SpanUnit = (typeof units)[number][0]

/** Splits milliseconds into the two largest units: 26 hours are a day and two hours. The second one is left out if it is 0. */
export function splitSpan(span: number): readonly (readonly [unit: SpanUnit, amount: number])[] {
  const first = units.findIndex(([, length]) => span >= length)
  if (first < 0) return [['second', 0]]
  const [unit, length] = units[first]!
  const largest = [unit, Math.floor(span / length)] as const
  const next = units[first + 1]
  const rest = next ? Math.floor((span % length) / next[1]) : 0
  return next && rest > 0 ? [largest, [next[0], rest]] : [largest]
}

/** Milliseconds until the result of `splitSpan` changes: a minute, or a second in the last hour. */
export function untilNextTick(left: number): number {
  const step = left >= 3_600_000 ? 60_000 : 1_000
  return (left % step) + 1
}

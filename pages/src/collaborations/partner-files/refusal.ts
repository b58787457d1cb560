import type { WireInvitationView } from '../../../../src/http/shapes/collaborations/invitation.ts'
import { stateOf } from '../state.ts'

/** Cause of the refusal of an answer, from the record of the invitation. */
export interface Cause {
  readonly kind: 'takenBack' | 'expired' | 'accepted' | 'replaced'
  /** Epoch milliseconds. */
  readonly at: number
  /** Undefined for an expiry, which no user caused. */
  readonly username?: string
}

/**
 * Finds the cause in the record; undefined if it has none.
 * `answersPresentFile`: whether the answer has the digest of the file that the invitation has now.
 */
export function findCause(invitation: WireInvitationView, answersPresentFile: boolean, now: number): Cause | undefined {
  const last = (event: WireInvitationView['history'][number]['event']) =>
    invitation.history.findLast((step) => step.event === event)
  const by = (kind: Cause['kind'], step: ReturnType<typeof last>): Cause | undefined =>
    step && { kind, at: step.at, username: step.username }
  const state = stateOf(invitation, now)
  if (state === 'takenBack') return by('takenBack', last('invalidate'))
  if (state === 'accepted') return by('accepted', last('import'))
  if (state === 'expired') return { kind: 'expired', at: invitation.expiration }
  return answersPresentFile ? undefined : by('replaced', last('refresh'))
}

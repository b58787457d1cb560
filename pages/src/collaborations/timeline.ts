import type { WireCollaboration } from '../../../src/http/shapes/collaborations/collaboration.ts'
import type { WireInvitation, WireInvitationView } from '../../../src/http/shapes/collaborations/invitation.ts'
import type { WireParticipant } from '../../../src/http/shapes/collaborations/participant.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'
import { stateOf } from './state.ts'

/** A past or future event: `invitationEnds` is in the future. */
export interface TimelineEvent {
  readonly kind:
    | 'created'
    | 'workspaceAdded'
    | 'joined'
    | 'invited'
    | 'refreshed'
    | 'accepted'
    | 'takenBack'
    | 'invitationEnded'
    | 'invitationEnds'
  /** Epoch milliseconds. */
  readonly at: number
  /** Name of the workspace, the organization or the address that it is about. */
  readonly name?: string
  readonly username?: string
  /** The invitation that it is about. */
  readonly invitationId?: string
}

/** Events of a collaboration that its records have, latest first. */
export function listEvents(
  collaboration: Pick<WireCollaboration, 'created'>,
  workspaces: readonly Pick<WireWorkspace, 'name' | 'created'>[],
  participants: readonly Pick<WireParticipant, 'portalInfo' | 'collaborationRole' | 'created'>[],
  invitations: readonly Pick<
    WireInvitation,
    'id' | 'guestPortalUrl' | 'status' | 'created' | 'modified' | 'expiration'
  >[],
  now: number,
): readonly TimelineEvent[] {
  return latestFirst([
    { kind: 'created', at: collaboration.created },
    ...workspaces
      .filter(({ created }) => created !== collaboration.created)
      .map(({ name, created }) => ({ kind: 'workspaceAdded', at: created, name }) as const),
    ...participants
      .filter(({ collaborationRole }) => collaborationRole === 'Guest')
      .map(({ portalInfo, created }) => ({ kind: 'joined', at: created, name: portalInfo.name }) as const),
    ...invitations.flatMap((invitation): TimelineEvent[] => {
      const { id: invitationId, guestPortalUrl: name, created, modified, expiration } = invitation
      const state = stateOf(invitation, now)
      const invited: TimelineEvent = { kind: 'invited', at: created, name, invitationId }
      if (state === 'takenBack') return [invited, { kind: 'takenBack', at: modified, name, invitationId }]
      if (state === 'expired') return [invited, { kind: 'invitationEnded', at: expiration, name, invitationId }]
      return [invited]
    }),
  ])
}

const kinds = { create: 'invited', refresh: 'refreshed', import: 'accepted', invalidate: 'takenBack' } as const

/** History of an invitation with its end, latest first. */
export function listInvitationSteps(
  { history, status, expiration }: Pick<WireInvitationView, 'history' | 'status' | 'expiration'>,
  now: number,
): readonly TimelineEvent[] {
  const steps = history.map(({ event, at, username }): TimelineEvent => ({ kind: kinds[event], at, username }))
  const state = stateOf({ status, expiration }, now)
  if (state === 'open') steps.push({ kind: 'invitationEnds', at: expiration })
  if (state === 'expired') steps.push({ kind: 'invitationEnded', at: expiration })
  return latestFirst(steps)
}

function latestFirst(events: readonly TimelineEvent[]): readonly TimelineEvent[] {
  return events.toSorted((a, b) => b.at - a.at)
}

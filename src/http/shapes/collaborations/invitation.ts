import { type Invitation, invitationStates } from '../../../collaborations/invitation.ts'
import type { InvitationView } from '../../../collaborations/invitation-operations.ts'
import { canMember } from '../page.ts'
import {
  choice,
  component,
  durationOf,
  id,
  list,
  matching,
  nullable,
  object,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

const members = {
  id: id(),
  collaborationId: id(),
  hostPortalId: shortId(),
  guestPortalId: matching('^(unknown|[0-9A-Za-z]{16})$', '`unknown` until the response is imported.'),
  guestPortalUrl: text('Public root of the server of the guest.'),
  status: choice(invitationStates),
  config: object({ invitationRequestFilename: text('Name of the invitation file.') }),
  invitationString: text('Text of the invitation file.'),
  created: time('When the invitation was created.'),
  modified: time('When the invitation was last changed.'),
  expiration: time('Until when a response can be imported.'),
}

export const invitationShape = component('Invitation', 'An invitation in a list.', object(members))
export type WireInvitation = ValueOf<typeof invitationShape>

const history = object({
  event: choice(['create', 'invalidate', 'import', 'refresh']),
  from: nullable(choice(invitationStates, 'Null for the first event.')),
  to: choice(invitationStates),
  username: text('User who caused the event.'),
  at: time('When the event happened.'),
})

export const invitationViewShape = component(
  'InvitationView',
  'An invitation that is read on its own.',
  object(
    {
      ...members,
      timeLeft: durationOf('Until the invitation expires; 0 if no response can be imported.'),
      history: list(history, 'Events of the invitation, oldest first.'),
    },
    canMember,
  ),
)
export type WireInvitationView = ValueOf<typeof invitationViewShape>

export function invitationToWire(invitation: Invitation): WireInvitation {
  return {
    id: invitation.invitationId,
    collaborationId: invitation.collaborationId,
    hostPortalId: invitation.hostPortalId,
    guestPortalId: invitation.guestPortalId ?? 'unknown',
    guestPortalUrl: invitation.guestPortalUrl,
    status: invitation.state,
    config: { invitationRequestFilename: invitation.fileName },
    invitationString: invitation.file,
    created: invitation.createdAt,
    modified: invitation.modifiedAt,
    expiration: invitation.expiresAt,
  }
}

export function invitationViewToWire({ invitation, steps, timeLeft }: InvitationView): WireInvitationView {
  return {
    ...invitationToWire(invitation),
    timeLeft,
    history: steps.map(({ event, from, to, username, at }) => ({ event, from: from ?? null, to, username, at })),
  }
}

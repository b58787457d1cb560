import type { Case, Expectations } from './case.ts'
import { insiders, notFound, ok, signedOut } from './outcomes.ts'
import { inOrganization, onGuest, onHost, type SidedRow } from './sides.ts'

/** Invitations for the portal in the path to accept, whichever portal hosts the collaboration. */
const received: readonly Case[] = [
  ...inOrganization({ on: 'an invitation', parameters: ({ theirs }) => ({ invitationJSON: theirs.invitation }) }),
  {
    on: 'an invitation to another organization',
    privileges: ['portal:admin:manageCollaborations'],
    ids: ({ otherPortalId }) => ({ portalId: otherPortalId }),
    parameters: ({ ours }) => ({ invitationJSON: ours.invitation }),
    expected: { ...signedOut, outsider: ok, ...insiders(notFound) },
  },
]

const joined: SidedRow = { on: 'a collaboration of another host' }

const answered: SidedRow = {
  on: 'a response',
  ids: ({ answeredCollaborationId }) => ({ collaborationId: answeredCollaborationId }),
  parameters: ({ response }) => ({ invitationResponseJSON: response }),
}

/** The handshake of host and guest, after the invitation has left the host. */
export const handshakeExpectations: Expectations = {
  validateCollaborationInvitation: received,
  acceptCollaborationInvitation: received,
  exportInvitationResponse: onGuest(joined),
  removeParticipation: onGuest(joined),
  validateInvitationResponse: onHost(answered),
  importInvitationResponse: onHost(answered),
}

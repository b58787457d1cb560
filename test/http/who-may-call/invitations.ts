import type { Expectations } from './case.ts'
import { onHost, onHostWithin } from './collaborations.ts'

/** The life of an invitation on the host. */
export const invitationExpectations: Expectations = {
  inviteParticipant: onHost('a collaboration', {
    parameters: ({ workspaceId }) => ({
      guestPortalUrl: 'https://lakes.example.org/portal',
      collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
    }),
  }),
  invitations: onHost('a collaboration'),
  invitation: onHostWithin('an invitation'),
  invalidateInvitation: onHostWithin('an invitation'),
  refreshInvitation: onHostWithin('an invitation'),
}

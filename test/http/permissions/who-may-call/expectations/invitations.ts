import type { Expectations } from './case.ts'
import { onHost, type SidedRow, within } from './sides.ts'

const anInvitation: SidedRow = { on: 'an invitation' }
const ofInvitation = [...onHost(anInvitation), ...within(anInvitation)]

/** The life of an invitation on the host. */
export const invitationExpectations: Expectations = {
  inviteParticipant: onHost({
    on: 'a collaboration',
    parameters: ({ workspaceId }) => ({
      guestPortalUrl: 'https://lakes.example.org/portal',
      collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
    }),
  }),
  listInvitations: onHost({ on: 'a collaboration' }),
  readInvitation: ofInvitation,
  invalidateInvitation: ofInvitation,
  refreshInvitation: ofInvitation,
}

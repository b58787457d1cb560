import type { Expectations } from './case.ts'
import { inOrganization, onBoth, onHost } from './sides.ts'

const on = 'a collaboration'

/** Collaborations; their workspaces, participants and invitations have files of their own. */
export const collaborationExpectations: Expectations = {
  createCollaboration: inOrganization({
    on: 'the organization',
    parameters: () => ({ name: 'Coastal maps', workspaceName: 'Depths' }),
  }),
  listCollaborations: inOrganization({ on: 'the organization' }),
  readCollaboration: onBoth({ on }),
  updateCollaboration: onHost({ on, parameters: () => ({ name: 'Maps of the Alps' }) }),
  deleteCollaboration: onHost({ on }),
}

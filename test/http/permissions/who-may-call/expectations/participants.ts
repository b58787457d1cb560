import type { Expectations } from './case.ts'
import { besides, onBoth, onHost, type SidedRow } from './sides.ts'

const aGuest: SidedRow = { on: 'a guest' }
const restricted: SidedRow = {
  ...aGuest,
  parameters: ({ workspaceId }) => ({ collaborationWorkspacesAccessJSON: [{ [workspaceId]: 'receive' }] }),
}

/** The portals that take part. */
export const participantExpectations: Expectations = {
  listParticipants: onBoth({ on: 'a collaboration' }),
  readParticipant: [...onBoth(aGuest), besides(aGuest)],
  removeParticipant: [...onHost(aGuest), besides(aGuest)],
  updateParticipantAccessModes: [...onHost(restricted), besides(restricted)],
}

import type { Expectations } from './case.ts'
import { onBoth, onHost, type SidedRow, within } from './sides.ts'

const aWorkspace: SidedRow = { on: 'a workspace' }
const renamed: SidedRow = { ...aWorkspace, parameters: () => ({ collaborationWorkspaceName: 'Rivers' }) }
const linked: SidedRow = {
  ...aWorkspace,
  parameters: ({ hostGroupId, guestGroupId }, as) => ({ portalGroupId: as === 'host' ? hostGroupId : guestGroupId }),
}

/** Workspaces of a collaboration, and each side's own links to them. */
export const workspaceExpectations: Expectations = {
  addWorkspace: onHost({ on: 'a collaboration', parameters: () => ({ collaborationWorkspaceName: 'Glaciers' }) }),
  listWorkspaces: onBoth({ on: 'a collaboration' }),
  readWorkspace: [...onBoth(aWorkspace), ...within(aWorkspace)],
  updateWorkspace: [...onHost(renamed), ...within(renamed)],
  deleteWorkspace: [...onHost(aWorkspace), ...within(aWorkspace)],
  linkWorkspaceGroup: [...onBoth(linked), ...within(linked)],
  unlinkWorkspaceGroup: [...onBoth(aWorkspace), ...within(aWorkspace)],
}

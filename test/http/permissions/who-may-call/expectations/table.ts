import { appExpectations } from './apps.ts'
import type { Expectations } from './case.ts'
import { categoryExpectations } from './categories.ts'
import { collaborationExpectations } from './collaborations.ts'
import { groupRequestExpectations } from './group-requests.ts'
import { groupExpectations } from './groups.ts'
import { handshakeExpectations } from './handshake.ts'
import { invitationExpectations } from './invitations.ts'
import { itemExpectations } from './items.ts'
import { memberExpectations } from './members.ts'
import { participantExpectations } from './participants.ts'
import { portalExpectations } from './portals.ts'
import { roleExpectations } from './roles.ts'
import { tokenExpectations } from './tokens.ts'
import { userExpectations } from './users.ts'
import { webhookExpectations } from './webhooks.ts'
import { workspaceExpectations } from './workspaces.ts'

/** Callers that each operation of the table accepts, and the errors for all others. */
export const expectations: Expectations = {
  ...tokenExpectations,
  ...appExpectations,
  ...portalExpectations,
  ...userExpectations,
  ...roleExpectations,
  ...groupExpectations,
  ...memberExpectations,
  ...groupRequestExpectations,
  ...categoryExpectations,
  ...itemExpectations,
  ...collaborationExpectations,
  ...workspaceExpectations,
  ...participantExpectations,
  ...invitationExpectations,
  ...handshakeExpectations,
  ...webhookExpectations,
}

/** Operations that add data: the same as changes, but refused while the disk of the database is nearly full. */

export { acceptCollaborationInvitation } from '../collaborations/guest-operations.ts'
export { inviteParticipant } from '../collaborations/invitation-operations.ts'
export { createCollaboration } from '../collaborations/operations.ts'
export { importInvitationResponse } from '../collaborations/response-operations.ts'
export { addWorkspace } from '../collaborations/workspace-operations.ts'
export { createGroup } from '../directory/group-operations.ts'
export { joinGroup } from '../directory/groups/application-operations.ts'
export { inviteToGroup } from '../directory/groups/invitation-operations.ts'
export { createRole } from '../directory/role-operations.ts'
export { createUser, inviteUsers } from '../directory/users/invitation-operations.ts'
export { addItem } from '../items/item-operations.ts'
export { registerApp } from '../oauth/apps/app-operations.ts'

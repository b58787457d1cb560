/** Operations that only read and are audited. */

export { recordRefusal } from '../audit/operations.ts'
export { exportInvitationResponse, validateCollaborationInvitation } from '../collaborations/guest-operations.ts'
export { validateInvitationResponse } from '../collaborations/response-operations.ts'

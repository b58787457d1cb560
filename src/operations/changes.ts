/** Operations that change data and are audited; those that add much data are in `additions`. */

export { indexLog, removeOldEntries } from '../audit/operations.ts'
export { putChecksums } from '../call/checksums.ts'
export { endOldDrafts } from '../categories/drafts/end-operations.ts'
export { removeOldSchemaVersions } from '../categories/retention-operations.ts'
export { removeParticipation } from '../collaborations/guest-operations.ts'
export { invalidateInvitation, refreshInvitation } from '../collaborations/invitation-operations.ts'
export { deleteCollaboration, updateCollaboration } from '../collaborations/operations.ts'
export { removeParticipant, updateParticipantAccessModes } from '../collaborations/participant-operations.ts'
export {
  deleteWorkspace,
  linkWorkspaceGroup,
  unlinkWorkspaceGroup,
  updateWorkspace,
} from '../collaborations/workspace-operations.ts'
export {
  deleteGroup,
  protectGroup,
  reassignGroup,
  unprotectGroup,
  updateGroup,
} from '../directory/group-operations.ts'
export {
  acceptGroupApplication,
  declineGroupApplication,
  removeOldGroupRequests,
} from '../directory/groups/application-operations.ts'
export { acceptGroupInvitation, declineGroupInvitation } from '../directory/groups/invitation-operations.ts'
export { deleteNotification, markNotificationsRead } from '../directory/groups/notification-operations.ts'
export { addGroupUsers, leaveGroup, removeGroupUsers, updateGroupUsers } from '../directory/member-operations.ts'
export { createPortal, renewPortalKeys, resealPortalKeys, updatePortal } from '../directory/portal-operations.ts'
export { deleteRole, setRolePrivileges, updateRole } from '../directory/role-operations.ts'
export {
  deleteUser,
  disableUser,
  disableUsers,
  enableUser,
  enableUsers,
  removeUsers,
} from '../directory/users/disabling-operations.ts'
export { endErasure, eraseNames, eraseUser } from '../directory/users/erasure-operations.ts'
export { reassignUser } from '../directory/users/reassign-operations.ts'
export {
  createUserByOperator,
  recoverDisabled,
  recoverEnabled,
  recoverPassword,
  recoverRole,
  recoverSessions,
} from '../directory/users/recovery-operations.ts'
export { expirePassword, updateUser, updateUserRole } from '../directory/users/user-operations.ts'
export { completeFirstRun, renewFirstRun } from '../first-run/operations.ts'
export { endProviderSessions } from '../identities/logout-operations.ts'
export { linkIdentity, signInByProvider } from '../identities/sign-in-operations.ts'
export { updateGroupItems, updateItems } from '../items/categories/category-operations.ts'
export { putCoverage, removeOldCoverage } from '../items/categories/coverage-operations.ts'
export { revertHistoryEntry } from '../items/changes/history-operations.ts'
export { revertItemRun } from '../items/changes/run-operations.ts'
export { protectItem, unprotectItem, updateItem } from '../items/item-operations.ts'
export { putItemCounts, sumUpItemCounts } from '../items/item-quotas.ts'
export { deleteItem, deleteItems, moveItem, reassignItem } from '../items/owner-operations.ts'
export {
  shareItem,
  shareItems,
  shareUserItem,
  unshareItem,
  unshareItems,
  unshareUserItem,
} from '../items/sharing-operations.ts'
export { removeEndedLinks, transferItems } from '../items/transfer-operations.ts'
export { cancelJob, leaseJob, recordFailedStep, removeOldJobs } from '../jobs/operations.ts'
export {
  confirmApp,
  endFormerAppSecret,
  renewAppSecret,
  unregisterApp,
  updateApp,
} from '../oauth/apps/app-operations.ts'
export {
  registerOperatorApp,
  renewOperatorSecret,
  switchOperatorApp,
  unregisterOperatorApp,
} from '../oauth/apps/operator-operations.ts'
export { markReminded } from '../oauth/apps/reminders.ts'
export {
  choosePassword,
  mailPasswordLink,
  makePasswordLink,
  recoverByLink,
} from '../oauth/passwords/new-password-operations.ts'
export { endSession, endSessions } from '../oauth/sessions/session-operations.ts'
export { continueToApp, signInToApp, signOut } from '../oauth/sign-in/sign-in-operations.ts'
export { removeExpiredTokens, revokeToken } from '../oauth/tokens/revocation-operations.ts'
export { issueTokens } from '../oauth/tokens/token-operations.ts'
export { deletePortalSchemaTemplate } from '../schema-files/templates/own-operations.ts'
export { changePassword, generateToken, resetUser } from '../tokens/operations.ts'
export { recoverWebhookDeliveries, redeliverWebhookDelivery } from '../webhooks/delivery-operations.ts'
export {
  activateWebhook,
  deactivateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../webhooks/hook-operations.ts'
export { deactivateUnread, overflowWebhook, removeOldDeliveries } from '../webhooks/housekeeping-operations.ts'
export { ackWebhookDeliveries, pullWebhookDeliveries } from '../webhooks/pull-operations.ts'
export { claimDeliveries, settleDelivery } from '../webhooks/sending-operations.ts'
export { noteServing } from '../webhooks/serving-operations.ts'
export { updateWebhookSettings } from '../webhooks/settings-operations.ts'
export { publishDueDraft } from './publish-due-draft.ts'
export { stepJob } from './step-job.ts'

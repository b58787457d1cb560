/** Operations that only read and are not audited. */

export { listPendingSchemaDrafts } from '../categories/drafts/operations.ts'
export { listInvitations, readInvitation } from '../collaborations/invitation-operations.ts'
export { listCollaborations, readCollaboration } from '../collaborations/operations.ts'
export { listParticipants, readParticipant } from '../collaborations/participant-operations.ts'
export { readWorkspace } from '../collaborations/workspace-operations.ts'
export { readGroup } from '../directory/group-operations.ts'
export { listGroupApplications, readGroupApplication } from '../directory/groups/application-operations.ts'
export { listGroupInvitations, readGroupInvitation } from '../directory/groups/invitation-operations.ts'
export { listNotifications, readNotification } from '../directory/groups/notification-operations.ts'
export {
  listAppBundles,
  listPurchases,
  listServers,
  readAccount,
  readPortal,
  readPublicKey,
  readSecurityPolicy,
  readSubscription,
} from '../directory/portal-operations.ts'
export { listRoles, readRole, readRolePrivileges } from '../directory/role-operations.ts'
export { readSelf, readUser } from '../directory/users/user-operations.ts'
export { readFirstRun } from '../first-run/operations.ts'
export { beginProviderSignIn } from '../identities/sign-in-operations.ts'
export { readTable } from '../item-sheets/operations.ts'
export { listItemRuns } from '../items/changes/run-operations.ts'
export { listItemResources, listRelatedItems, readItem, readItemData } from '../items/item-operations.ts'
export { canDeleteItem } from '../items/owner-operations.ts'
export { createFolder, readFolder, readItemInfo, readItemInfoFile, useFolder } from '../items/unsupported-operations.ts'
export { listJobs, readJob } from '../jobs/operations.ts'
export { readPlatformSelf, validateAppAccess } from '../oauth/apps/access-operations.ts'
export { readApp, readItemApp } from '../oauth/apps/app-operations.ts'
export { readSignIn } from '../oauth/sign-in/sign-in-operations.ts'
export { listPortalSchemaTemplates, readPortalSchemaTemplate } from '../schema-files/templates/own-operations.ts'
export {
  listWebhookDeliveries,
  listWebhookNotifications,
  readWebhookDelivery,
} from '../webhooks/delivery-operations.ts'
export { listWebhooks, readWebhook } from '../webhooks/hook-operations.ts'
export { listServiceWebhooks, readWebhookSettings } from '../webhooks/settings-operations.ts'
export { checkPermission } from './permission-check.ts'
export { readServerFigures } from './server-figures.ts'

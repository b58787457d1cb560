import { indexLog } from '../audit/index-operations.ts'
import { listPortalHistory } from '../audit/log-operations.ts'
import { recordRefusal } from '../audit/operations.ts'
import { removeOldEntries } from '../audit/retention-operations.ts'
import type { WithoutAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import {
  planGroupCategorySchema,
  planGroupSchemaDeletion,
  planGroupSchemaRestore,
  planPortalCategorySchema,
  planPortalSchemaDeletion,
  planPortalSchemaRestore,
} from '../categories/change/plan-operations.ts'
import {
  diffGroupSchemaVersions,
  diffPortalSchemaVersions,
  listGroupSchemaVersions,
  listPortalSchemaVersions,
  readGroupSchemaVersion,
  readPortalSchemaVersion,
} from '../categories/history/operations.ts'
import {
  assignGroupCategorySchema,
  assignPortalCategorySchema,
  deleteGroupCategorySchema,
  deletePortalCategorySchema,
  importGroupCategorySchema,
  importPortalCategorySchema,
  readGroupCategorySchema,
  readPortalCategorySchema,
  restoreGroupSchemaVersion,
  restorePortalSchemaVersion,
} from '../categories/operations.ts'
import {
  putSchemaUsage,
  removeFormerSchemaVersions,
  removeOldSchemaVersions,
} from '../categories/retention-operations.ts'
import {
  acceptCollaborationInvitation,
  exportInvitationResponse,
  removeParticipation,
  validateCollaborationInvitation,
} from '../collaborations/guest-operations.ts'
import {
  invalidateInvitation,
  inviteParticipant,
  listInvitations,
  readInvitation,
  refreshInvitation,
} from '../collaborations/invitation-operations.ts'
import {
  createCollaboration,
  deleteCollaboration,
  listCollaborations,
  readCollaboration,
  updateCollaboration,
} from '../collaborations/operations.ts'
import {
  listParticipants,
  readParticipant,
  removeParticipant,
  updateParticipantAccessModes,
} from '../collaborations/participant-operations.ts'
import { importInvitationResponse, validateInvitationResponse } from '../collaborations/response-operations.ts'
import {
  addWorkspace,
  deleteWorkspace,
  linkWorkspaceGroup,
  listWorkspaces,
  readWorkspace,
  unlinkWorkspaceGroup,
  updateWorkspace,
} from '../collaborations/workspace-operations.ts'
import {
  createGroup,
  deleteGroup,
  protectGroup,
  readGroup,
  reassignGroup,
  unprotectGroup,
  updateGroup,
} from '../directory/group-operations.ts'
import {
  acceptGroupApplication,
  declineGroupApplication,
  joinGroup,
  listGroupApplications,
  readGroupApplication,
} from '../directory/groups/application-operations.ts'
import {
  acceptGroupInvitation,
  declineGroupInvitation,
  inviteToGroup,
  listGroupInvitations,
  readGroupInvitation,
} from '../directory/groups/invitation-operations.ts'
import { searchGroupUsers } from '../directory/groups/member-search.ts'
import { deleteNotification, listNotifications, readNotification } from '../directory/groups/notification-operations.ts'
import { removeOldGroupRequests } from '../directory/groups/retention-operations.ts'
import { searchGroups } from '../directory/groups/search-operations.ts'
import {
  addGroupUsers,
  leaveGroup,
  listGroupUsers,
  removeGroupUsers,
  updateGroupUsers,
} from '../directory/member-operations.ts'
import {
  createPortal,
  listAppBundles,
  listPurchases,
  readPortal,
  readPublicKey,
  readSecurityPolicy,
  renewPortalKeys,
  resealPortalKeys,
  updatePortal,
} from '../directory/portal-operations.ts'
import {
  createRole,
  deleteRole,
  listRoles,
  readRole,
  readRolePrivileges,
  setRolePrivileges,
  updateRole,
} from '../directory/role-operations.ts'
import {
  deleteUser,
  disableUser,
  disableUsers,
  enableUser,
  enableUsers,
  removeUsers,
} from '../directory/users/disabling-operations.ts'
import { createUser, inviteUsers } from '../directory/users/invitation-operations.ts'
import { reassignUser } from '../directory/users/reassign-operations.ts'
import {
  createUserByOperator,
  recoverDisabled,
  recoverEnabled,
  recoverPassword,
  recoverRole,
  recoverSessions,
} from '../directory/users/recovery-operations.ts'
import { searchPortalUsers, searchUsers } from '../directory/users/search-operations.ts'
import {
  expirePassword,
  listUsers,
  readSelf,
  readUser,
  updateUser,
  updateUserRole,
} from '../directory/users/user-operations.ts'
import { completeFirstRun, readFirstRun, renewFirstRun } from '../first-run/operations.ts'
import { endProviderSessions } from '../identities/logout-operations.ts'
import { beginProviderSignIn, linkIdentity, signInByProvider } from '../identities/sign-in-operations.ts'
import { createFolder, readFolder, readItemInfo, readItemInfoFile, useFolder } from '../items/absent-operations.ts'
import { updateGroupItems, updateItems } from '../items/categories/category-operations.ts'
import {
  addItem,
  listItemGroups,
  listItemResources,
  listRelatedItems,
  protectItem,
  readItem,
  readItemData,
  unprotectItem,
  updateItem,
} from '../items/item-operations.ts'
import { putItemCounts, sumUpItemCounts } from '../items/item-quotas.ts'
import {
  canDeleteItem,
  deleteItem,
  deleteItems,
  listUserItems,
  moveItem,
  readUserItem,
  reassignItem,
} from '../items/owner-operations.ts'
import { removeEndedLinks } from '../items/retention-operations.ts'
import { listGroupItems, listUserTags, searchGroupItems, searchItems } from '../items/search/search-operations.ts'
import {
  shareItem,
  shareItems,
  shareUserItem,
  unshareItem,
  unshareItems,
  unshareUserItem,
} from '../items/sharing/sharing-operations.ts'
import { readPlatformSelf, validateAppAccess } from '../oauth/apps/access-operations.ts'
import {
  endFormerAppSecret,
  listApps,
  readApp,
  readItemApp,
  registerApp,
  renewAppSecret,
  unregisterApp,
  updateApp,
} from '../oauth/apps/app-operations.ts'
import { registerOperatorApp, renewOperatorSecret, unregisterOperatorApp } from '../oauth/apps/operator-operations.ts'
import { choosePassword, makePasswordLink, recoverByLink } from '../oauth/passwords/new-password-operations.ts'
import { endSession, endSessions, listSessions } from '../oauth/sessions/session-operations.ts'
import { continueToApp, readSignIn, signInToApp, signOut } from '../oauth/sign-in/sign-in-operations.ts'
import { revokeToken } from '../oauth/tokens/revocation-operations.ts'
import { issueTokens } from '../oauth/tokens/token-operations.ts'
import { exportGroupCategorySchema, exportPortalCategorySchema } from '../schema-files/export-operations.ts'
import type { Readers, Stores } from '../storage/storage.ts'
import { changePassword, generateToken, resetUser } from '../tokens/operations.ts'
import { removeExpiredTokens } from '../tokens/retention-operations.ts'
import { checkPermission } from './permission-check.ts'
import { readServerFigures } from './server-figures.ts'

/**
 * Every operation by its id: the name of its function, the id of its endpoint, and the word in the audit.
 * The type of an operation limits what it can do: a query gets readers, which have no writing methods.
 */

/** An operation that only reads. */
export type Query<Input = never, Output = unknown> = (stores: Readers, call: Call, input: Input) => Promise<Output>

/** An operation that may write. */
type Change = (stores: Stores, call: Call, input: never) => Promise<unknown>

/** Operations that only read and are not audited. */
export const queries = {
  readPortal,
  readPublicKey,
  readSecurityPolicy,
  checkPermission,
  readServerFigures,
  readFirstRun,
  listPurchases,
  listAppBundles,
  readSelf,
  readUser,
  listRoles,
  readRole,
  readRolePrivileges,
  readGroup,
  listGroupApplications,
  readGroupApplication,
  listGroupInvitations,
  readGroupInvitation,
  listNotifications,
  readNotification,
  readGroupCategorySchema,
  readPortalCategorySchema,
  readGroupSchemaVersion,
  readPortalSchemaVersion,
  exportGroupCategorySchema,
  exportPortalCategorySchema,
  readItem,
  readItemData,
  listItemResources,
  listRelatedItems,
  canDeleteItem,
  createFolder,
  readFolder,
  useFolder,
  readItemInfo,
  readItemInfoFile,
  listCollaborations,
  readCollaboration,
  readWorkspace,
  listParticipants,
  readParticipant,
  listInvitations,
  readInvitation,
  readSignIn,
  beginProviderSignIn,
  readPlatformSelf,
  validateAppAccess,
  readApp,
  readItemApp,
} as const satisfies Readonly<Record<string, Query>>

/** Queries that look at any number of rows: they take turns, have a deadline, and block no other request. */
export const searches = {
  searchGroups,
  listUsers,
  searchUsers,
  searchPortalUsers,
  listGroupUsers,
  searchGroupUsers,
  listItemGroups,
  readUserItem,
  listUserItems,
  listUserTags,
  listWorkspaces,
  listGroupSchemaVersions,
  listPortalSchemaVersions,
  diffGroupSchemaVersions,
  diffPortalSchemaVersions,
  planGroupCategorySchema,
  planPortalCategorySchema,
  planGroupSchemaDeletion,
  planPortalSchemaDeletion,
  planGroupSchemaRestore,
  planPortalSchemaRestore,
  searchItems,
  searchGroupItems,
  listGroupItems,
  listPortalHistory,
  listSessions,
  listApps,
} as const satisfies Readonly<Record<string, Query>>

/** Operations that only read and are audited. */
export const auditedQueries = {
  validateCollaborationInvitation,
  validateInvitationResponse,
  exportInvitationResponse,
  recordRefusal,
} as const satisfies Readonly<Record<string, Query>>

/** Operations that change data and are audited. */
export const changes = {
  createPortal,
  updatePortal,
  resealPortalKeys,
  renewPortalKeys,
  completeFirstRun,
  renewFirstRun,
  generateToken,
  signInToApp,
  continueToApp,
  signOut,
  signInByProvider,
  linkIdentity,
  endProviderSessions,
  issueTokens,
  revokeToken,
  endSession,
  endSessions,
  registerApp,
  updateApp,
  unregisterApp,
  renewAppSecret,
  endFormerAppSecret,
  choosePassword,
  expirePassword,
  makePasswordLink,
  registerOperatorApp,
  renewOperatorSecret,
  unregisterOperatorApp,
  changePassword,
  resetUser,
  inviteUsers,
  createUser,
  updateUser,
  updateUserRole,
  disableUser,
  enableUser,
  deleteUser,
  disableUsers,
  enableUsers,
  removeUsers,
  reassignUser,
  recoverPassword,
  recoverByLink,
  recoverSessions,
  recoverDisabled,
  createUserByOperator,
  recoverEnabled,
  recoverRole,
  createRole,
  setRolePrivileges,
  updateRole,
  deleteRole,
  createGroup,
  updateGroup,
  deleteGroup,
  protectGroup,
  unprotectGroup,
  reassignGroup,
  addGroupUsers,
  removeGroupUsers,
  updateGroupUsers,
  joinGroup,
  leaveGroup,
  inviteToGroup,
  acceptGroupInvitation,
  declineGroupInvitation,
  acceptGroupApplication,
  declineGroupApplication,
  deleteNotification,
  assignGroupCategorySchema,
  deleteGroupCategorySchema,
  assignPortalCategorySchema,
  deletePortalCategorySchema,
  importGroupCategorySchema,
  importPortalCategorySchema,
  restoreGroupSchemaVersion,
  restorePortalSchemaVersion,
  addItem,
  updateItem,
  deleteItem,
  deleteItems,
  protectItem,
  unprotectItem,
  reassignItem,
  moveItem,
  shareItem,
  shareUserItem,
  shareItems,
  unshareItem,
  unshareUserItem,
  unshareItems,
  updateItems,
  updateGroupItems,
  createCollaboration,
  updateCollaboration,
  deleteCollaboration,
  addWorkspace,
  updateWorkspace,
  deleteWorkspace,
  linkWorkspaceGroup,
  unlinkWorkspaceGroup,
  removeParticipant,
  updateParticipantAccessModes,
  inviteParticipant,
  invalidateInvitation,
  refreshInvitation,
  acceptCollaborationInvitation,
  removeParticipation,
  importInvitationResponse,
  removeOldSchemaVersions,
  removeFormerSchemaVersions,
  putSchemaUsage,
  putItemCounts,
  sumUpItemCounts,
  removeOldEntries,
  indexLog,
  removeExpiredTokens,
  removeOldGroupRequests,
  removeEndedLinks,
} as const satisfies Readonly<Record<string, Change>>

/** Operations that run in a writing transaction, if only for the audit entry. */
export const commands = { ...auditedQueries, ...changes }

type Operations = typeof queries & typeof searches & typeof commands

export type OperationId = keyof Operations
export type CommandId = keyof typeof commands
export type SearchId = keyof typeof searches

/** What an operation writes: nothing, an audit entry, or a change and an audit entry. */
export type EffectOf<Id> = Id extends keyof typeof changes
  ? 'change'
  : Id extends keyof typeof auditedQueries
    ? 'audit'
    : 'none'

/** Type of an operation's third argument; undefined if it takes none. */
export type InputOf<Id extends OperationId> =
  Parameters<Operations[Id]> extends readonly [unknown, unknown, infer Input] ? Input : undefined
export type OutputOf<Id extends OperationId> = Id extends CommandId
  ? WithoutAuditDetails<Awaited<ReturnType<Operations[Id]>>>
  : Awaited<ReturnType<Operations[Id]>>

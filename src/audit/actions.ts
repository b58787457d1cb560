/** Types of targets, as the public API abbreviates them (documented). */
export const targetTypes = {
  a: 'organization',
  c: 'collaboration',
  cp: 'participant of a collaboration',
  cpg: 'group of a participant',
  cw: 'workspace of a collaboration',
  cwp: 'participant of a workspace',
  g: 'group',
  i: 'item',
  idp: 'identity provider',
  inv: 'invitation',
  r: 'role',
  u: 'user',
} as const
export type TargetType = keyof typeof targetTypes

/** What an operation is done to, and the public API's word for it: where it has none, the last part of its path (chosen). */
export interface AuditedOperation {
  readonly type: TargetType
  readonly action: string
  /** The word for refusals, where it is another one. */
  readonly refusal?: string
}

/**
 * Every operation that writes audit entries. The index of the log follows from this table: another type or action of an
 * operation that has entries already needs a migration that empties the index.
 */
export const auditedOperations = {
  createPortal: { type: 'a', action: 'create' },
  updatePortal: { type: 'a', action: 'update' },
  resealPortalKeys: { type: 'a', action: 'resealPortalKeys' },
  renewPortalKeys: { type: 'a', action: 'renewPortalKeys' },
  assignPortalCategorySchema: { type: 'a', action: 'assignCategorySchema' },
  importPortalCategorySchema: { type: 'a', action: 'importCategorySchema' },
  restorePortalSchemaVersion: { type: 'a', action: 'restoreCategorySchema' },
  deletePortalCategorySchema: { type: 'a', action: 'deleteCategorySchema' },

  generateToken: { type: 'u', action: 'login', refusal: 'failedlogin' },
  revokeToken: { type: 'u', action: 'revokeToken' },
  changePassword: { type: 'u', action: 'changePassword' },
  resetUser: { type: 'u', action: 'reset' },
  inviteUsers: { type: 'u', action: 'create' },
  createUser: { type: 'u', action: 'create' },
  updateUser: { type: 'u', action: 'update' },
  updateUserRole: { type: 'u', action: 'updateUserRole' },
  disableUser: { type: 'u', action: 'disable' },
  enableUser: { type: 'u', action: 'enable' },
  deleteUser: { type: 'u', action: 'delete' },
  disableUsers: { type: 'u', action: 'disable' },
  enableUsers: { type: 'u', action: 'enable' },
  removeUsers: { type: 'u', action: 'delete' },
  reassignUser: { type: 'u', action: 'reassign' },
  recoverPassword: { type: 'u', action: 'reset' },
  recoverEnabled: { type: 'u', action: 'enable' },
  recoverRole: { type: 'u', action: 'updateUserRole' },
  deleteNotification: { type: 'u', action: 'deleteNotification' },

  createRole: { type: 'r', action: 'create' },
  setRolePrivileges: { type: 'r', action: 'setPrivileges' },
  updateRole: { type: 'r', action: 'update' },
  deleteRole: { type: 'r', action: 'delete' },

  createGroup: { type: 'g', action: 'create' },
  updateGroup: { type: 'g', action: 'update' },
  deleteGroup: { type: 'g', action: 'delete' },
  protectGroup: { type: 'g', action: 'protect' },
  unprotectGroup: { type: 'g', action: 'unprotect' },
  reassignGroup: { type: 'g', action: 'reassign' },
  addGroupUsers: { type: 'g', action: 'addusers' },
  removeGroupUsers: { type: 'g', action: 'removeusers' },
  updateGroupUsers: { type: 'g', action: 'updateUsers' },
  joinGroup: { type: 'g', action: 'join' },
  leaveGroup: { type: 'g', action: 'leave' },
  inviteToGroup: { type: 'g', action: 'invite' },
  acceptGroupInvitation: { type: 'u', action: 'acceptInvitation' },
  declineGroupInvitation: { type: 'u', action: 'declineInvitation' },
  acceptGroupApplication: { type: 'g', action: 'acceptApplication' },
  declineGroupApplication: { type: 'g', action: 'declineApplication' },
  assignGroupCategorySchema: { type: 'g', action: 'assignCategorySchema' },
  deleteGroupCategorySchema: { type: 'g', action: 'deleteCategorySchema' },
  importGroupCategorySchema: { type: 'g', action: 'importCategorySchema' },
  restoreGroupSchemaVersion: { type: 'g', action: 'restoreCategorySchema' },
  updateGroupItems: { type: 'g', action: 'updateCategories' },

  addItem: { type: 'i', action: 'add' },
  updateItem: { type: 'i', action: 'update' },
  updateItems: { type: 'i', action: 'update' },
  deleteItem: { type: 'i', action: 'delete' },
  deleteItems: { type: 'i', action: 'delete' },
  protectItem: { type: 'i', action: 'protect' },
  unprotectItem: { type: 'i', action: 'unprotect' },
  reassignItem: { type: 'i', action: 'reassign' },
  moveItem: { type: 'i', action: 'move' },
  shareItem: { type: 'i', action: 'share' },
  shareUserItem: { type: 'i', action: 'share' },
  shareItems: { type: 'i', action: 'share' },
  unshareItem: { type: 'i', action: 'unshare' },
  unshareUserItem: { type: 'i', action: 'unshare' },
  unshareItems: { type: 'i', action: 'unshare' },

  createCollaboration: { type: 'c', action: 'create' },
  updateCollaboration: { type: 'c', action: 'update' },
  deleteCollaboration: { type: 'c', action: 'delete' },
  addWorkspace: { type: 'cw', action: 'create' },
  updateWorkspace: { type: 'cw', action: 'update' },
  deleteWorkspace: { type: 'cw', action: 'delete' },
  linkWorkspaceGroup: { type: 'cpg', action: 'updatePortalGroupLink' },
  unlinkWorkspaceGroup: { type: 'cpg', action: 'removePortalGroupLink' },
  removeParticipant: { type: 'cp', action: 'delete' },
  updateParticipantAccessModes: { type: 'cwp', action: 'update' },
  inviteParticipant: { type: 'inv', action: 'create' },
  invalidateInvitation: { type: 'inv', action: 'invalidate' },
  refreshInvitation: { type: 'inv', action: 'refresh' },
  validateCollaborationInvitation: { type: 'inv', action: 'validateCollaborationInvitation' },
  acceptCollaborationInvitation: { type: 'inv', action: 'acceptCollaborationInvitation' },
  removeParticipation: { type: 'c', action: 'removeParticipation' },
  exportInvitationResponse: { type: 'c', action: 'exportInvitationResponse' },
  validateInvitationResponse: { type: 'c', action: 'validateInvitationResponse' },
  importInvitationResponse: { type: 'c', action: 'importInvitationResponse' },
} as const satisfies Readonly<Record<string, AuditedOperation>>

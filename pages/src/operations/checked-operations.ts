/**
 * The operations that `checkPermission` knows, by what people want to do, with the names of the ids in their paths; the
 * organization is that of the caller. A test compares them with the table of endpoints.
 */
export const checkedOperations = {
  people: {
    listUsers: [],
    searchUsers: [],
    searchPortalUsers: [],
    readSelf: [],
    readUser: ['username'],
    inviteUsers: [],
    createUser: [],
    updateUser: ['username'],
    updateUserRole: [],
    disableUser: ['username'],
    enableUser: ['username'],
    deleteUser: ['username'],
    disableUsers: [],
    enableUsers: [],
    removeUsers: [],
    reassignUser: ['username'],
  },
  passwords: {
    listSessions: ['username'],
    endSession: ['username', 'sessionId'],
    endSessions: ['username'],
    changePassword: ['username'],
    expirePassword: ['username'],
    makePasswordLink: ['username'],
    resetUser: ['username'],
  },
  roles: {
    listRoles: [],
    readRole: ['roleId'],
    readRolePrivileges: ['roleId'],
    createRole: [],
    setRolePrivileges: ['roleId'],
    updateRole: ['roleId'],
    deleteRole: ['roleId'],
  },
  groups: {
    searchGroups: [],
    readGroup: ['groupId'],
    createGroup: [],
    updateGroup: ['groupId'],
    deleteGroup: ['groupId'],
    protectGroup: ['groupId'],
    unprotectGroup: ['groupId'],
    reassignGroup: ['groupId'],
  },
  members: {
    listNotifications: ['username'],
    readNotification: ['username', 'notificationId'],
    deleteNotification: ['username', 'notificationId'],
    searchGroupUsers: ['groupId'],
    addGroupUsers: ['groupId'],
    removeGroupUsers: ['groupId'],
    updateGroupUsers: ['groupId'],
    joinGroup: ['groupId'],
    leaveGroup: ['groupId'],
    inviteToGroup: ['groupId'],
    listGroupInvitations: ['username'],
    readGroupInvitation: ['username', 'groupInvitationId'],
    acceptGroupInvitation: ['username', 'groupInvitationId'],
    declineGroupInvitation: ['username', 'groupInvitationId'],
    listGroupApplications: ['groupId'],
    readGroupApplication: ['groupId', 'username'],
    acceptGroupApplication: ['groupId', 'username'],
    declineGroupApplication: ['groupId', 'username'],
  },
  schemas: {
    readGroupCategorySchema: ['groupId'],
    assignGroupCategorySchema: ['groupId'],
    deleteGroupCategorySchema: ['groupId'],
    planGroupCategorySchema: ['groupId'],
    restoreGroupSchemaVersion: ['groupId', 'version'],
    listGroupSchemaVersions: ['groupId'],
    readGroupSchemaVersion: ['groupId', 'version'],
    diffGroupSchemaVersions: ['groupId', 'version'],
    exportGroupCategorySchema: ['groupId'],
    importGroupCategorySchema: ['groupId'],
    readPortalCategorySchema: [],
    assignPortalCategorySchema: [],
    deletePortalCategorySchema: [],
    planPortalCategorySchema: [],
    restorePortalSchemaVersion: ['version'],
    listPortalSchemaVersions: [],
    readPortalSchemaVersion: ['version'],
    diffPortalSchemaVersions: ['version'],
    exportPortalCategorySchema: [],
    importPortalCategorySchema: [],
  },
  items: {
    searchItems: [],
    searchGroupItems: ['groupId'],
    listGroupItems: ['groupId'],
    listUserItems: ['username'],
    readItem: ['itemId'],
    readItemData: ['itemId'],
    listItemResources: ['itemId'],
    listRelatedItems: ['itemId'],
    addItem: ['username'],
    updateItem: ['username', 'itemId'],
    deleteItem: ['username', 'itemId'],
    deleteItems: ['username'],
    canDeleteItem: ['username', 'itemId'],
    protectItem: ['username', 'itemId'],
    unprotectItem: ['username', 'itemId'],
    reassignItem: ['username', 'itemId'],
    moveItem: ['username', 'itemId'],
    updateItems: [],
    updateGroupItems: ['groupId'],
  },
  sharing: {
    shareItem: ['itemId'],
    shareUserItem: ['username', 'itemId'],
    shareItems: ['username'],
    unshareItem: ['itemId'],
    unshareUserItem: ['username', 'itemId'],
    unshareItems: ['username'],
  },
  collaborations: {
    listCollaborations: [],
    readCollaboration: ['collaborationId'],
    createCollaboration: [],
    updateCollaboration: ['collaborationId'],
    deleteCollaboration: ['collaborationId'],
    listWorkspaces: ['collaborationId'],
    readWorkspace: ['collaborationId', 'workspaceId'],
    addWorkspace: ['collaborationId'],
    updateWorkspace: ['collaborationId', 'workspaceId'],
    deleteWorkspace: ['collaborationId', 'workspaceId'],
    linkWorkspaceGroup: ['collaborationId', 'workspaceId'],
    unlinkWorkspaceGroup: ['collaborationId', 'workspaceId'],
  },
  partners: {
    listParticipants: ['collaborationId'],
    readParticipant: ['collaborationId', 'participantId'],
    removeParticipant: ['collaborationId', 'participantId'],
    updateParticipantAccessModes: ['collaborationId', 'participantId'],
    removeParticipation: ['collaborationId'],
    listInvitations: ['collaborationId'],
    readInvitation: ['collaborationId', 'invitationId'],
    inviteParticipant: ['collaborationId'],
    invalidateInvitation: ['collaborationId', 'invitationId'],
    refreshInvitation: ['collaborationId', 'invitationId'],
    validateCollaborationInvitation: [],
    acceptCollaborationInvitation: [],
    exportInvitationResponse: ['collaborationId'],
    validateInvitationResponse: ['collaborationId'],
    importInvitationResponse: ['collaborationId'],
  },
  apps: {
    listApps: [],
    readApp: ['clientId'],
    readItemApp: ['username', 'itemId'],
    registerApp: [],
    updateApp: ['clientId'],
    unregisterApp: ['clientId'],
    renewAppSecret: ['clientId'],
    endFormerAppSecret: ['clientId'],
  },
  organization: {
    updatePortal: [],
    readPortal: [],
    readPublicKey: [],
    readSecurityPolicy: [],
    listPurchases: [],
    listAppBundles: [],
  },
  server: {
    listPortalHistory: [],
    readServerFigures: [],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

export type CheckedTask = keyof typeof checkedOperations
type OperationsOf<Task> = Task extends CheckedTask ? keyof (typeof checkedOperations)[Task] : never
export type CheckedOperationId = OperationsOf<CheckedTask>
type TargetsOf<Task> = Task extends CheckedTask
  ? (typeof checkedOperations)[Task][keyof (typeof checkedOperations)[Task]]
  : never
/** The name of an id in a path, such as `groupId`. */
export type TargetName = Extract<TargetsOf<CheckedTask>, readonly string[]>[number]

/** An operation that permission can be asked for. */
export interface CheckedOperation {
  readonly id: CheckedOperationId
  readonly task: CheckedTask
  readonly targets: readonly TargetName[]
}

export const checkedTasks = Object.keys(checkedOperations) as readonly CheckedTask[]

/** All of them, in the order of their tasks. */
export const checkedOperationList: readonly CheckedOperation[] = Object.entries(checkedOperations).flatMap(
  ([task, operations]) =>
    Object.entries(operations).map(([id, targets]) => ({ id, task, targets }) as unknown as CheckedOperation),
)

/** Those whose id, or whose words as the person reads them, have all of the words. */
export function findOperations(
  words: string,
  textOf: (operation: CheckedOperation) => string,
): readonly CheckedOperation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return checkedOperationList.filter((operation) => {
    const text = `${operation.id} ${textOf(operation)}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

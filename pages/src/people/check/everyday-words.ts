import type { NamedOperationId } from '../../operations/operation-names.ts'

/** Operations that people look for by words that do not occur in their names; the words are texts, `also_…`. */
export const everydayWords = {
  categorize: ['updateItems', 'updateGroupItems', 'updateItem'],
  vocabulary: [
    'assignPortalCategorySchema',
    'assignGroupCategorySchema',
    'planPortalCategorySchema',
    'planGroupCategorySchema',
  ],
  spreadsheet: [
    'importPortalCategorySchema',
    'importGroupCategorySchema',
    'exportPortalCategorySchema',
    'exportGroupCategorySchema',
  ],
  undo: ['restorePortalSchemaVersion', 'restoreGroupSchemaVersion'],
  edit: [
    'updateItem',
    'updateGroup',
    'updateUser',
    'updatePortal',
    'updateRole',
    'updateCollaboration',
    'updateWorkspace',
  ],
  remove: [
    'deleteItem',
    'deleteItems',
    'deleteUser',
    'removeUsers',
    'deleteGroup',
    'deleteRole',
    'deleteCollaboration',
  ],
  handOver: ['reassignItem', 'transferItems', 'reassignUser', 'reassignGroup'],
  create: ['addItem', 'createGroup', 'createRole', 'createUser', 'inviteUsers', 'createCollaboration', 'addWorkspace'],
  publish: ['shareItem', 'shareUserItem', 'shareItems'],
  hide: ['unshareItem', 'unshareUserItem', 'unshareItems'],
  expel: ['removeGroupUsers', 'removeParticipant'],
  block: ['disableUser', 'disableUsers'],
  promote: ['updateUserRole', 'updateGroupUsers', 'setRolePrivileges'],
  forgotten: ['resetUser', 'makePasswordLink', 'mailPasswordLink', 'changePassword'],
  partner: ['inviteParticipant', 'acceptCollaborationInvitation', 'createCollaboration'],
  audit: ['listPortalHistory'],
} as const satisfies Readonly<Record<string, readonly NamedOperationId[]>>

export type EverydayWord = keyof typeof everydayWords

const names = Object.keys(everydayWords) as readonly EverydayWord[]

export function everydayWordsOf(operation: string): readonly EverydayWord[] {
  return names.filter((name) => everydayWords[name].some((id) => id === operation))
}

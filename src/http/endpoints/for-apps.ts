import type { OperationId } from '../../operations/registry.ts'

/**
 * What an app may call by a token of its own, with the privileges of its registration (chosen); everything else refuses it.
 * None of them acts on what belongs to the caller as a person: an app owns nothing, is no member of groups, and shares nothing.
 */
export const operationsForApps: ReadonlySet<string> = new Set<OperationId>([
  'readPortal',
  'readPublicKey',
  'readPortalCategorySchema',
  'readGroupCategorySchema',
  'exportPortalCategorySchema',
  'exportGroupCategorySchema',
  'listPortalSchemaVersions',
  'readPortalSchemaVersion',
  'diffPortalSchemaVersions',
  'assignPortalCategorySchema',
  'listUsers',
  'searchUsers',
  'searchPortalUsers',
  'readUser',
  'listRoles',
  'readRole',
  'readRolePrivileges',
  'searchGroups',
  'readGroup',
  'listGroupUsers',
  'searchGroupUsers',
  'addGroupUsers',
  'removeGroupUsers',
  'searchItems',
  'searchGroupItems',
  'listGroupItems',
  'readItem',
  'readItemData',
  'listItemGroups',
  'listItemResources',
  'listRelatedItems',
  'readUserItem',
  'listUserItems',
  'updateItem',
  'updateItems',
])

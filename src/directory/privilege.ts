/** Privileges and the built-in roles that hold them. Strings are the public API's own (documented). */

export const userPrivileges = [
  'portal:user:addExternalMembersToGroup',
  'portal:user:categorizeItems',
  'portal:user:createGroup',
  'portal:user:createItem',
  'portal:user:joinGroup',
  'portal:user:joinNonOrgGroup',
  'portal:user:shareToGroup',
  'portal:user:shareToOrg',
  'portal:user:shareToPublic',
  'portal:user:shareGroupToOrg',
  'portal:user:shareGroupToPublic',
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
] as const

export const publisherPrivileges = [
  'portal:publisher:publishFeatures',
  'portal:publisher:publishScenes',
  'portal:publisher:publishTiles',
] as const

export const adminPrivileges = [
  'portal:admin:assignToGroups',
  'portal:admin:categorizeItems',
  'portal:admin:changeUserRoles',
  'portal:admin:createLeavingDisallowedGroup',
  'portal:admin:createUpdateCapableGroup',
  'portal:admin:deleteGroups',
  'portal:admin:deleteItems',
  'portal:admin:deleteUsers',
  'portal:admin:disableUsers',
  'portal:admin:inviteUsers',
  'portal:admin:manageCollaborations',
  'portal:admin:manageRoles',
  'portal:admin:manageSecurity',
  'portal:admin:manageWebsite',
  'portal:admin:reassignGroups',
  'portal:admin:reassignItems',
  'portal:admin:reassignUsers',
  'portal:admin:shareToGroup',
  'portal:admin:shareToOrg',
  'portal:admin:shareToPublic',
  'portal:admin:updateGroups',
  'portal:admin:updateItemCategorySchema',
  'portal:admin:updateItems',
  'portal:admin:updateUsers',
  'portal:admin:viewGroups',
  'portal:admin:viewItems',
  'portal:admin:viewUsers',
] as const

export type Privilege =
  | (typeof userPrivileges)[number]
  | (typeof publisherPrivileges)[number]
  | (typeof adminPrivileges)[number]

const known: ReadonlySet<string> = new Set([...userPrivileges, ...publisherPrivileges, ...adminPrivileges])

export function isPrivilege(text: string): text is Privilege {
  return known.has(text)
}

/** Whether a privilege is over what belongs to others. */
export function isAdministrative(privilege: Privilege): boolean {
  return privilege.startsWith('portal:admin:')
}

const viewerPrivileges: readonly Privilege[] = [
  'portal:user:joinGroup',
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
]

/** What each built-in role may do (documented; which user privileges a viewer lacks is chosen). */
export const builtInRoles = {
  org_admin: [...userPrivileges, ...publisherPrivileges, ...adminPrivileges],
  org_publisher: [...userPrivileges, ...publisherPrivileges],
  org_user: userPrivileges,
  org_viewer: viewerPrivileges,
} as const satisfies Record<string, readonly Privilege[]>

export type BuiltInRole = keyof typeof builtInRoles

export function isBuiltInRole(role: string): role is BuiltInRole {
  return Object.hasOwn(builtInRoles, role)
}

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
  'portal:admin:manageWebhooks',
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

/** Meanings of the privileges that have an effect; all others are accepted and have none (chosen). */
export const privilegeMeanings: { readonly [Name in Privilege]?: string } = {
  'portal:user:addExternalMembersToGroup': 'Invite users of other organizations to groups, and open groups to them.',
  'portal:user:createGroup': 'Create groups.',
  'portal:user:createItem': 'Add items.',
  'portal:user:joinGroup': 'Join groups of the organization, and accept invitations to them.',
  'portal:user:joinNonOrgGroup': 'Join groups of other organizations, and accept invitations to them.',
  'portal:user:shareToGroup': 'Share own items with groups.',
  'portal:user:shareToOrg': 'Share own items with the organization.',
  'portal:user:shareToPublic': 'Share own items with everyone.',
  'portal:user:shareGroupToOrg': 'Let the organization see a group.',
  'portal:user:shareGroupToPublic': 'Let everyone see a group.',
  'portal:user:viewOrgGroups': 'See groups that are open to the organization.',
  'portal:user:viewOrgItems': 'See items that are shared with the organization.',
  'portal:user:viewOrgUsers': 'See users of the organization whose profiles are not private.',
  'portal:admin:assignToGroups': 'Add members to any group of the organization, and answer requests to join.',
  'portal:admin:categorizeItems': 'Assign categories of the organization to any of its items.',
  'portal:admin:changeUserRoles': 'Give users other roles.',
  'portal:admin:createLeavingDisallowedGroup': 'Make groups that their members cannot leave.',
  'portal:admin:createUpdateCapableGroup': 'Make groups whose members may update each other’s items.',
  'portal:admin:deleteGroups': 'Delete and protect any group of the organization.',
  'portal:admin:deleteItems': 'Delete any item of the organization.',
  'portal:admin:deleteUsers': 'Delete users.',
  'portal:admin:disableUsers': 'Disable and enable users.',
  'portal:admin:inviteUsers': 'Create users.',
  'portal:admin:manageCollaborations': 'Create and manage collaborations, as host and as guest.',
  'portal:admin:manageRoles':
    'Create, change and delete custom roles; privileges are set by default administrators only.',
  'portal:admin:manageSecurity': 'Manage every app of the organization, and switch built-in apps off.',
  'portal:admin:manageWebhooks': 'Manage webhooks: programs that learn of what changes in the organization.',
  'portal:admin:manageWebsite': 'Change name, description and access of the organization.',
  'portal:admin:reassignGroups': 'Give any group of the organization another owner.',
  'portal:admin:reassignItems': 'Give any item of the organization another owner.',
  'portal:admin:reassignUsers': 'Give all groups and items of a user to another one.',
  'portal:admin:shareToGroup': 'Share any item of the organization with groups, and end that.',
  'portal:admin:shareToOrg': 'Share any item of the organization with the organization, and end that.',
  'portal:admin:shareToPublic': 'Share any item of the organization with everyone, and end that.',
  'portal:admin:updateGroups': 'Change any group of the organization, and remove its members or change what they are.',
  'portal:admin:updateItemCategorySchema': 'Assign the category schema of the organization, and see its versions.',
  'portal:admin:updateItems': 'Change and protect any item of the organization.',
  'portal:admin:updateUsers': 'Change profiles of users.',
  'portal:admin:viewGroups': 'See every group of the organization, with its members.',
  'portal:admin:viewItems': 'See every item of the organization.',
  'portal:admin:viewUsers': 'See every user of the organization, with personal details.',
}

/** Every privilege, in the order of the public API. */
export const allPrivileges: readonly Privilege[] = [...userPrivileges, ...publisherPrivileges, ...adminPrivileges]

const known: ReadonlySet<string> = new Set(allPrivileges)

export function isPrivilege(text: string): text is Privilege {
  return known.has(text)
}

/** Whether a privilege applies to things that other users own. */
export function isAdministrative(privilege: Privilege): boolean {
  return privilege.startsWith('portal:admin:')
}

const viewerPrivileges: readonly Privilege[] = [
  'portal:user:joinGroup',
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
]

/** Privileges of each built-in role (documented; which user privileges a viewer lacks is chosen). */
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

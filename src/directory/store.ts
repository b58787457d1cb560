import type { RecordedChange } from '../call/audit-details.ts'
import type { Page, Slice } from '../paging.ts'
import type { Condition } from '../search/condition.ts'
import type { Group, GroupOutline, NewGroup } from './group.ts'
import type { GroupSearch } from './group-search.ts'
import type { GroupRequestReader, GroupRequestStore } from './groups/store.ts'
import type { Member, MemberType } from './membership.ts'
import type { PasswordLink } from './passwords/password.ts'
import type { NewPortal, Portal, PortalKey, SealedPortalKey } from './portal.ts'
import type { Role } from './role.ts'
import type { User } from './user.ts'
import type { UserFields, UserSearch } from './users/user-search.ts'

/** The caller of a group search, which returns only groups that this viewer sees. */
export interface GroupViewer {
  readonly userId: string | undefined
  readonly portalId: string
  readonly canViewOrganizationGroups: boolean
  readonly canViewEveryGroup: boolean
}

/** A group that a user belongs to. */
export interface Membership {
  readonly group: Group
  readonly memberType: MemberType
}

/** A group and the membership of a user: what permissions depend on. */
export interface Belonging {
  readonly group: GroupOutline
  readonly memberType: MemberType | undefined
}

/** A group and how the viewer of a search belongs to it, if at all. */
export interface FoundGroup {
  readonly group: Group
  readonly memberType: MemberType | undefined
}

/** Which users of an organization are listed. */
export interface UserFilter {
  /** Id of a viewer who does not see private users, except themselves. */
  readonly seenBy?: string | undefined
  readonly role?: string | undefined
  readonly provider?: 'arcgis' | 'enterprise' | undefined
  readonly condition?: Condition<UserFields> | undefined
}

/** Maximum number of entries of a list, and most bytes of their texts together. */
export interface ListBounds {
  readonly entries: number
  readonly bytes: number
}

/** Reading methods of the directory. `find…` resolves with undefined for what does not exist. */
export interface DirectoryReader extends GroupRequestReader {
  findPortal(portalId: string): Promise<Portal | undefined>
  /** The oldest organization: `self` for an anonymous caller. */
  findDefaultPortal(): Promise<Portal | undefined>
  listPortals(): Promise<readonly Portal[]>
  /** Whether there is another organization than this one. */
  hasOtherPortal(portalId: string): Promise<boolean>
  hasUrlKey(urlKey: string): Promise<boolean>
  findPortalKey(portalId: string): Promise<PortalKey | undefined>
  /** Lists the keys of all portals, in the order of ids. */
  listPortalKeys(): Promise<readonly SealedPortalKey[]>

  /** Finds it by username, whatever its case. */
  findUser(username: string): Promise<User | undefined>
  findUserById(userId: string): Promise<User | undefined>
  findPasswordHash(userId: string): Promise<string | undefined>
  /** Time from which the password has to be changed; undefined if it does not have to be. */
  findPasswordEnd(userId: string): Promise<number | undefined>
  /** Sorted by username. */
  listUsers(portalId: string, page: Page, filter?: UserFilter): Promise<Slice<User>>
  /** Users of the portal that match, in the order of the search. */
  searchUsers(portalId: string, search: UserSearch, page: Page, seenBy?: string): Promise<Slice<User>>
  /** Enabled default administrators. */
  countAdministrators(portalId: string): Promise<number>

  findRole(roleId: string): Promise<Role | undefined>
  /** Sorted by name. */
  listRoles(portalId: string, page: Page): Promise<Slice<Role>>
  /** Every role of the organization, sorted by name. */
  listRoleNames(portalId: string): Promise<readonly Pick<Role, 'roleId' | 'name'>[]>
  countUsersWithRole(roleId: string): Promise<number>

  findGroup(groupId: string): Promise<Group | undefined>
  /** A group with the membership of a user. */
  findGroupFor(groupId: string, userId: string | undefined): Promise<Belonging | undefined>
  /** Includes how the viewer belongs to each group of the page. */
  searchGroups(viewer: GroupViewer, search: GroupSearch, page: Page): Promise<Slice<FoundGroup>>
  /** The first groups that a user owns or is a member of, sorted by title, within the bounds. */
  listGroupsOf(userId: string, max: ListBounds): Promise<Slice<Membership>>
  countGroupsOwnedBy(userId: string): Promise<number>
  /** Lists as many as a user may own. */
  listGroupIdsOwnedBy(userId: string): Promise<readonly string[]>
  /** Groups that a user owns or is a member of. */
  countMemberships(userId: string): Promise<number>

  findMember(groupId: string, userId: string): Promise<Member | undefined>
  /** Whether a user of another organization than the group's is a member. */
  hasForeignMember(groupId: string): Promise<boolean>
  /** At most so many members, the owner and managers before others; sorted by username. */
  listMembers(groupId: string, max: number): Promise<Slice<Member>>
}

/** The directory's store. */
export interface DirectoryStore extends DirectoryReader, GroupRequestStore {
  addPortal(portal: NewPortal, key: PortalKey): Promise<void>
  updatePortal(portal: NewPortal): Promise<void>
  /** Compare-and-set: false where the portal's private key is not sealed as `from` any more. */
  replaceSealedKey(portalId: string, from: string, to: string): Promise<boolean>
  /** Compare-and-set, as `replaceSealedKey`, with another key pair. */
  replaceKey(portalId: string, from: string, key: PortalKey): Promise<boolean>

  /** No password signs in without a hash. */
  addUser(user: User, passwordHash: string | undefined): Promise<void>
  /** Everything but the password. */
  updateUser(user: User): Promise<void>
  removeUser(userId: string): Promise<void>
  /** The password does not have to be changed without `expiresAt`. */
  putPasswordHash(userId: string, passwordHash: string, expiresAt?: number): Promise<void>
  putPasswordEnd(userId: string, expiresAt: number): Promise<void>

  addRole(role: Role): Promise<void>
  updateRole(role: Role): Promise<void>
  removeRole(roleId: string): Promise<void>

  addGroup(group: NewGroup): Promise<void>
  updateGroup(group: NewGroup): Promise<void>
  /** Removes it with its memberships, immediately for every read. Versions of its category schema, and links of items, stay for a time. Answers which links are removed already. */
  removeGroup(groupId: string, deletedAt: number): Promise<readonly RecordedChange[]>

  /** Ends what is open between the two: an invitation, a request to join. */
  putMember(groupId: string, member: Omit<Member, 'username'>): Promise<void>
  removeMember(groupId: string, userId: string): Promise<void>
}

/** The part of the token store that ends a user's sessions, and the limits that failed sign-ins have led to. */
export interface Sessions {
  removeTokensOf(userId: string): Promise<void>
  removeFailuresOf(accountKey: string): Promise<void>
}

/** The part of the identities' store that ends what an identity provider sends. */
export interface IdentitiesOfUsers {
  removeIdentitiesOf(userId: string): Promise<void>
}

/** The part of the store of sign-in that keeps links to a new password. */
export interface LinksOfUsers {
  /** Beside the user's others. */
  addLink(link: PasswordLink): Promise<void>
  /** Replaces the user's others. */
  putLink(link: PasswordLink): Promise<void>
  removeLinks(userId: string): Promise<void>
}

/** How many items there are, and their bytes. */
export interface ItemTotals {
  readonly items: number
  readonly bytes: number
}

/** The part of the items' store that has the accounts of users and organizations: their items, and the bytes of all that they keep. */
export interface KeptBytes {
  countItemsOwnedBy(userId: string): Promise<ItemTotals>
  /** The last sum. On PostgreSQL, others may add to it at the same time without a conflict about it. */
  findItemCount(userId: string): Promise<ItemTotals>
  /** The last sum. */
  countItemsOfPortal(portalId: string): Promise<ItemTotals>
}

/** The part of the items' store that gives what a user owns to another. */
export interface OwnedItems extends KeptBytes {
  sumItemsOwnedBy(userId: string): Promise<ItemTotals>
  listItemIdsOwnedBy(userId: string, max: number): Promise<readonly string[]>
  giveItem(itemId: string, userId: string): Promise<readonly RecordedChange[]>
}

/** The part of the apps' store that ends what a former owner knows of them. */
export interface AppsOfOwners {
  listAppsOwnedBy(
    userId: string,
    max: number,
  ): Promise<readonly { readonly clientId: string; readonly title: string }[]>
  disownApp(clientId: string, at: number): Promise<void>
}

/** The part of the item store that depends on users and memberships. */
export interface ItemsOfUsers {
  countItemsOwnedBy(userId: string): Promise<ItemTotals>
  removeItemLinksOf(userId: string, groupId: string): Promise<readonly RecordedChange[]>
}

/** The part of the item store that depends on who may join a group. */
export interface ItemsOfGroups {
  findForeignItem(groupId: string, maxLooks: number): Promise<ForeignItem>
}

/** Undefined without one; `too many` where none is among as many items as are looked at, and the group has more. */
export type ForeignItem = { readonly itemId: string } | 'too many' | undefined

/** The readers of this room's queries, and the stores of its changes. */
export interface DirectoryReaders {
  readonly directory: DirectoryReader
}
export interface DirectoryStores {
  readonly directory: DirectoryStore
}

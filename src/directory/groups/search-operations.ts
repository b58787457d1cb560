import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { groupNotFound } from '../../errors.ts'
import type { Page, Slice } from '../../paging.ts'
import { type GroupView, requireGroup } from '../group-operations.ts'
import type { GroupSearch } from '../group-search.ts'
import { canViewMembers, holds } from '../permissions.ts'
import type { DirectoryReaders } from '../store.ts'
import { requireVisibleUser } from '../users/named-user.ts'
import type { MemberQuery, NamedMember } from './store.ts'

/** Which groups are asked for. */
export interface GroupQuery extends Omit<GroupSearch, 'memberId'> {
  /** Restricts it to groups that the caller belongs to, or the user of this name or id. */
  readonly membership: { readonly of: 'caller' | { readonly username: string } } | undefined
}

/** Groups that the caller sees; for an anonymous caller, the public groups of the default portal. */
export async function searchGroups(
  stores: DirectoryReaders,
  call: Call,
  input: { query: Parsed<GroupQuery>; page: Parsed<Page> },
): Promise<Slice<GroupView> & { readonly page: Page; readonly username: string | undefined }> {
  const { membership, ...search } = unwrapParsed(input.query)
  const page = unwrapParsed(input.page)
  const { directory } = stores
  const { caller } = call
  const username = caller?.username
  const viewer = {
    userId: caller?.userId,
    portalId: caller?.portalId ?? (await directory.findDefaultPortal())?.portalId ?? '',
    canViewOrganizationGroups: caller?.privileges.has('portal:user:viewOrgGroups') ?? false,
    canViewEveryGroup: caller?.privileges.has('portal:admin:viewGroups') ?? false,
  }
  if (!membership) return { ...(await directory.searchGroups(viewer, search, page)), page, username }
  const memberId = await findMemberId(stores, call, membership)
  // An anonymous caller is a member of no group.
  if (memberId === undefined) return { total: 0, entries: [], page, username }
  return { ...(await directory.searchGroups(viewer, { ...search, memberId }, page)), page, username }
}

/** Requires an administrator for the groups of another user. */
async function findMemberId(
  stores: DirectoryReaders,
  call: Call,
  { of }: NonNullable<GroupQuery['membership']>,
): Promise<string | undefined> {
  if (of === 'caller') return call.caller?.userId
  const caller = requireCaller(call)
  const user = await requireVisibleUser(stores, call, of.username)
  requirePermission(user.userId === caller.userId || holds(caller, user.portalId, 'portal:admin:viewGroups'))
  return user.userId
}

/** The owner, and a page of the other members. */
export async function searchGroupUsers(
  stores: DirectoryReaders,
  call: Call,
  input: { groupId: string; query: Parsed<MemberQuery>; page: Parsed<Page> },
): Promise<Slice<NamedMember> & { readonly page: Page; readonly owner: NamedMember }> {
  const { caller, group, memberType } = await requireGroup(stores, call, input.groupId)
  requirePermission(canViewMembers(caller, group, memberType))
  const query = unwrapParsed(input.query)
  const page = unwrapParsed(input.page)
  const { directory } = stores
  const owner = await directory.findOwner(group.groupId)
  if (!owner) throw groupNotFound()
  return { ...(await directory.searchMembers(group.groupId, query, page)), page, owner }
}

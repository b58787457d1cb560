import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { Page, Slice } from '../../paging.ts'
import { canViewPersonalDetails, canViewUsers } from '../permissions.ts'
import { requireOwnPortal } from '../portal-operations.ts'
import type { DirectoryReaders } from '../store.ts'
import { type UserSearch, withoutDetailsOfOthers } from './user-search.ts'
import type { ListedUser } from './user-view.ts'

interface SearchRequest {
  readonly query: Parsed<UserSearch>
  readonly page: Parsed<Page>
}

type FoundUsers = Slice<ListedUser> & { readonly page: Page }

/** Users of the caller's organization, as far as the caller sees them. */
export async function searchUsers(stores: DirectoryReaders, call: Call, input: SearchRequest): Promise<FoundUsers> {
  return find(stores, requireCaller(call), input)
}

/** Searches as `searchUsers`, where the organization is named. */
export async function searchPortalUsers(
  stores: DirectoryReaders,
  call: Call,
  input: SearchRequest & { portalId: string },
): Promise<FoundUsers> {
  const { caller } = await requireOwnPortal(stores, call, input.portalId)
  return find(stores, caller, input)
}

async function find({ directory }: DirectoryReaders, caller: Caller, input: SearchRequest): Promise<FoundUsers> {
  requirePermission(canViewUsers(caller), 'portal:user:viewOrgUsers')
  const search = unwrapParsed(input.query)
  const page = unwrapParsed(input.page)
  const { total, entries } = caller.privileges.has('portal:admin:viewUsers')
    ? await directory.searchUsers(caller.portalId, search, page)
    : await directory.searchUsers(caller.portalId, visibleTo(caller, search), page, caller.userId)
  return { total, page, entries: entries.map((user) => ({ user, isConfidant: canViewPersonalDetails(caller, user) })) }
}

/** Details that are not shown of others are not searched either. */
function visibleTo({ userId }: Caller, search: UserSearch): UserSearch {
  return { ...search, condition: withoutDetailsOfOthers(search.condition, userId) }
}

import { type Call, requirePermission } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { groupNotFound } from '../../errors.ts'
import type { Page, Slice } from '../../paging.ts'
import { requireGroup } from '../group-operations.ts'
import { canViewMembers } from '../permissions.ts'
import type { DirectoryReaders } from '../store.ts'
import type { MemberQuery, NamedMember } from './store.ts'

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

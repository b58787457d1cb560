import type { Caller } from '../call/caller.ts'
import type { Parsed } from '../call/parsed.ts'
import { findNamedUser } from '../directory/users/named-user.ts'
import type { ItemQuery } from '../items/search/item-query.ts'
import type { ItemCondition } from '../items/search/item-search.ts'
import { fold } from '../search/folding.ts'
import type { Readers } from '../storage/storage.ts'
import type { Search } from './command.ts'

/**
 * Whether a search is of another organization than the caller's. The index finds words before visibility is checked, so
 * the duration of such a search would reveal which words private records have.
 */
export async function isForeignSearch(
  stores: Readers,
  caller: Caller | undefined,
  { operation, input }: Search,
): Promise<boolean> {
  if (!caller) return true
  const { groupId, username } = (input ?? {}) as { readonly groupId?: string; readonly username?: string }
  const { directory } = stores
  if (groupId !== undefined) return (await directory.findGroup(groupId))?.portalId !== caller.portalId
  if (username !== undefined) return (await findNamedUser(stores, username))?.portalId !== caller.portalId
  if (operation !== 'searchItems' || isWithin(input.query, caller.portalId)) return false
  return directory.hasOtherPortal(caller.portalId)
}

function isWithin(query: Parsed<ItemQuery>, portalId: string): boolean {
  const isOfPortal = (condition: ItemCondition): boolean =>
    condition.kind === 'and'
      ? condition.of.some(isOfPortal)
      : condition.kind === 'key' && condition.field === 'orgid' && condition.value === fold(portalId)
  return 'value' in query && isOfPortal(query.value.condition)
}

import type { RecordedChange, WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { requireMayBelongToMore, requireMayOwnMore, requireMayOwnMoreItems } from '../quotas.ts'
import type { AppsOfOwners, DirectoryStores, OwnedItems } from '../store.ts'
import type { User } from '../user.ts'
import { requireGoverns } from './governing.ts'
import { findNamedUser, requireUser } from './named-user.ts'

/**
 * Gives everything that a user owns to another user of the organization: all of it, or nothing if it is more than the other
 * may own. The former owner becomes a manager of the groups, as when one group is reassigned. Apps begin again,
 * as where one item is reassigned.
 */
export async function reassignUser(
  stores: DirectoryStores & { readonly items: OwnedItems; readonly oauth: AppsOfOwners },
  call: Call,
  input: { username: string; target: Parsed<{ readonly targetUsername: string }> },
): Promise<WithAuditDetails> {
  const { caller, user } = await requireUser(stores, call, input.username)
  await requireGoverns(stores, caller, user, 'portal:admin:reassignUsers')
  const { targetUsername } = unwrapParsed(input.target)
  const target = await findNamedUser(stores, targetUsername)
  if (!target || target.portalId !== user.portalId || target.disabled || target.userId === user.userId) {
    throw operationRefused(`targetUsername: ${say('notAnotherUser', { username: targetUsername })}`)
  }
  await reassignGroups(stores, call, user, target)
  for (const { clientId } of await stores.oauth.listAppsOwnedBy(user.userId, maxItemsReassigned)) {
    await stores.oauth.disownApp(clientId, call.now)
  }
  return { audit: { changes: await reassignItems(stores.items, call, user, target) } }
}

/** Maximum of items that one call reassigns: one transaction holds up all others (chosen). */
export const maxItemsReassigned = 1_000

/** After the groups, so that items stay in those. */
async function reassignItems(items: OwnedItems, call: Call, from: User, to: User): Promise<readonly RecordedChange[]> {
  const { items: count } = await items.countItemsOwnedBy(from.userId)
  if (count > maxItemsReassigned) {
    const max = `at most ${maxItemsReassigned} are reassigned in one request`
    throw operationRefused(`${from.username} owns ${count} items; ${max}, so begin with transferItems of the user.`)
  }
  if (count > 0) await requireMayOwnMoreItems({ items }, call, to, await items.sumItemsOwnedBy(from.userId))
  const changes: RecordedChange[] = []
  for (const itemId of await items.listItemIdsOwnedBy(from.userId, count)) {
    changes.push(...(await items.giveItem(itemId, to.userId)))
  }
  return changes
}

async function reassignGroups(stores: DirectoryStores, call: Call, from: User, to: User): Promise<void> {
  const { directory } = stores
  const groupIds = await directory.listGroupIdsOwnedBy(from.userId)
  if (groupIds.length === 0) return
  let joined = 0
  for (const groupId of groupIds) if (!(await directory.findMember(groupId, to.userId))) joined += 1
  await requireMayOwnMore(stores, call, to, 'self', groupIds.length)
  await requireMayBelongToMore(stores, call, to, joined)
  for (const groupId of groupIds) {
    const group = await directory.findGroup(groupId)
    if (!group) continue
    await directory.updateGroup({ ...group, ownerId: to.userId, modifiedAt: call.now })
    await directory.putMember(groupId, { userId: from.userId, memberType: 'admin', joinedAt: group.createdAt })
    await directory.putMember(groupId, { userId: to.userId, memberType: 'owner', joinedAt: call.now })
  }
}

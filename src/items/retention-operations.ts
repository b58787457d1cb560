import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { ItemStores } from './store.ts'

/**
 * Removes links to groups that have ended with the group or with a membership: a bounded number; `isDone` when there were none.
 * The log has an entry without a caller for it, as of an unshare, in each organization of these items.
 */
export async function removeEndedLinks(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  const ended = await items.endLinks()
  if (!ended || ended.changes.length === 0) return { isDone: !ended, audit: nothingDone }
  const { groupId } = ended
  const audit = [...Map.groupBy(ended.changes, ({ portalId }) => portalId)].map(([portalId, changes]) => ({
    portalId,
    operation: 'unshareItems',
    target: `/community/groups/${groupId}`,
    data: { targets: changes.map(({ itemId }) => itemId), groups: [groupId] },
    changes,
  }))
  return { isDone: false, audit }
}

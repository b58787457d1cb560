import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { ItemStores } from './store.ts'

/** Removes links to groups that have ended with the group or with a membership: a bounded number; `isDone` when there were none. */
export async function removeEndedLinks(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
): Promise<WithAuditDetails & { readonly isDone: boolean }> {
  return { isDone: !(await items.endLinks()), audit: nothingDone }
}

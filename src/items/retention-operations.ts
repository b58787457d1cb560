import { nothingDone, type WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'
import type { ItemStores } from './store.ts'

/** Stores how many items organizations have, as counted; new items compare it with the limit. */
export async function putItemCounts(
  { items }: Pick<ItemStores, 'items'>,
  _call: Call,
  input: { readonly counts: readonly { readonly portalId: string; readonly items: number }[] },
): Promise<WithAuditDetails> {
  for (const { portalId, items: counted } of input.counts) await items.putItemCount(portalId, counted)
  return { audit: nothingDone }
}

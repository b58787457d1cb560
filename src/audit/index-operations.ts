import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { AuditStore } from './store.ts'

/** Adds the oldest unindexed entries to the index of the log, if there are enough for a step; otherwise none. */
export async function indexLog(
  { audit }: { readonly audit: AuditStore },
  _call: Call,
  input: { readonly entries: number },
): Promise<WithAuditDetails & { readonly entries: number }> {
  return { entries: await audit.indexEntries(input.entries), audit: nothingDone }
}

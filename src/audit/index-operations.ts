import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { AuditStore, IndexedBlock } from './store.ts'

/** Adds a block to the index of the log. */
export async function addLogBlock(
  { audit }: { readonly audit: AuditStore },
  _call: Call,
  input: IndexedBlock,
): Promise<WithAuditDetails & { readonly isAdded: boolean }> {
  return { isAdded: await audit.addBlock(input), audit: nothingDone }
}

import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import type { AuditStore } from './store.ts'

const day = 86_400_000

/** Time before which audit entries are removed; undefined if they are kept for good. */
export function endOfRetention({ limits, now }: Pick<Call, 'limits' | 'now'>): number | undefined {
  return limits.auditDays > 0 ? now - limits.auditDays * day : undefined
}

/** Removes audit entries that are older than the limit: a bounded number, 0 when there are no more. */
export async function removeOldEntries(
  { audit }: { readonly audit: AuditStore },
  call: Call,
): Promise<WithAuditDetails & { readonly entries: number }> {
  const end = endOfRetention(call)
  const entries = end === undefined ? 0 : await audit.removeEntries(end)
  return { entries, audit: nothingDone }
}

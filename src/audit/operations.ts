import type { AuditDetails, WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'

/** Records that an operation refused a known caller; writes nothing but the audit entry. */
export async function recordRefusal(
  _stores: object,
  _call: Call,
  refusal: AuditDetails & { readonly operation: string; readonly outcome: number },
): Promise<WithAuditDetails> {
  return { audit: refusal }
}

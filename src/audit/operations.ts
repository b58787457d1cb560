import type { WithAuditDetails } from '../operations/audit-details.ts'
import type { Call } from '../operations/call.ts'

/** The refusal of an operation that a known caller wanted to run: the audit entry is all that it writes. */
export async function recordRefusal(
  _stores: object,
  _call: Call,
  refusal: { readonly operation: string; readonly outcome: number },
): Promise<WithAuditDetails> {
  const { operation, outcome } = refusal
  return { audit: { operation, outcome } }
}

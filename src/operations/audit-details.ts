import type { AuditEntry } from '../audit/entry.ts'

/** Members of the audit entry that only the operation can fill in; they override those of the command. */
export type AuditDetails = Partial<Omit<AuditEntry, 'at' | 'address' | 'requestId'>>

/** In place of details: nothing was done, so no audit entry is written. */
export const nothingDone = 'nothing done'

/** The output of an operation that overrides members of its audit entry, or suppresses it. */
export interface WithAuditDetails {
  /** Several for an operation that writes an entry for each of its targets. */
  readonly audit: AuditDetails | readonly AuditDetails[] | typeof nothingDone
}

/** The audit details in an operation's output; empty if it has none. */
export function auditDetailsOf(output: unknown): WithAuditDetails['audit'] {
  const hasDetails = typeof output === 'object' && output !== null && 'audit' in output
  return hasDetails ? (output as WithAuditDetails).audit : {}
}

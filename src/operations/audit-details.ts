import type { AuditEntry } from '../audit/entry.ts'

/** What only the operation knows of its own audit entry: it takes the place of what the command says. */
export type AuditDetails = Partial<Pick<AuditEntry, 'operation' | 'username' | 'portalId' | 'target' | 'outcome'>>

/** Nothing was done, so the audit gets no entry. */
export const nothingDone = 'nothing done'

/** The output of an operation that adds to its audit entry, or leaves it out. */
export interface WithAuditDetails {
  readonly audit: AuditDetails | typeof nothingDone
}

/** The details in an operation's output; none where it has none. */
export function auditDetailsOf(output: unknown): AuditDetails | typeof nothingDone {
  const hasDetails = typeof output === 'object' && output !== null && 'audit' in output
  return hasDetails ? (output as WithAuditDetails).audit : {}
}

import { auditedOperations, type TargetType } from '../../../src/audit/actions.ts'

/** An operation that writes entries of the log. */
export type AuditedOperationId = keyof typeof auditedOperations

/** Whether an operation is one of this version; entries of the log may be of others. */
export function isAuditedOperation(id: string): id is AuditedOperationId {
  return Object.hasOwn(auditedOperations, id)
}

export const auditedOperationIds = Object.keys(auditedOperations) as readonly AuditedOperationId[]

/** What an operation is done to. */
export function targetOf(id: AuditedOperationId): TargetType {
  return auditedOperations[id].type
}

import { auditedOperations, type TargetType } from '../../../src/audit/actions.ts'

/** Id of an operation that writes entries of the log. */
export type AuditedOperationId = keyof typeof auditedOperations

/** Whether this version has the operation; entries of the log may be of other versions. */
export function isAuditedOperation(id: string): id is AuditedOperationId {
  return Object.hasOwn(auditedOperations, id)
}

export const auditedOperationIds = Object.keys(auditedOperations) as readonly AuditedOperationId[]

/** Target type of an operation. */
export function targetOf(id: AuditedOperationId): TargetType {
  return auditedOperations[id].type
}

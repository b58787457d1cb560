import type { AuditedOperationId } from './audited-operations.ts'
import type { CheckedOperationId } from './checked-operations.ts'
import { t } from './texts.ts'

/** What an operation does, in the language of the person. One without a text does not compile. */
export function nameOfOperation(id: AuditedOperationId | CheckedOperationId): string {
  return t(id)
}

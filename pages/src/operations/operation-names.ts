import type { TextKey } from '../texts/keys.ts'
import { ofOperations as t } from '../texts/rooms.ts'

/** Id of an operation of the log, or of one that the permission check covers. */
export type NamedOperationId = TextKey<'operations'>

/** Name of an operation, in the language of the person. One of the log without a text does not compile. */
export function nameOfOperation(id: NamedOperationId): string {
  return t(id)
}

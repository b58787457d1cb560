import type { checkedOperationsShape, permissionShape } from '../../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'

export type CheckedOperations = ValueOf<typeof checkedOperationsShape>
/** An operation that the permission check covers. */
export type CheckedOperation = CheckedOperations['operations'][number]

/** Parts of the list, in order. */
export const parts = [
  'organization',
  'username',
  'roleId',
  'groupId',
  'tokens',
  'oauth',
  'categories',
  'items',
  'collaborations',
  'webhooks',
  'audit',
] as const
export type Part = (typeof parts)[number]

/** Part of an operation: the room of the server, or the target type of an operation of the directory. */
export function partOf({ room, target }: Pick<CheckedOperation, 'room' | 'target'>): Part {
  return (room === 'directory' ? (target[0] ?? 'organization') : room) as Part
}

/** Finds operations whose id, or whose words as shown, contain all of the words. */
export function findOperations(
  operations: readonly CheckedOperation[],
  words: string,
  textOf: (operation: CheckedOperation) => string,
): readonly CheckedOperation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter((operation) => {
    const text = `${operation.id} ${textOf(operation)}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

export type Verdict = ValueOf<typeof permissionShape>

/** Key of the text that answers the question. */
export function keyOfAnswer({ verdict, allowed }: Pick<Verdict, 'verdict' | 'allowed'>): 'yes' | 'no' | 'yesBut' {
  if (verdict === 'refusedNow') return 'yesBut'
  return allowed ? 'yes' : 'no'
}

/** Key of the text that gives the reason. */
export function keyOfReason({ verdict, privilege }: Pick<Verdict, 'verdict' | 'privilege'>) {
  return verdict === 'forbidden' && privilege !== undefined ? 'reason_lacking' : (`reason_${verdict}` as const)
}

import type { checkedOperationsShape } from '../../../../src/http/shapes/directory/permission.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'

export type CheckedOperations = ValueOf<typeof checkedOperationsShape>
/** An operation that permission can be asked for. */
export type CheckedOperation = CheckedOperations['operations'][number]

/** Parts of the list, in their order. */
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
  'audit',
] as const
export type Part = (typeof parts)[number]

/** The part of an operation: the room of the server, or what an operation of the directory is done to. */
export function partOf({ room, target }: Pick<CheckedOperation, 'room' | 'target'>): Part {
  return (room === 'directory' ? (target[0] ?? 'organization') : room) as Part
}

/** Operations whose id, or whose words as the person reads them, have all of the words. */
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

import type { Caller } from '../../call/caller.ts'
import { canViewGroup } from '../../directory/permissions.ts'
import type { DirectoryReaders } from '../../directory/store.ts'

/** Values whose group the caller sees; a deleted one is seen by no user. */
export async function keepSeen<Value>(
  { directory }: DirectoryReaders,
  caller: Caller,
  values: readonly Value[],
  groupOf: (value: Value) => string,
): Promise<readonly Value[]> {
  const kept: Value[] = []
  for (const value of values) {
    const found = await directory.findGroupFor(groupOf(value), caller.userId)
    if (found && canViewGroup(caller, found.group, found.memberType)) kept.push(value)
  }
  return kept
}

import { groupLimits } from '../../../src/directory/group.ts'
import { post } from '../session/session.ts'
import { type LeftOut, readLeftOut } from './left-out.ts'

/** Adds people to a group, as many in a call as it takes; `onAdded` gets those of each call, and the answer has the others. */
export async function addUsers(
  group: string,
  usernames: readonly string[],
  { type = 'users', onAdded }: { type?: 'users' | 'admins'; onAdded?: (usernames: readonly string[]) => void } = {},
): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = []
  for (let from = 0; from < usernames.length; from += groupLimits.namesInOneCall) {
    const given = usernames.slice(from, from + groupLimits.namesInOneCall)
    const { notAdded, reasons } = await post<{
      readonly notAdded: readonly string[]
      readonly reasons?: readonly string[]
    }>(`/community/groups/${encodeURIComponent(group)}/addUsers`, { [type]: given.join(',') })
    leftOut.push(...readLeftOut(notAdded, reasons))
    onAdded?.(given.filter((username) => !notAdded.includes(username)))
  }
  return leftOut
}

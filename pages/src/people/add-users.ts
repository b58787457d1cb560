import { groupLimits } from '../../../src/directory/group.ts'
import { groupPath, post } from '../session/session.ts'

/** A person who was not added to a group, and why: the sentence of the server without the username that it begins with. */
export interface LeftOut {
  readonly username: string
  readonly reason: string
}

/** Adds people to a group, as many in a call as it takes; `onAdded` gets those of each call, and the answer has the others. */
export async function addUsers(
  group: string,
  usernames: readonly string[],
  { type = 'users', onAdded }: { type?: 'users' | 'admins'; onAdded?: (usernames: readonly string[]) => void } = {},
): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = []
  for (let from = 0; from < usernames.length; from += groupLimits.namesInOneCall) {
    const given = usernames.slice(from, from + groupLimits.namesInOneCall)
    const { notAdded, reasons = [] } = await post<{
      readonly notAdded: readonly string[]
      readonly reasons?: readonly string[]
    }>(`${groupPath(group)}/addUsers`, { [type]: given.join(',') })
    leftOut.push(
      ...notAdded.map((username, at) => ({ username, reason: (reasons[at] ?? '').replace(`${username} `, '') })),
    )
    onAdded?.(given.filter((username) => !notAdded.includes(username)))
  }
  return leftOut
}

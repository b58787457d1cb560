import type { CategoryApproval } from '../../../src/directory/portal.ts'
import type { WirePortal } from '../../../src/http/shapes/directory/portal.ts'
import type { WireUserView } from '../../../src/http/shapes/directory/user.ts'
import { callWithToken } from '../api/call.ts'

/** Signed-in person, with the data of the user and the organization that frame and screens need. */
export interface SignedIn {
  readonly username: string
  readonly fullName: string
  readonly role: string
  readonly privileges: readonly string[]
  /** Operations that the person may call on the organization and on themselves. */
  readonly can: readonly string[]
  readonly portal: {
    readonly id: string
    readonly name: string
    /** Category schemas whose changes a second person has to publish. */
    readonly categoryApproval: CategoryApproval
  }
  /** Whether the server sends mail, so that a person without a password can be invited. */
  readonly sendsMail: boolean
}

/** Reads the person of a token. */
export async function readPerson(token: string): Promise<SignedIn> {
  const options = { token }
  const [user, portal] = await Promise.all([
    callWithToken<WireUserView>('/community/self', { withCan: true }, options),
    callWithToken<WirePortal>('/portals/self', { withCan: true }, options),
  ])
  return {
    username: user.username,
    fullName: user.fullName,
    role: user.role,
    privileges: user.privileges ?? [],
    can: [...(portal.can ?? []), ...(user.can ?? [])],
    portal: { id: portal.id, name: portal.name, categoryApproval: portal.categoryApproval ?? 'none' },
    sendsMail: portal.sendsMail ?? false,
  }
}

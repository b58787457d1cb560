import { callWithToken } from '../api/call.ts'

/** Who is signed in, with what the frame and the screens need of the user and the organization. */
export interface SignedIn {
  readonly username: string
  readonly fullName: string
  readonly role: string
  readonly privileges: ReadonlySet<string>
  readonly portal: { readonly id: string; readonly name: string }
  /** Whether the server sends mail, so that a person without a password can be invited. */
  readonly sendsMail: boolean
  /** Whether the state of the server is shown to them: to administrators of its first organization. */
  readonly seesSystem: boolean
}

interface SelfAnswer {
  readonly username: string
  readonly fullName: string
  readonly role: string
  readonly privileges: readonly string[]
}

interface PortalAnswer {
  readonly id: string
  readonly name: string
  readonly sendsMail?: boolean
}

/** The person of a token. Whether they see the state of the server is not known yet. */
export async function readPerson(token: string): Promise<SignedIn> {
  const options = { token }
  const [{ answer: user }, { answer: portal }] = await Promise.all([
    callWithToken<SelfAnswer>('/community/self', {}, options),
    callWithToken<PortalAnswer>('/portals/self', {}, options),
  ])
  return {
    username: user.username,
    fullName: user.fullName,
    role: user.role,
    privileges: new Set(user.privileges),
    portal: { id: portal.id, name: portal.name },
    sendsMail: portal.sendsMail ?? false,
    seesSystem: false,
  }
}

/** Whether the state of the server is shown to the person of a token; false where that cannot be found out. */
export async function readSeesSystem({ role }: SignedIn, token: string): Promise<boolean> {
  if (role !== 'org_admin') return false
  try {
    const question = { operation: 'readServerFigures' }
    const path = '/portals/self/permissionCheck'
    const { answer } = await callWithToken<{ readonly allowed: boolean }>(path, question, { token })
    return answer.allowed
  } catch {
    // Its address still leads to the screen.
    return false
  }
}

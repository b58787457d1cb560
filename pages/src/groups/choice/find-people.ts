import type { WireMember } from '../../../../src/http/shapes/directory/member.ts'
import type { WireUser } from '../../../../src/http/shapes/directory/user.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import { userSearchOf } from '../../people/list/user-search.ts'
import { call, groupPath, may } from '../../session/session.ts'

export interface NamedPerson {
  readonly username: string
  readonly fullName: string
}

/** Finds people by a part of a name; all of them for an empty text. */
export type FindPeople = (
  text: string,
  signal: AbortSignal,
) => Promise<{ readonly people: readonly NamedPerson[]; readonly total: number }>

/** Number of people that a choice shows (chosen). */
const num = 8

/** Finds people of the organization; none where the person may not search them. */
export const findInOrganization: FindPeople = async (text, signal) => {
  if (!may('searchPortalUsers')) return { people: [], total: 0 }
  const search = userSearchOf({ q: text, role: '', state: '', sort: 'username' })
  const { results, total } = await call<WirePage<'results', WireUser>>(
    '/portals/self/users/search',
    { ...search, num },
    { signal },
  )
  return { people: results.filter(({ disabled }) => !disabled), total }
}

/** Finds members of a group other than its owner. */
export function findAmongMembers(groupId: string): FindPeople {
  return async (text, signal) => {
    const { users, total } = await call<WirePage<'users', WireMember>>(
      `${groupPath(groupId)}/userList`,
      { name: text || undefined, num },
      { signal },
    )
    return { people: users, total }
  }
}

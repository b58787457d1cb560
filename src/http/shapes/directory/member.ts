import type { NamedMember } from '../../../directory/groups/store.ts'
import { memberTypes } from '../../../directory/membership.ts'
import type { Page, Slice } from '../../../paging.ts'
import { pageMembers, pageToWire } from '../page.ts'
import { choice, component, list, nullable, object, shortId, text, time, type ValueOf } from '../shape.ts'

const memberShape = component(
  'Member',
  'A user as a member of a group.',
  object({
    username: text(),
    fullName: text(),
    memberType: choice(memberTypes, '`admin` is a manager of the group.'),
    thumbnail: nullable(text('Not supported; always null.')),
    joined: time('Since when the user has belonged to the group.'),
    orgId: shortId('The organization of the user.'),
  }),
)
export type WireMember = ValueOf<typeof memberShape>

export const memberPageShape = object({ ...pageMembers, owner: memberShape, users: list(memberShape) })

export function memberPageToWire(
  found: Slice<NamedMember> & { readonly page: Page },
  owner: NamedMember,
): ValueOf<typeof memberPageShape> {
  const { users, ...page } = pageToWire('users', found, memberToWire)
  return { ...page, owner: memberToWire(owner), users }
}

function memberToWire({ username, fullName, memberType, joinedAt, portalId }: NamedMember): WireMember {
  return { username, fullName, memberType, thumbnail: null, joined: joinedAt, orgId: portalId }
}

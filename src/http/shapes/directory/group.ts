import { type Group, groupAccesses, membershipAccesses, sortOrders } from '../../../directory/group.ts'
import { isOwnerOrManager, type Member, type MemberType, memberTypes } from '../../../directory/membership.ts'
import type { Slice } from '../../../paging.ts'
import { canMember } from '../page.ts'
import {
  boolean,
  choice,
  component,
  constant,
  emptyObject,
  id,
  integer,
  list,
  nullable,
  object,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'
import { successShapeWith } from '../success.ts'

export const groupShape = component(
  'Group',
  'A group.',
  object(
    {
      id: id(),
      title: text(),
      isInvitationOnly: boolean('Whether users cannot join on their own.'),
      owner: text('Username of the owner.'),
      description: text(),
      snippet: text('Short summary.'),
      tags: list(text()),
      phone: nullable(text('Whom to ask about the group.')),
      sortField: text('Field by which the content of the group is sorted.'),
      sortOrder: choice(sortOrders),
      isViewOnly: boolean('Whether members cannot add content.'),
      thumbnail: nullable(text('Not supported; always null.')),
      created: time('When the group was created.'),
      modified: time('When the group was last changed.'),
      access: choice(groupAccesses, 'Who can see the group: its members, the organization, or everyone.'),
      capabilities: list(
        text(),
        '`updateitemcontrol` if members may update the items that are shared with the group; otherwise empty.',
      ),
      protected: boolean('Whether the group cannot be deleted.'),
      autoJoin: boolean('Whether requests to join are accepted automatically.'),
      leavingDisallowed: boolean('Whether members cannot leave.'),
      hiddenMembers: boolean('Whether members do not see who else belongs to the group.'),
      membershipAccess: choice(
        membershipAccesses,
        'Whose users may belong to the group: of the organization, also of its partners in collaborations, or of any organization.',
      ),
      displaySettings: object({ itemTypes: text('Type of the items that clients show first; empty for all.') }),
      hasCategorySchema: boolean('Whether a category schema is set.'),
      orgId: shortId('The organization of the group.'),
      collaborationInfo: emptyObject(),
      userMembership: object({
        username: text('The user whose membership this is: the caller, or the user that the group is listed for.'),
        memberType: choice([...memberTypes, 'none'], '`admin` is a manager of the group.'),
        applications: integer('Open requests to join; 0 for users other than the owner and managers.', 0),
      }),
    },
    canMember,
  ),
)
export type WireGroup = ValueOf<typeof groupShape>

export function groupToWire(group: Group, username: string | undefined, memberType: MemberType | undefined): WireGroup {
  return {
    id: group.groupId,
    title: group.title,
    isInvitationOnly: group.isInvitationOnly,
    owner: group.ownerUsername,
    description: group.description,
    snippet: group.snippet,
    tags: group.tags,
    phone: group.phone === '' ? null : group.phone,
    sortField: group.sortField,
    sortOrder: group.sortOrder,
    isViewOnly: group.isViewOnly,
    thumbnail: null,
    created: group.createdAt,
    modified: group.modifiedAt,
    access: group.access,
    capabilities: group.givesItemControl ? ['updateitemcontrol'] : [],
    protected: group.isProtected,
    autoJoin: group.autoJoin,
    leavingDisallowed: group.isLeavingDisallowed,
    hiddenMembers: group.hidesMembers,
    membershipAccess: group.membershipAccess,
    displaySettings: { itemTypes: group.shownItemTypes },
    hasCategorySchema: group.hasCategorySchema,
    orgId: group.portalId,
    collaborationInfo: {},
    userMembership: {
      username: username ?? '',
      memberType: memberType ?? 'none',
      applications: isOwnerOrManager(memberType) ? group.applications : 0,
    },
  }
}

/** Meanings of the members as parameters of a change. */
export const groupMeanings = {
  tags: 'Comma-separated tags.',
  access: 'Who can see the group: its members (private), the organization (org), or everyone (public).',
  description: 'Description.',
  snippet: 'Short summary.',
  phone: 'Whom to ask about the group.',
  sortField: 'Field by which the content of the group is sorted.',
  sortOrder: 'Sort order of the content of the group.',
  isViewOnly: 'Whether members cannot add content.',
  isInvitationOnly: 'Whether users join by invitation, or by a request that is accepted.',
  autoJoin: 'Kept, without effect: a group that is not by invitation only is joined immediately.',
  membershipAccess:
    'Whose users may belong to the group: of the organization (org), also of organizations that take part in a collaboration with it (collaboration), or of any organization (none). The last two take portal:user:addExternalMembersToGroup.',
}

/** Answer of most changes of a group. */
export const changedGroupShape = successShapeWith({ groupId: id() })

/** Joining may leave a request that waits. */
export const joinedGroupShape = object({ success: constant(true), groupId: id() }, { applied: constant(true) })

export const groupUsersShape = object(
  {
    owner: text(),
    admins: list(text(), 'Usernames of the managers, the owner included.'),
    users: list(text(), 'Usernames of the members who are not managers.'),
  },
  { membersTotal: integer('Only if names are left out: how many users belong to the group.', 0) },
)

export function groupUsersToWire({ total, entries }: Slice<Member>): ValueOf<typeof groupUsersShape> {
  const of = (...types: readonly MemberType[]) =>
    entries.filter(({ memberType }) => types.includes(memberType)).map(({ username }) => username)
  const [owner = ''] = of('owner')
  const members = { owner, admins: of('owner', 'admin'), users: of('member') }
  return total > entries.length ? { ...members, membersTotal: total } : members
}

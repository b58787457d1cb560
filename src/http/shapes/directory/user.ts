import { isBuiltInRole, type Privilege } from '../../../call/privilege.ts'
import { type User, unitChoices, userAccesses, userProviders } from '../../../directory/user.ts'
import type { ListedUser, UserView } from '../../../directory/users/user-view.ts'
import { canMember } from '../page.ts'
import {
  boolean,
  choice,
  component,
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
import { groupShape, groupToWire } from './group.ts'
import { inviteWarnings, warnIfNone } from './left-out.ts'

const members = {
  username: text(),
  id: id(),
  fullName: text(),
  firstName: text(),
  lastName: text(),
  description: text(),
  tags: list(text()),
  culture: nullable(text('Language, such as `en`; null if none is set.')),
  region: nullable(text('Country, such as `CH`, or `WO` for the world; null if none is set.')),
  units: nullable(choice(unitChoices, 'Units of lengths and areas; null if none are set.')),
  orgId: shortId('The organization of the user.'),
  role: text('A built-in role (`org_admin`, `org_publisher`, `org_user`, `org_viewer`) or the id of a custom role.'),
  access: choice(userAccesses, 'Who can see the user: administrators, the organization, or everyone.'),
  created: time('When the user was created.'),
  modified: time('When the user was last changed.'),
}

const personal = {
  roleId: text('The same as `role`: in lists, and of a user with a custom role.'),
  email: text('Only for the user and administrators.'),
  disabled: boolean('Whether sign-in is refused. Only for the user and administrators.'),
  provider: choice(
    userProviders,
    'Who knows the password: this server, or an identity provider. Only for the user and administrators.',
  ),
  idpUsername: text('What the identity provider calls the user. Only for the user and administrators.'),
  lastLogin: time('Last sign-in; -1 if there was none. Only for the user and administrators.'),
}

export const userShape = component('User', 'A user in a list.', object(members, personal))
export type WireUser = ValueOf<typeof userShape>

export const userViewShape = component(
  'UserView',
  'A user that is read on its own.',
  object(
    {
      ...members,
      groups: list(
        groupShape,
        'Groups that the user belongs to; empty for callers other than the user and administrators.',
      ),
    },
    {
      ...personal,
      privileges: list(text(), 'Only for the user and administrators.'),
      groupsTotal: integer('Only if groups are left out: how many groups the user belongs to.', 0),
      ...canMember,
    },
  ),
)
export type WireUserView = ValueOf<typeof userViewShape>

/**
 * An entry of a list. It has a role id whatever the role: without one, a client asks for each user again (observed).
 * Privileges, the e-mail address and the like are personal: for the user and administrators only (documented).
 */
export function userToWire(listed: ListedUser): WireUser {
  return { ...withPrivileges(listed), roleId: listed.user.role }
}

export function userViewToWire({ privileges, groups, ...listed }: UserView): WireUserView {
  const { total, entries } = groups ?? { total: 0, entries: [] }
  return {
    ...withPrivileges(listed, privileges),
    groups: entries.map(({ group, memberType }) => groupToWire(group, listed.user.username, memberType)),
    ...(total > entries.length ? { groupsTotal: total } : {}),
  }
}

function withPrivileges({ user, isConfidant }: ListedUser, privileges?: readonly Privilege[]) {
  return {
    username: user.username,
    id: user.userId,
    fullName: user.fullName,
    firstName: user.firstName,
    lastName: user.lastName,
    description: user.description,
    tags: user.tags,
    culture: user.culture || null,
    region: user.region || null,
    units: user.units || null,
    ...(isConfidant ? { email: user.email } : {}),
    orgId: user.portalId,
    role: user.role,
    // Clients take a user with a roleId for one with a custom role, however built-in the role is (observed).
    ...(isBuiltInRole(user.role) ? {} : { roleId: user.role }),
    ...(isConfidant && privileges ? { privileges } : {}),
    access: user.access,
    ...(isConfidant ? { disabled: user.disabled } : {}),
    created: user.createdAt,
    modified: user.modifiedAt,
    ...(isConfidant ? { ...providerOf(user), lastLogin: user.lastSignInAt ?? -1 } : {}),
  }
}

function providerOf({ providerUsername }: User): Pick<WireUser, 'provider' | 'idpUsername'> {
  return providerUsername === undefined
    ? { provider: 'arcgis' }
    : { provider: 'enterprise', idpUsername: providerUsername }
}

/** Answer of most changes of a user. */
export const changedUserShape = successShapeWith({ username: text() })

export const invitedUsersShape = successShapeWith(
  { notInvited: list(text(), 'Usernames that were not invited.') },
  {
    reasons: list(text(), 'One sentence for each username that was not invited; absent if all were.'),
    ...inviteWarnings,
  },
)

/** `named` is how many users the list had. */
export function invitedUsersToWire(
  named: number,
  refused: readonly { readonly username: string; readonly reason: string }[],
): ValueOf<typeof invitedUsersShape> {
  const reasons = refused.map(({ username, reason }) => `${username}: ${reason}`)
  const notInvited = refused.map(({ username }) => username)
  const why = reasons.length > 0 ? { reasons } : {}
  return { success: true, notInvited, ...why, ...warnIfNone(named, refused.length) }
}

export const settledUsersShape = object({
  results: list(
    object(
      { username: text('As given.'), status: boolean('Whether the user was changed.') },
      { reason: text('Only with status false: why the user stays as before.') },
    ),
  ),
})

export function settledUsersToWire({
  results,
}: {
  readonly results: readonly { readonly username: string; readonly reason: string | undefined }[]
}): ValueOf<typeof settledUsersShape> {
  return {
    results: results.map(({ username, reason }) =>
      reason === undefined ? { username, status: true } : { username, status: false, reason },
    ),
  }
}

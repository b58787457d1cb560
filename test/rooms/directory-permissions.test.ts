import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/call/caller.ts'
import { builtInRoles, isBuiltInRole, isPrivilege, type Privilege } from '../../src/call/privilege.ts'
import { type Group, groupDefaults } from '../../src/directory/group.ts'
import type { MemberType } from '../../src/directory/membership.ts'
import {
  canViewGroup,
  canViewMembers,
  canViewPersonalDetails,
  canViewPortal,
  canViewUser,
  findPrivilegeToGive,
  isDefaultAdministrator,
  mayAddMembers,
  mayAssignPortalSchema,
  mayDeleteGroup,
  mayDeletePortalSchema,
  mayGiveRole,
  mayGovernUser,
  mayManageCategories,
  mayReassignGroup,
  mayUpdateGroup,
  mayUpdateUser,
} from '../../src/directory/permissions.ts'
import type { Portal } from '../../src/directory/portal.ts'
import { privilegesOf } from '../../src/directory/role.ts'
import type { User } from '../../src/directory/user.ts'

const here = 'portalHere'
const there = 'portalThere'

function caller(role: string, privileges: readonly Privilege[], portalId = here): Caller {
  return { userId: 'caller', username: 'caller', portalId, role, privileges: new Set(privileges) }
}

function custom(...privileges: readonly Privilege[]): Caller {
  return caller('customRole', privileges)
}

const administrator = caller('org_admin', builtInRoles.org_admin)
const foreigner = caller('org_admin', builtInRoles.org_admin, there)
const user = caller('org_user', builtInRoles.org_user)
const regent = custom(...builtInRoles.org_admin)
const powerless = custom()

function group(access: Group['access']): Group {
  return { portalId: here, access } as Group
}

function person(over: Partial<User>): User {
  return { userId: 'somebody', portalId: here, role: 'org_user', access: 'org', ...over } as User
}

test('a default administrator holds the built-in role in the own organization', () => {
  const rows = [administrator, foreigner, user, regent, powerless].map((who) => isDefaultAdministrator(who, here))
  expect(rows).toEqual([true, false, false, false, false])
})

test('a portal is seen by its members, and by all where it is public', () => {
  const portal = (access: Portal['access']) => ({ portalId: here, access }) as Portal
  for (const who of [powerless, user]) expect(canViewPortal(who, portal('private'))).toBe(true)
  for (const who of [undefined, foreigner]) {
    expect([canViewPortal(who, portal('private')), canViewPortal(who, portal('public'))]).toEqual([false, true])
  }
})

describe('seeing a group', () => {
  test.each([
    ['an anonymous caller', undefined, [false, false, true]],
    ['a foreign administrator', foreigner, [false, false, true]],
    ['a custom role without privileges', powerless, [false, false, true]],
    ['a custom role that views groups of the organization', custom('portal:user:viewOrgGroups'), [false, true, true]],
    ['a custom role that views every group', custom('portal:admin:viewGroups'), [true, true, true]],
    ['a user', user, [false, true, true]],
    ['an administrator', administrator, [true, true, true]],
  ] as const)('%s', (_name, who, seen) => {
    const accesses = ['private', 'org', 'public'] as const
    expect(accesses.map((access) => canViewGroup(who, group(access), undefined))).toEqual(seen)
    for (const access of accesses) expect(canViewGroup(who, group(access), 'member')).toBe(true)
  })
})

const memberTypes: readonly (MemberType | undefined)[] = ['owner', 'admin', 'member', undefined]

test('categories of a group are governed by owner and managers, no others', () => {
  expect(memberTypes.map(mayManageCategories)).toEqual([true, true, false, false])
})

describe('changing a group', () => {
  test.each([
    ['update', mayUpdateGroup, 'portal:admin:updateGroups', [true, true, false, false]],
    ['delete', mayDeleteGroup, 'portal:admin:deleteGroups', [true, false, false, false]],
    ['reassign', mayReassignGroup, 'portal:admin:reassignGroups', [true, false, false, false]],
    ['add members', mayAddMembers, 'portal:admin:assignToGroups', [true, true, false, false]],
    ['see members', canViewMembers, 'portal:admin:viewGroups', [true, true, true, false]],
  ] as const)('%s', (_name, may, privilege, byMembership) => {
    const target = group('public')
    expect(memberTypes.map((type) => may(powerless, target, type))).toEqual(byMembership)
    const others = builtInRoles.org_admin.filter((held) => held !== privilege)
    const ways = [custom(privilege), administrator, custom(...others), foreigner, user]
    expect(ways.map((who) => may(who, target, undefined))).toEqual([true, true, false, false, false])
  })
})

test('a group is shared as the privileges say', () => {
  const accesses = ['private', 'org', 'public'] as const
  const lacking = (who: Caller) => accesses.map((access) => findPrivilegeToGive(who, groupDefaults, { access }))
  const toOrganization = 'portal:user:shareGroupToOrg'
  const toEveryone = 'portal:user:shareGroupToPublic'
  expect(lacking(powerless)).toEqual([undefined, toOrganization, toEveryone])
  expect(lacking(custom(toOrganization))).toEqual([undefined, undefined, toEveryone])
  expect(lacking(custom(toEveryone))).toEqual([undefined, toOrganization, undefined])
  expect(lacking(user)).toEqual([undefined, undefined, undefined])
})

test('the schema of an organization is assigned by privilege and deleted by default administrators only', () => {
  const assigner = custom('portal:admin:updateItemCategorySchema')
  const callers = [administrator, assigner, regent, user, foreigner]
  expect(callers.map((who) => mayAssignPortalSchema(who, here))).toEqual([true, true, true, false, false])
  expect(callers.map((who) => mayDeletePortalSchema(who, here))).toEqual([true, false, false, false, false])
})

describe('seeing a user', () => {
  test.each([
    ['an anonymous caller', undefined, [false, false, true], false],
    ['a foreign administrator', foreigner, [false, false, true], false],
    ['a custom role without privileges', powerless, [false, false, true], false],
    ['a user', user, [false, true, true], false],
    ['a custom role that views users', custom('portal:admin:viewUsers'), [true, true, true], true],
    ['an administrator', administrator, [true, true, true], true],
  ] as const)('%s', (_name, who, seen, personal) => {
    const accesses = ['private', 'org', 'public'] as const
    expect(accesses.map((access) => canViewUser(who, person({ access })))).toEqual(seen)
    for (const access of accesses) expect(canViewPersonalDetails(who, person({ access }))).toBe(personal)
  })

  test('is always granted to oneself', () => {
    const self = person({ userId: 'caller', access: 'private' })
    expect([
      canViewUser(powerless, self),
      canViewPersonalDetails(powerless, self),
      mayUpdateUser(powerless, self, ['portal:user:joinGroup']),
    ]).toEqual([true, true, true])
  })
})

test('only a default administrator governs a default administrator', () => {
  const privilege = 'portal:admin:updateUsers'
  const govern = (who: Caller, role: 'org_admin' | 'org_user') =>
    mayGovernUser(who, person({ role }), builtInRoles[role], privilege)
  const callers = [administrator, regent, custom(...builtInRoles.org_user, privilege), user, foreigner]
  expect(callers.map((who) => govern(who, 'org_user'))).toEqual([true, true, true, false, false])
  expect(callers.map((who) => govern(who, 'org_admin'))).toEqual([true, false, false, false, false])
})

test('a user is governed only by callers who hold every administrative privilege of the user', () => {
  const privilege = 'portal:admin:deleteUsers'
  const govern = (who: Caller, ...held: readonly Privilege[]) =>
    mayGovernUser(who, person({ role: 'anyRole' }), held, privilege)
  const holder = custom(privilege, 'portal:user:joinGroup')
  expect(govern(holder)).toBe(true)
  expect(govern(holder, 'portal:user:joinGroup', privilege)).toBe(true)
  expect(govern(holder, ...builtInRoles.org_publisher)).toBe(true)
  expect(govern(holder, 'portal:admin:viewUsers')).toBe(false)
  expect(govern(regent, ...builtInRoles.org_admin)).toBe(true)
  expect(govern(custom('portal:user:joinGroup'), 'portal:user:joinGroup')).toBe(false)
  expect(mayUpdateUser(custom('portal:admin:updateUsers'), person({ role: 'anyRole' }), [privilege])).toBe(false)
})

test('no caller gives a role with more than the own privileges, and only an administrator makes administrators', () => {
  expect(mayGiveRole(administrator, 'org_admin', builtInRoles.org_admin)).toBe(true)
  expect(mayGiveRole(regent, 'org_admin', builtInRoles.org_admin)).toBe(false)
  expect(mayGiveRole(regent, 'org_publisher', builtInRoles.org_publisher)).toBe(true)
  expect(mayGiveRole(regent, 'anyRole', builtInRoles.org_admin)).toBe(true)
  const holder = custom('portal:user:joinGroup')
  expect(mayGiveRole(holder, 'anyRole', ['portal:user:joinGroup'])).toBe(true)
  expect(mayGiveRole(holder, 'anyRole', ['portal:user:joinGroup', 'portal:user:createGroup'])).toBe(false)
  expect(mayGiveRole(holder, 'anyRole', [])).toBe(true)
})

describe('privileges', () => {
  test('of built-in roles grow from viewer to administrator', () => {
    const { org_viewer, org_user, org_publisher, org_admin } = builtInRoles
    expect(org_user).toEqual(expect.arrayContaining([...org_viewer]))
    expect(org_publisher).toEqual(expect.arrayContaining([...org_user]))
    expect(org_admin).toEqual(expect.arrayContaining([...org_publisher]))
    expect(org_viewer.length).toBeLessThan(org_user.length)
    expect(org_publisher.some((privilege) => privilege.startsWith('portal:admin:'))).toBe(false)
  })

  test('a custom role that is gone allows nothing, nor does a name of the prototype', () => {
    for (const role of ['gone', '__proto__', 'constructor', 'hasOwnProperty']) {
      expect(isBuiltInRole(role)).toBe(false)
      expect(privilegesOf(role, undefined)).toEqual([])
    }
    expect(privilegesOf('org_viewer', undefined)).toEqual(builtInRoles.org_viewer)
  })

  test.each(['', '__proto__', 'constructor', 'portal:admin:', 'PORTAL:USER:CREATEGROUP', 'portal:user:createGroup '])(
    '%j is none',
    (text) => {
      expect(isPrivilege(text)).toBe(false)
    },
  )
})

import type { Fault } from './fault.ts'

/** Faults in permissions and visibility. */
export const permissions: readonly Fault[] = [
  {
    name: 'What is shared already is refused more groups, once a policy of categories is enforced',
    file: 'src/items/categories/policy.ts',
    find: 'ranks[item.access] >= rank || ',
    replace: '',
    tests: ['test/rooms/coverage.test.ts'],
  },
  {
    name: 'Every member reads how many items there are, those that the member does not see included',
    file: 'src/items/categories/coverage-operations.ts',
    find: 'history: seesHistory ? await stores.items.listCoverageDays(owner) : []',
    replace: 'history: await stores.items.listCoverageDays(owner)',
    tests: ['test/http/endpoints/items/coverage.test.ts'],
  },
  {
    name: 'A user of another organization says that the caller may change the role',
    file: 'src/http/endpoints/people/can.ts',
    find: "asked ? verdict.verdict === 'permitted' : isAllowed(verdict)",
    replace: 'isAllowed(verdict)',
    tests: ['test/http/permissions/who-may-call/can.test.ts'],
  },
  {
    name: 'Who may only assign the category schema of an organization deletes it',
    file: 'src/directory/permissions.ts',
    find: `mayDeletePortalSchema(caller: Caller, portalId: string): boolean {
  return isDefaultAdministrator(caller, portalId)`,
    replace: `mayDeletePortalSchema(caller: Caller, portalId: string): boolean {
  return mayAssignPortalSchema(caller, portalId)`,
    tests: ['test/rooms/directory-permissions.test.ts'],
  },
  {
    name: 'An administrator changes groups of another organization',
    file: 'src/directory/permissions.ts',
    find: `holds(caller, group.portalId, 'portal:admin:updateGroups')`,
    replace: `caller.privileges.has('portal:admin:updateGroups')`,
    tests: ['test/rooms/directory-permissions.test.ts'],
  },
  {
    name: 'Users of other organizations see groups that are open to one organization',
    file: 'src/directory/permissions.ts',
    find: 'if (!caller || caller.portalId !== group.portalId) return false',
    replace: 'if (!caller) return false',
    tests: ['test/rooms/directory-permissions.test.ts'],
  },
  {
    name: 'Who may change users changes those who administer more than the caller',
    file: 'src/directory/permissions.ts',
    find: ' && mayGiveRole(caller, user.role, held.filter(isAdministrative))',
    replace: ` && (user.role !== 'org_admin' || caller.role === 'org_admin')`,
    tests: ['test/rooms/directory-permissions.test.ts'],
  },
  {
    name: 'Users of other organizations see items that are shared with one organization',
    file: 'src/items/item-permissions.ts',
    find: `holds(caller, item.portalId, 'portal:user:viewOrgItems')`,
    replace: `caller.privileges.has('portal:user:viewOrgItems')`,
    tests: ['test/http/permissions/isolation.test.ts', 'test/http/permissions/two-portals.test.ts'],
  },
  {
    name: 'A manager shares an item of the organization with a group that outsiders may join',
    file: 'src/items/sharing.ts',
    find: `if (item.level === 'org' && !isWithin) {`,
    replace: `if (item.level === 'org' && !isWithin && group.access === 'public') {`,
    tests: ['test/http/endpoints/items/sharing.test.ts'],
  },
  {
    name: 'Every member of a group reads who changed its category schema',
    file: 'src/categories/owners.ts',
    find: 'return isApp || mayManageCategories(memberType) ||',
    replace: 'return isApp || memberType !== undefined ||',
    tests: ['test/http/permissions/who-may-call/matrix.test.ts'],
  },
  {
    name: 'An app goes on with privileges that its owner has lost',
    file: 'src/tokens/operations.ts',
    find: 'bound ? new Set([...held].filter((privilege) => bound.has(privilege))) : held',
    replace: 'bound && bound.size === 0 ? bound : held',
    tests: ['test/rooms/token.test.ts', 'test/http/endpoints/apps/app-tokens.test.ts'],
  },
  {
    name: 'Who may not change a group learns what is wrong with the values',
    file: 'src/directory/group-operations.ts',
    find: `  requirePermission(mayUpdateGroup(caller, group, memberType))
  const change = unwrapParsed(input.change)`,
    replace: `  const change = unwrapParsed(input.change)
  requirePermission(mayUpdateGroup(caller, group, memberType))`,
    tests: ['test/http/permissions/who-may-call/matrix.test.ts'],
  },
]

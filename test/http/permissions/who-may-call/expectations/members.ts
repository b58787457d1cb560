import { targets } from '../../../../support/portal/actors.ts'
import type { Expectations } from './case.ts'
import { onEachGroup, viewsBySight } from './groups.ts'
import { forbidden, ok, unable } from './outcomes.ts'

const ownersAndManagers = {
  onlookers: forbidden,
  governors: ok,
  owner: ok,
  manager: ok,
  member: forbidden,
} as const

const belongsAlready = unable('join group', 'You belong to Maps already.')
const belongsNot = unable('leave group', 'You do not belong to Maps.')

/** Operations on the members of groups. */
export const memberExpectations: Expectations = {
  listGroupUsers: onEachGroup({ privilege: 'portal:admin:viewGroups', ...ownersAndManagers, member: ok }, viewsBySight),
  searchGroupUsers: onEachGroup(
    { privilege: 'portal:admin:viewGroups', ...ownersAndManagers, member: ok },
    viewsBySight,
  ),
  addGroupUsers: onEachGroup({
    privilege: 'portal:admin:assignToGroups',
    parameters: () => ({ users: targets.user }),
    ...ownersAndManagers,
  }),
  removeGroupUsers: onEachGroup({
    privilege: 'portal:admin:updateGroups',
    parameters: () => ({ users: 'member' }),
    ...ownersAndManagers,
  }),
  updateGroupUsers: onEachGroup({
    privilege: 'portal:admin:updateGroups',
    parameters: () => ({ admins: 'member' }),
    ...ownersAndManagers,
  }),
  joinGroup: onEachGroup({
    privilege: 'portal:user:joinGroup',
    onlookers: ok,
    governors: ok,
    owner: belongsAlready,
    manager: belongsAlready,
    member: belongsAlready,
    but: { lacking: forbidden, outsider: forbidden },
  }),
  leaveGroup: onEachGroup({
    privilege: 'portal:admin:updateGroups',
    onlookers: belongsNot,
    governors: belongsNot,
    owner: unable('leave group', 'The owner cannot leave; reassign the group first.'),
    manager: ok,
    member: ok,
  }),
}

import type { Privilege } from '../../../../../src/call/privilege.ts'
import type { Caller } from '../../../../support/portal/actors.ts'
import type { Case, Expectations } from './case.ts'
import { forbidden, groupNotFound, insiders, type Outcome, ok, openToAnonymous, signedOut } from './outcomes.ts'

/** A group, and who does not see it without belonging to it. */
interface View {
  readonly on: string
  readonly access: 'private' | 'org' | 'public'
  /** Privileges that show the group to a custom role. */
  readonly sight: readonly Privilege[]
  readonly blind: Partial<Record<Caller, Outcome>>
}

/** Administrators see every group of their organization (contract: seeing is not managing). */
const views: readonly View[] = [
  {
    on: 'a private group',
    access: 'private',
    sight: ['portal:admin:viewGroups'],
    blind: { outsider: groupNotFound, viewer: groupNotFound, user: groupNotFound, publisher: groupNotFound },
  },
  {
    on: 'a group of the organization',
    access: 'org',
    sight: ['portal:user:viewOrgGroups'],
    blind: { outsider: groupNotFound },
  },
  { on: 'a public group', access: 'public', sight: [], blind: {} },
]

/** Private and organization groups again, for custom roles that see public groups only. */
const blindViews: readonly View[] = views.slice(0, 2).map(({ on, access, blind }) => ({
  on: `${on} that the custom role does not see`,
  access,
  sight: [],
  blind: { ...blind, holder: groupNotFound, lacking: groupNotFound },
}))

const everySight: readonly Privilege[] = ['portal:admin:viewGroups', 'portal:user:viewOrgGroups']

interface GroupRow {
  readonly privilege: Privilege
  readonly parameters?: NonNullable<Case['parameters']>
  /** Callers who see the group and have no rights in it. */
  readonly onlookers: Outcome
  /** Administrators, and custom roles with the privilege. */
  readonly governors: Outcome
  readonly owner: Outcome
  readonly manager: Outcome
  readonly member: Outcome
  /** Outcomes that differ from those above. */
  readonly but?: Partial<Record<Caller, Outcome>>
}

/** Views of groups where the privilege that is needed also shows private groups. */
export const viewsBySight: readonly View[] = views.map((view) =>
  view.access === 'private' ? { ...view, sight: [], blind: { ...view.blind, lacking: groupNotFound } } : view,
)

/** A row on groups of every access: a caller who does not see the group gets the same outcome from every row. */
export function onEachGroup(row: GroupRow, on: readonly View[] = [...views, ...blindViews]): readonly Case[] {
  const { privilege, parameters, onlookers, governors, owner, manager, member, but } = row
  return on.map(({ on, access, sight, blind }) => ({
    on,
    ids: ({ groups }) => ({ groupId: groups[access] }),
    ...(parameters ? { parameters } : {}),
    privileges: [...sight, privilege],
    lacking: blind.lacking ? [...everySight, privilege] : [privilege],
    expected: {
      ...signedOut,
      outsider: onlookers,
      ...insiders(onlookers),
      holder: governors,
      everything: governors,
      administrator: governors,
      owner,
      manager,
      member,
      ...but,
      ...blind,
    },
  }))
}

/** Reads for every caller who sees the group. */
export function readOnEachGroup(): readonly Case[] {
  return views.map(({ on, access, sight, blind }) => ({
    on,
    ids: ({ groups }) => ({ groupId: groups[access] }),
    privileges: sight,
    lacking: everySight,
    expected: {
      ...(access === 'public' ? openToAnonymous : signedOut),
      outsider: ok,
      ...insiders(ok),
      lacking: access === 'public' ? ok : groupNotFound,
      ...blind,
    },
  }))
}

const owners = { onlookers: forbidden, governors: ok, owner: ok, manager: forbidden, member: forbidden } as const
const ownersAndManagers = { ...owners, manager: ok } as const

/** Groups; their members are in members.ts. */
export const groupExpectations: Expectations = {
  searchGroups: [
    { on: 'every group', privileges: [], expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) } },
  ],
  createGroup: [
    {
      on: 'a new group',
      privileges: ['portal:user:createGroup'],
      parameters: () => ({ title: 'Water' }),
      expected: { ...signedOut, outsider: ok, ...insiders(ok), viewer: forbidden, lacking: forbidden },
    },
  ],
  readGroup: readOnEachGroup(),
  updateGroup: onEachGroup({
    privilege: 'portal:admin:updateGroups',
    parameters: () => ({ snippet: 'What covers the land' }),
    ...ownersAndManagers,
  }),
  deleteGroup: onEachGroup({ privilege: 'portal:admin:deleteGroups', ...owners }),
  protectGroup: onEachGroup({ privilege: 'portal:admin:deleteGroups', ...owners }),
  unprotectGroup: onEachGroup({ privilege: 'portal:admin:deleteGroups', ...owners }),
  reassignGroup: onEachGroup({
    privilege: 'portal:admin:reassignGroups',
    parameters: () => ({ targetUsername: 'member' }),
    ...owners,
  }),
}

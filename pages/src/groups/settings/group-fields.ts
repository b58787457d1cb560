import { groupAccesses, membershipAccesses } from '../../../../src/directory/group.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'

/** Privilege that a setting takes of those who choose it; none for what is missing. */
const privilegeOf: Readonly<Record<string, string>> = {
  org: 'portal:user:shareGroupToOrg',
  public: 'portal:user:shareGroupToPublic',
}
const toLetIn = 'portal:user:addExternalMembersToGroup'
const toForbidLeaving = 'portal:admin:createLeavingDisallowedGroup'
const toLetUpdate = 'portal:admin:createUpdateCapableGroup'

export interface GroupChoices {
  readonly accesses: readonly WireGroup['access'][]
  readonly membershipAccesses: readonly WireGroup['membershipAccess'][]
  readonly mayForbidLeaving: boolean
  readonly mayLetUpdate: boolean
}

/** Who may see a group, as far as a person with these privileges may choose it, and the present one. */
export function accessesFor(
  privileges: readonly string[],
  present?: WireGroup['access'],
): readonly WireGroup['access'][] {
  return groupAccesses.filter((access) => {
    const privilege = privilegeOf[access]
    return privilege === undefined || access === present || privileges.includes(privilege)
  })
}

/** Settings that a person with these privileges may choose, and the present ones. Without DOM. */
export function choicesFor(group: WireGroup, privileges: readonly string[]): GroupChoices {
  return {
    accesses: accessesFor(privileges, group.access),
    membershipAccesses: membershipAccesses.filter(
      (access) => access === 'org' || access === group.membershipAccess || privileges.includes(toLetIn),
    ),
    mayForbidLeaving: group.leavingDisallowed || privileges.includes(toForbidLeaving),
    mayLetUpdate: group.capabilities.length > 0 || privileges.includes(toLetUpdate),
  }
}

/** Boxes of the form, by their names; one that is not shown keeps its setting. */
const boxes = ['isViewOnly', 'hiddenMembers', 'leavingDisallowed'] as const

/** Parameters of `updateGroup` for the values of the form, in which a box without its tick is missing. */
export function changeOf(
  values: Readonly<Record<string, string>>,
  { mayForbidLeaving, mayLetUpdate }: GroupChoices,
): Readonly<Record<string, string | boolean>> {
  const { givesItemControl, ...others } = values
  const shown = boxes.filter((name) => mayForbidLeaving || name !== 'leavingDisallowed')
  return {
    ...others,
    ...Object.fromEntries(shown.map((name) => [name, name in values])),
    ...(mayLetUpdate && { capabilities: givesItemControl === undefined ? '' : 'updateitemcontrol' }),
    clearEmptyFields: true,
  }
}

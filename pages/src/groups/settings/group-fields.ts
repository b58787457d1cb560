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

/** Settings that a person with these privileges may choose, and the present ones. Without DOM. */
export function choicesFor(group: WireGroup, privileges: readonly string[]): GroupChoices {
  const has = (privilege: string | undefined) => privilege === undefined || privileges.includes(privilege)
  return {
    accesses: groupAccesses.filter((access) => access === group.access || has(privilegeOf[access])),
    membershipAccesses: membershipAccesses.filter(
      (access) => access === 'org' || access === group.membershipAccess || has(toLetIn),
    ),
    mayForbidLeaving: group.leavingDisallowed || has(toForbidLeaving),
    mayLetUpdate: group.capabilities.length > 0 || has(toLetUpdate),
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

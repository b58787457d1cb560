import { allPrivileges, type Privilege, privilegeMeanings } from '../../../../src/call/privilege.ts'

/** Areas that privileges are grouped by; `none`: privileges without effect here. */
export type Area = 'own' | 'users' | 'groups' | 'items' | 'organization' | 'none'

export const areas: readonly Area[] = ['own', 'users', 'groups', 'items', 'organization', 'none']

/** Area of a privilege, derived from its name. */
export function areaOf(privilege: Privilege): Area {
  if (privilegeMeanings[privilege] === undefined) return 'none'
  if (privilege.startsWith('portal:user:')) return 'own'
  if (/Users?$|UserRoles$|Roles$/.test(privilege)) return 'users'
  if (/Groups?$/.test(privilege) && !privilege.includes('share')) return 'groups'
  if (/Items?$|ItemCategorySchema$|shareTo/.test(privilege)) return 'items'
  return 'organization'
}

export function privilegesIn(area: Area): readonly Privilege[] {
  return allPrivileges.filter((privilege) => areaOf(privilege) === area)
}

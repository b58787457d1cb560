import { expect, test } from 'vitest'
import { areaOf, areas, privilegesIn } from '../../../pages/src/people/privileges/areas.ts'
import texts from '../../../pages/src/texts/en.json' with { type: 'json' }
import { allPrivileges, privilegeMeanings } from '../../../src/call/privilege.ts'

test('the words for privileges are those of the server', () => {
  expect(texts['people/privileges']).toEqual(privilegeMeanings)
})

test('every privilege is in one area, and none is only where the server has no effect for it', () => {
  expect(areas.flatMap(privilegesIn).toSorted()).toEqual(allPrivileges.toSorted())
  expect(privilegesIn('none').filter((privilege) => privilegeMeanings[privilege] !== undefined)).toEqual([])
})

test.each([
  ['portal:user:createGroup', 'own'],
  ['portal:admin:inviteUsers', 'users'],
  ['portal:admin:manageRoles', 'users'],
  ['portal:admin:changeUserRoles', 'users'],
  ['portal:admin:assignToGroups', 'groups'],
  ['portal:admin:shareToGroup', 'items'],
  ['portal:admin:updateItemCategorySchema', 'items'],
  ['portal:admin:manageSecurity', 'organization'],
] as const)('%s is about %s', (privilege, area) => {
  expect(areaOf(privilege)).toBe(area)
})

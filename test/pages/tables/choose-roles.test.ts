import { expect, test } from 'vitest'
import { chooseRole, columnsOf, listRoles, presentRoles } from '../../../pages/src/tables/choose-roles.ts'
import type { Role } from '../../../src/schema-files/csv/columns.ts'

const roles = (text: string) => text.split(' ') as Role[]

test.each([
  ['the levels close up where one is not used', 'level1 level2 level3', 0, 'ignore', 'ignore level1 level2'],
  ['two levels are exchanged', 'level1 level2 level3', 2, 'level1', 'level3 level2 level1'],
  ['a level that a column gets anew', 'level1 level2 ignore', 2, 'level3', 'level1 level2 level3'],
  ['a description beside another', 'level1 description ignore', 2, 'description', 'level1 description description'],
  ['an identifier is one column', 'title parent id', 1, 'id', 'title id parent'],
  ['a path alone says where a category is', 'level1 level2 description', 1, 'path', 'ignore path description'],
  ['a level takes the place of a path', 'path description', 1, 'level1', 'ignore level1'],
  ['titles have parents, not levels', 'id level1 level2', 2, 'parent', 'id title parent'],
  ['a title and its parent', 'level1 title level2', 2, 'parent', 'ignore title parent'],
  ['a level in place of a parent', 'title parent', 1, 'level1', 'title level1'],
] as const)('%s', (_, before, at, role, after) => {
  expect(chooseRole(roles(before), at, role)).toEqual(roles(after))
})

test('columns are sent by their numbers, all of them, and are those that menus show', () => {
  const chosen = columnsOf(roles('level1 ignore description description ignore'))
  expect(chosen).toEqual({ level1: [1], ignore: [2, 5], description: [3, 4] })
  const columns = roles('level1 level2 level3 ignore ignore').map((role) => ({ heading: '', role }))
  const table = { layout: 'levels', columns, rows: [], total: 0, marks: [] } as const
  expect(presentRoles(table, chosen)).toEqual(roles('level1 ignore description description ignore'))
  expect(presentRoles(table, undefined)).toEqual(roles('level1 level2 level3 ignore ignore'))
})

test('menus offer the levels of a schema, and more where a table has them', () => {
  const levels = (given: string) => listRoles(roles(given)).filter((role) => role.startsWith('level'))
  expect(levels('title')).toHaveLength(4)
  expect(levels('level1 level6')).toHaveLength(6)
})

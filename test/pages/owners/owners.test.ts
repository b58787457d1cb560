import { expect, test } from 'vitest'
import { findPath, pathTo } from '../../../pages/src/navigation/paths.ts'
import {
  assignPath,
  deletePath,
  keyOfOwner,
  limitsOf,
  ownerOf,
  schemaPath,
  screenOf,
} from '../../../pages/src/owners/owners.ts'

const group = '0123456789abcdef0123456789abcdef'

test.each([
  [{ kind: 'organization' } as const, '/portals/self', 100],
  [{ kind: 'group', id: group } as const, `/community/groups/${group}`, 99],
])('%j has addresses in the API, and limits', (owner, path, titleLength) => {
  expect(schemaPath(owner)).toBe(`${path}/categorySchema`)
  expect(assignPath(owner)).toBe(`${path}/assignCategorySchema`)
  expect(deletePath(owner)).toBe(`${path}/deleteCategorySchema`)
  expect(limitsOf(owner).titleLength).toBe(titleLength)
  for (const screen of ['Schema', 'Review', 'History', 'Comparison', 'Import'] as const) {
    const [name, parameters] = screenOf(owner, screen)
    const found = findPath(pathTo(name, parameters))
    expect(found?.name).toBe(name)
    expect(ownerOf(found!.parameters)).toEqual(owner)
  }
})

test('owners have keys of their own', () => {
  const keys = [{ kind: 'organization' }, { kind: 'group', id: 'a' }, { kind: 'group', id: 'b' }] as const
  expect(new Set(keys.map(keyOfOwner)).size).toBe(3)
})

import { expect, test } from 'vitest'
import {
  belowBase,
  findPath,
  firstSegments,
  type PathName,
  paths,
  pathTo,
} from '../../../pages/src/navigation/paths.ts'

const names = Object.keys(paths) as PathName[]

test.each(names)('the address of %s leads back to it, whatever its parameters are', (name) => {
  const parameters = Object.fromEntries(
    [...paths[name].matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter!, 'a/b ?#%ü']),
  )
  expect(findPath(pathTo(name, parameters))).toEqual({ name, parameters })
})

test.each(['/groups/1/2', '/nowhere', '/organization'])('%s is no address of the application', (address) => {
  expect(findPath(address)).toBeUndefined()
})

test('a slash at the end does not matter, and text that is badly encoded stands for itself', () => {
  expect(findPath('/groups/')).toEqual({ name: 'groups', parameters: {} })
  expect(findPath('/groups/%E0')).toEqual({ name: 'group', parameters: { group: '%E0' } })
})

test('an address without parameters goes before one with them', () => {
  expect(findPath('/people/roles')?.name).toBe('roles')
  expect(findPath('/content/roles')?.name).toBe('item')
})

test('the server answers the first segments', () => {
  expect(firstSegments).toContain('groups')
  expect(firstSegments.every((segment) => /^[a-z-]+$/.test(segment))).toBe(true)
})

test.each([
  ['/portal/groups', '/groups'],
  ['/portal/', '/'],
  ['/portal', '/'],
  ['/elsewhere', '/elsewhere'],
  ['/', '/'],
])('%s is %s below /portal/', (path, below) => {
  expect(belowBase(path, '/portal/')).toBe(below)
})

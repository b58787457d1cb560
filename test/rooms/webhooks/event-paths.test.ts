import { describe, expect, test } from 'vitest'
import { type EventName, nouns, operationsOf } from '../../../src/webhooks/events.ts'
import { covers, patternsOf, readPath } from '../../../src/webhooks/paths.ts'

const group = '8'.repeat(32)
const event = { name: 'groups/update', id: group } as const

describe('a path', () => {
  test.each([
    ['/', true],
    ['/groups', true],
    ['/GROUPS/Update', true],
    ['/groups/*', true],
    ['/groups/*/update', true],
    [`/groups/${group}`, true],
    [`/groups/${group}/update`, true],
    [`/groups/${'9'.repeat(32)}`, false],
    [`/groups/${group}/delete`, false],
    ['/groups/delete', false],
    ['/items', false],
  ])('%s covers an update of a group: %s', (path, isCovered) => {
    expect(covers(patternsOf([path]), event)).toBe(isCovered)
  })

  test.each([
    ['/', false],
    ['/users', false],
    ['/users/anna', false],
    ['/users/signIn', true],
    ['/users/ANNA/signIn', true],
    ['/users/bert/signIn', false],
  ])('%s covers a sign-in of anna: %s', (path, isCovered) => {
    expect(covers(patternsOf([path]), { name: 'users/signIn', id: '1'.repeat(32), segment: 'anna' })).toBe(isCovered)
  })

  test.each(['/items/move', '/items/*/MOVE', `/items/${group}/move`])('%s covers another owner of an item', (path) => {
    expect(covers(patternsOf([path]), { name: 'items/reassign', id: group })).toBe(true)
  })

  test.each(['/items/publish', `/items/${group}/publish`])('%s is taken, and nothing causes it', (path) => {
    expect(readPath(path)).toEqual({ unused: path })
  })

  test.each([
    ['/item/add', '; did you mean /items/add?'],
    ['/items/ad', '; did you mean /items/add?'],
    ['/organization/abc', ''],
    ['items/add', '; did you mean /items/add?'],
    ['//', ''],
    ['/*', ''],
    ['/..', ''],
    ['/groups/..', ''],
    ['/groups/', '; did you mean /groups?'],
    [`/groups/${group}/update/more`, ''],
    [`/groups/add/${group}`, ''],
    ['', ''],
  ])('%s is unknown', (path, hint) => {
    expect(readPath(path)).toEqual({ problem: `no event has the path ${path}${hint}` })
  })

  test('of each noun and operation covers its events', () => {
    for (const noun of nouns) {
      for (const operation of operationsOf(noun)) {
        const name = `${noun}/${operation}` as EventName
        expect(covers(patternsOf([`/${noun}/${operation}`]), { name, id: '1' }), name).toBe(true)
      }
    }
  })
})

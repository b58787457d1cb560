import { expect, test } from 'vitest'
import { countOf, listsOf, parametersOf, splitTags } from '../../../pages/src/content/bulk/bulk-change.ts'
import { levelOf, planSharing } from '../../../pages/src/content/sharing/audience.ts'
import { changeState, queryOf, readState, searchParameters } from '../../../pages/src/content/state.ts'
import { rangeOf } from '../../../pages/src/elements/lists/page-parts.ts'
import { maxCounts, readCounts } from '../../../pages/src/schemas/item-counts.ts'

const person = { username: 'ada', portalId: '0123456789ABCDEF' }

test('the state of the list is in its address, without what is the default', () => {
  const address = 'q=lakes&category=%2FRegion%2FA%2C+B&show=stale&whose=mine&type=Web+Map&sort=title&start=26'
  const state = readState(new URLSearchParams(address))
  expect(state).toMatchObject({ q: 'lakes', category: '/Region/A, B', special: 'stale', whose: 'mine', start: 26 })
  const written = new URLSearchParams(
    Object.entries(queryOf(state)).flatMap(([name, value]) =>
      value ? [[name, String(value)] as [string, string]] : [],
    ),
  )
  expect(readState(written)).toEqual(state)
  expect(Object.values(queryOf(readState(new URLSearchParams()))).filter(Boolean)).toEqual([])
  expect(readState(new URLSearchParams('start=-3&whose=hers&sort=x&show=y'))).toEqual(readState(new URLSearchParams()))
  expect(changeState(state, { category: undefined })).toMatchObject({ start: 1, q: 'lakes', category: undefined })
})

test('a search says whole values as the language of filters has them', () => {
  const state = readState(new URLSearchParams('type=a"b\\c&tag=x&whose=organization&show=stale&category=%2FA%2C+B'))
  const now = 1_800_000_000_000
  expect(searchParameters(state, person, now)).toEqual({
    q: undefined,
    filter: 'orgid:"0123456789ABCDEF" AND type:"a\\"b\\\\c" AND tags:"x" AND modified:[0 TO 1768464000000]',
    categories: '["/A, B"]',
    uncategorized: undefined,
  })
})

test('a change is for chosen items by their ids, or for all of a search, and says what comes and what goes', () => {
  const titles = new Map([
    ['1', 'One'],
    ['2', 'Two'],
  ])
  const change = { categories: listsOf('remove', ['/A']) }
  expect(parametersOf({ kind: 'items', titles }, change, 'g')).toEqual({
    items: '1,2',
    group: 'g',
    change: '{"categories":{"add":[],"remove":["/A"]}}',
  })
  const found = { kind: 'search', total: 61, parameters: { q: 'lakes' } } as const
  expect(parametersOf(found, { delete: true }, undefined)).toEqual({ q: 'lakes', change: '{"delete":true}' })
  expect([countOf({ kind: 'items', titles }), countOf(found)]).toEqual([2, 61])
  expect(splitTags(' a, b ,, a')).toEqual(['a', 'b'])
})

test('sharing sends the level with the groups that come, and takes back those that go', () => {
  const present = { level: levelOf('shared'), groups: ['a', 'b'] }
  expect(planSharing(present, present)).toEqual({ share: undefined, unshare: undefined })
  expect(planSharing(present, { level: 'org', groups: ['b', 'c'] })).toEqual({
    share: { everyone: false, org: true, groups: 'c' },
    unshare: { groups: 'a' },
  })
  // A blank list of groups would end the sharing with all of them.
  expect(planSharing({ level: 'public', groups: ['a'] }, { level: 'private', groups: ['a'] }).share).toEqual({
    everyone: false,
    org: false,
    groups: undefined,
  })
})

test('a path that was not counted has no items only where all paths were counted', () => {
  const counted = Array.from({ length: maxCounts }, (_, at) => ({ value: `/${at}`, count: at }))
  expect([readCounts(counted)('/7'), readCounts(counted)('/other')]).toEqual([7, undefined])
  expect(readCounts(counted.slice(1))('/other')).toBe(0)
})

test('a range is all between two rows, in either order', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(rangeOf(ids, 'd', 'b')).toEqual(['b', 'c', 'd'])
  expect(rangeOf(ids, 'gone', 'b')).toEqual(['b'])
})

import { describe, expect, test } from 'vitest'
import { type CategoryPolicy, defaultCategoryPolicy, parseCategoryPolicy } from '../../src/directory/category-policy.ts'
import { coverCategories, firstKeptDay } from '../../src/items/categories/coverage.ts'
import { findPolicyProblem } from '../../src/items/categories/policy.ts'
import type { Item } from '../../src/items/item.ts'
import { anItem } from '../storage/contract/records.ts'

const choices = { require: 'off, report, enforce', when: 'public, org, any' }

describe('a policy of categories', () => {
  test.each([
    [{}],
    [{ require: 'report' }],
    [{ require: 'enforce', below: ['/A b', '/A b', '/B/c'], types: ['Web Map', 'Web Map'], when: 'any' }],
    [{ below: Array.from({ length: 20 }, (_, at) => `/${at}`) }],
  ])('%j is one, with defaults for what is absent', (given) => {
    const { below = [], types = [] } = given as Partial<CategoryPolicy>
    const lists = { below: [...new Set(below)], types: [...new Set(types)] }
    expect(parseCategoryPolicy(given)).toEqual({ value: { ...defaultCategoryPolicy, ...given, ...lists } })
  })

  test.each([
    [null, 'is not a JSON object.'],
    [[], 'is not a JSON object.'],
    [{ requires: 'off' }, 'has members other than require, below, types and when.'],
    [{ require: 'always' }, `require has to be one of ${choices.require}.`],
    [{ when: 'private' }, `when has to be one of ${choices.when}.`],
    [{ below: '/A' }, 'below has to be a list of paths of categories, such as /Themes.'],
    [{ below: ['A'] }, 'below has to be a list of paths of categories, such as /Themes.'],
    [{ below: ['/A/'] }, 'below has to be a list of paths of categories, such as /Themes.'],
    [{ below: [`/${'x'.repeat(500)}`] }, 'below has to be a list of paths of categories, such as /Themes.'],
    [{ below: Array.from({ length: 21 }, () => '/A') }, 'below has 21 entries; at most 20 are allowed.'],
    [{ types: [' '] }, 'types has to be a list of types of items, such as Web Map.'],
  ])('%j is none', (given, problem) => {
    expect(parseCategoryPolicy(given)).toEqual({ problems: [problem] })
  })
})

const item = (given: Partial<Item>): Item => ({
  ...anItem({ itemId: 'i' }),
  ownerUsername: 'anna',
  access: 'private',
  categories: [],
  ...given,
})

const enforced = { ...defaultCategoryPolicy, require: 'enforce' } as const

describe('an item without a category', () => {
  const refusal = (what: string, how: string) =>
    `Item i has no ${what}, which this organization requires before it is shared${how}.`

  test.each([
    ['publicly', enforced, {}, 'public', refusal('category', ' publicly')],
    ['publicly, from the organization', enforced, { access: 'org' }, 'public', refusal('category', ' publicly')],
    [
      'with the organization',
      { ...enforced, when: 'org', below: ['/A', '/B'] },
      { access: 'shared', categories: ['/C', '/Ab'] },
      'org',
      refusal('category below /A or /B', ' with the organization'),
    ],
    [
      'publicly, past the organization',
      { ...enforced, when: 'org' },
      {},
      'public',
      refusal('category', ' with the organization'),
    ],
    ['with a group', { ...enforced, when: 'any' }, {}, 'shared', refusal('category', '')],
  ] as const)('is not shared %s', (_, policy, given, access, problem) => {
    expect(findPolicyProblem(policy, item(given), access)).toBe(problem)
    expect(findPolicyProblem({ ...policy, require: 'report' }, item(given), access)).toBeUndefined()
    expect(findPolicyProblem({ ...policy, require: 'off' }, item(given), access)).toBeUndefined()
  })

  test.each([
    ['is public already', { ...enforced, when: 'org' }, { access: 'public' }, 'public'],
    ['is the organization’s, and goes to everyone', { ...enforced, when: 'org' }, { access: 'org' }, 'public'],
    ['goes to the organization alone', enforced, {}, 'org'],
    ['goes to a group', { ...enforced, when: 'org' }, {}, 'shared'],
    ['goes to one more group', { ...enforced, when: 'any' }, { access: 'shared' }, 'shared'],
    ['is of another type', { ...enforced, types: ['Web Scene'] }, { type: 'Web Map' }, 'public'],
    ['has any category', enforced, { categories: ['/A'] }, 'public'],
    ['has one below, in another case', { ...enforced, below: ['/b', '/a'] }, { categories: ['/A/X'] }, 'public'],
    ['has the category itself', { ...enforced, below: ['/A'] }, { categories: ['/A'] }, 'public'],
  ] as const)('is shared if it %s', (_, policy, given, access) => {
    expect(findPolicyProblem(policy, item(given), access)).toBeUndefined()
  })

  test.each(['Web Map', ' web  map\u200b'])(
    'needs one if it is of one of the types, however it was written: %j',
    (type) => {
      expect(findPolicyProblem({ ...enforced, types: ['web map'] }, item({ type }), 'public')).toBeDefined()
    },
  )
})

test.each([
  [0, 0, 100, 'empty'],
  [0, 1, 100, 'filled'],
  [1, 1, 1, 'filled'],
  [49, 49, 49, 'filled'],
  [50, 50, 199, 'overfull'],
  [50, 50, 200, 'filled'],
  [50, 150, 200, 'filled'],
  [0, 200, 200, 'filled'],
])('a category with %i items, and %i below it, of %i in all is %s', (items, itemsBelow, total, state) => {
  const countOf = (count: number) => (count === 0 ? [] : [{ value: '/A/b', count }])
  const counts = [
    { field: 'carried', values: countOf(items) },
    { field: 'categories', values: countOf(itemsBelow) },
  ] as const
  expect(coverCategories(['/A/b'], total, counts)).toEqual([
    { path: '/A/b', title: 'b', depth: 2, items, itemsBelow, state },
  ])
})

test('counts of 400 days are kept', () => {
  expect(firstKeptDay(Date.UTC(2026, 10, 28))).toBe('2025-10-24')
})

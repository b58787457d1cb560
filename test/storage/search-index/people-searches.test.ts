import { describe, expect, test } from 'vitest'
import type { GroupFields } from '../../../src/directory/group-search.ts'
import type { UserFields } from '../../../src/directory/users/user-search.ts'
import type { Condition } from '../../../src/search/condition.ts'
import { engine } from '../../support/databases/engine.ts'
import { addPeople, aGroup, anId, aUser, noon } from '../contract/records.ts'
import { openWorkStorage, type WorkStorage } from '../work-storage.ts'

const portalId = 'PortalOfMaps0001'
const viewer = { userId: undefined, portalId, canViewOrganizationGroups: true, canViewEveryGroup: true }
const page = { start: 1, num: 100 }

/** Groups and users with texts that differ; users are private but for the first. */
async function openPeople(): Promise<WorkStorage> {
  const storage = await openWorkStorage()
  await addPeople(storage)
  await storage.write(async ({ directory }) => {
    await directory.addUser(
      aUser({ userId: anId(2), username: 'Bert.B', fullName: 'Bert Łódź', email: 'B@b.org', access: 'private' }),
      'hash',
    )
    await directory.addUser(aUser({ userId: anId(3), username: 'c_c%[o]\\r', access: 'private' }), 'hash')
    await directory.addUser(aUser({ userId: anId(4), username: 'cxcyz[o]\\r', access: 'private' }), 'hash')
    await directory.addGroup(
      aGroup({
        groupId: anId(10),
        title: 'Lakes of the North',
        tags: ['land use', 'map'],
        createdAt: noon,
        access: 'org',
      }),
    )
    await directory.addGroup(
      aGroup({
        groupId: anId(11),
        title: 'Rivers',
        tags: ['use', 'land'],
        createdAt: noon + 5,
        isInvitationOnly: false,
        access: 'org',
      }),
    )
    await directory.addGroup(
      aGroup({ groupId: anId(12), title: 'Was lakes', tags: [], createdAt: noon + 9, access: 'org' }),
    )
    await directory.updateGroup(
      aGroup({ groupId: anId(12), title: 'Roads', tags: [], createdAt: noon + 9, access: 'org' }),
    )
  })
  return storage
}

const words = (text: string, field: GroupFields['text'] = 'title', isPrefix = false) =>
  ({ kind: 'words', fields: [field], words: text.split(' '), isPrefix }) as const

const groupCases: readonly (readonly [string, Condition<GroupFields>, readonly number[]])[] = [
  ['everything', { kind: 'all' }, [10, 11, 12]],
  ['nothing', { kind: 'none' }, []],
  ['a word of the title', words('lakes'), [10]],
  ['the beginning of a word', words('r', 'title', true), [11, 12]],
  ['a phrase inside one tag', words('land use', 'tags'), [10]],
  ['no word', { kind: 'not', of: words('lakes') }, [11, 12]],
  ['a flag', { kind: 'key', field: 'isinvitationonly', value: 'false', isPrefix: false }, [11]],
  ['a range', { kind: 'range', field: 'created', min: noon + 1, max: noon + 9 }, [11, 12]],
  [
    'a word or a range',
    { kind: 'or', of: [words('rivers'), { kind: 'range', field: 'created', min: noon + 6, max: noon + 9 }] },
    [11, 12],
  ],
  ['a pattern', { kind: 'pattern', field: 'owner', pattern: '*n?a' }, [10, 11, 12]],
  [
    'names between two',
    { kind: 'between', field: 'owner', min: { value: 'b', isInclusive: true }, max: undefined },
    [],
  ],
]

const userCases: readonly (readonly [string, Condition<UserFields>, readonly number[]])[] = [
  ['a word of the name', { kind: 'words', fields: ['fullname'], words: ['łodz'], isPrefix: false }, [2]],
  ['an address in any case', { kind: 'key', field: 'email', value: 'b@b.org', isPrefix: false }, [2]],
  ['a part of a username', { kind: 'words', fields: ['username'], words: ['b'], isPrefix: false }, [2]],
  [
    'names up to one',
    { kind: 'between', field: 'username', min: undefined, max: { value: 'anna', isInclusive: true } },
    [1],
  ],
  ...(
    [
      ['c_*', [3]],
      ['?c?%*', []],
      ['c?c%*', [3]],
      ['c?c*[o]?r', [3, 4]],
      ['*o]\\r', [3, 4]],
      ['*[or]*', []],
    ] as const
  ).map(
    ([pattern, found]) => [`the pattern ${pattern}`, { kind: 'pattern', field: 'username', pattern }, found] as const,
  ),
]

describe(engine, () => {
  test('groups are found by words, whole values, patterns and ranges', async () => {
    const storage = await openPeople()
    const found = []
    for (const [name, condition] of groupCases) {
      const search = { condition, sortField: 'created', sortOrder: 'asc' } as const
      const { entries, total } = await storage.directory.searchGroups(viewer, search, page)
      expect(total).toBe(entries.length)
      found.push([name, condition, entries.map(({ group }) => Number.parseInt(group.groupId, 16))])
    }
    expect(found).toEqual(groupCases)
  })

  test('users are found likewise, private ones by who sees them', async () => {
    const storage = await openPeople()
    const search = (condition: Condition<UserFields>, seenBy?: string) =>
      storage.directory.searchUsers(portalId, { condition, sortField: 'username', sortOrder: 'asc' }, page, seenBy)
    const found = []
    for (const [name, condition] of userCases) {
      const { entries } = await search(condition)
      found.push([name, condition, entries.map(({ userId }) => Number.parseInt(userId, 16))])
    }
    expect(found).toEqual(userCases)
    expect((await search({ kind: 'all' })).total).toBe(4)
    expect((await search({ kind: 'all' }, anId(1))).entries.map(({ userId }) => userId)).toEqual([anId(1)])
  })
})

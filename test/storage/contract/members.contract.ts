import { expect } from 'vitest'
import type { MemberQuery } from '../../../src/directory/groups/store.ts'
import type { Page } from '../../../src/paging.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  aCollaboration,
  addGroups,
  addMorePeople,
  addPeople,
  aGroup,
  anId,
  aParticipant,
  aUser,
  endOfTime,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  testOn,
  totalAnd,
} from './records.ts'

/** A group of Anna's with members who are named and joined as each of them says. */
async function addMembers(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  const members = [
    ['Zoe', 'Zoë Ångström', 'admin', 30],
    ['bert', 'Bert Berg', 'member', 20],
    ['carla', 'Carla_%Café', 'member', 10],
    ['dora', 'Dora Berg', 'admin', 20],
  ] as const
  await storage.directory.addGroup(aGroup())
  await storage.directory.putMember(anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon })
  for (const [index, [username, fullName, memberType, joinedAt]] of members.entries()) {
    const userId = anId(2 + index)
    await storage.directory.addUser(aUser({ userId, username, fullName, firstName: '', lastName: '' }), 'hash')
    await storage.directory.putMember(anId(100), { userId, memberType, joinedAt })
  }
}

const all: MemberQuery = {
  name: undefined,
  memberType: undefined,
  joined: undefined,
  sortField: 'username',
  sortOrder: 'asc',
}

/** Searches members; resolves with the total and the usernames. */
async function search(storage: WorkStorage, query: Partial<MemberQuery> = {}, page: Page = everything) {
  return totalAnd(
    await storage.directory.searchMembers(anId(100), { ...all, ...query }, page),
    ({ username }) => username,
  )
}

/** Members of groups, and the search among them. */
export function membersContract(open: OpenStorage): void {
  const test = testOn(open, addMorePeople)
  const testOfMembers = testOn(open, addMembers)

  test('a member is given back as it was put; put again, only the member type changes', async ({
    directory,
    storage,
  }) => {
    await addGroups(storage, [{}])
    const put = (memberType: 'member' | 'admin', joinedAt: number) =>
      directory.putMember(anId(100), { userId: anId(2), memberType, joinedAt })
    const find = () => directory.findMember(anId(100), anId(2))
    await put('member', endOfTime)
    expect(await find()).toEqual({ userId: anId(2), username: 'Bert', memberType: 'member', joinedAt: endOfTime })
    await put('admin', noon)
    expect(await find()).toEqual({ userId: anId(2), username: 'Bert', memberType: 'admin', joinedAt: endOfTime })
    await directory.removeMember(anId(100), anId(2))
    expect(await find()).toBeUndefined()
  })

  test('members are listed in the order of their names whatever the case, and only of their group', async ({
    directory,
    storage,
  }) => {
    await addGroups(storage, [{}, {}])
    for (const userId of [anId(3), anId(2), anId(1)]) {
      await directory.putMember(anId(100), { userId, memberType: 'member', joinedAt: noon })
    }
    await directory.putMember(anId(101), { userId: anId(2), memberType: 'owner', joinedAt: noon })
    const { entries } = await directory.listMembers(anId(100), 10)
    expect(entries.map(({ username }) => username)).toEqual(['anna', 'Bert', 'outsider'])
  })

  test('of many members, the owner and managers are listed first, and all are counted', async ({
    directory,
    storage,
  }) => {
    await addGroups(storage, [{}])
    for (const [userId, username, memberType] of [
      [anId(11), 'abel', 'member'],
      [anId(12), 'boris', 'member'],
      [anId(13), 'yves', 'admin'],
      [anId(14), 'zoe', 'owner'],
    ] as const) {
      await directory.addUser(aUser({ userId, username }), 'hash')
      await directory.putMember(anId(100), { userId, memberType, joinedAt: noon })
    }
    const list = async (max: number) =>
      totalAnd(await directory.listMembers(anId(100), max), ({ username }) => username)
    expect(await list(5)).toEqual([4, 'abel', 'boris', 'yves', 'zoe'])
    expect(await list(4)).toEqual([4, 'abel', 'boris', 'yves', 'zoe'])
    expect(await list(3)).toEqual([4, 'abel', 'yves', 'zoe'])
    expect(await list(1)).toEqual([4, 'zoe'])
  })

  testOfMembers(
    'the owner is found apart from the members, with the names that are shown',
    async ({ directory, storage }) => {
      const find = (groupId: string) => directory.findOwner(groupId)
      expect(await find(anId(100))).toMatchObject({ username: 'anna', memberType: 'owner', joinedAt: noon })
      expect(await find(anId(101))).toBeUndefined()
      expect(await search(storage)).toEqual([4, 'bert', 'carla', 'dora', 'Zoe'])
    },
  )

  testOfMembers(
    'members are found by part of a name, whatever the case of ASCII letters, by type and by when they joined',
    async ({ storage }) => {
      expect(await search(storage, { name: 'BERG' })).toEqual([2, 'bert', 'dora'])
      expect(await search(storage, { name: 'zOE' })).toEqual([1, 'Zoe'])
      expect(await search(storage, { name: 'Å' })).toEqual([1, 'Zoe'])
      expect(await search(storage, { name: 'CAFé' })).toEqual([1, 'carla'])
      for (const name of ['_%', '%C']) expect(await search(storage, { name })).toEqual([1, 'carla'])
      for (const name of ['x', '%', '_b', "'"])
        expect((await search(storage, { name })).length - 1).toBe(name === '%' ? 1 : 0)
      expect(await search(storage, { memberType: 'admin' })).toEqual([2, 'dora', 'Zoe'])
      expect(await search(storage, { memberType: 'member', name: 'berg' })).toEqual([1, 'bert'])
      expect(await search(storage, { joined: { from: 10, to: 20 } })).toEqual([3, 'bert', 'carla', 'dora'])
      expect(await search(storage, { joined: { from: 11, to: 19 } })).toEqual([0])
    },
  )

  testOfMembers(
    'members are sorted by each field, both ways, and by username where it is the same',
    async ({ storage }) => {
      const sorted = async (sortField: MemberQuery['sortField'], sortOrder: 'asc' | 'desc') =>
        (await search(storage, { sortField, sortOrder })).slice(1)
      expect(await sorted('username', 'desc')).toEqual(['Zoe', 'dora', 'carla', 'bert'])
      expect(await sorted('membertype', 'asc')).toEqual(['dora', 'Zoe', 'bert', 'carla'])
      expect(await sorted('membertype', 'desc')).toEqual(['bert', 'carla', 'dora', 'Zoe'])
      expect(await sorted('joined', 'asc')).toEqual(['carla', 'bert', 'dora', 'Zoe'])
      expect(await sorted('joined', 'desc')).toEqual(['Zoe', 'bert', 'dora', 'carla'])
      expect(await search(storage, {}, { start: 2, num: 2 })).toEqual([4, 'carla', 'dora'])
      expect(await search(storage, {}, { start: 5, num: 2 })).toEqual([4])
    },
  )

  test('two organizations are partners where one hosts a collaboration in which the other takes part', async ({
    collaborations,
    directory,
  }) => {
    const [ours, theirs] = ['PortalOfMaps0001', otherPortal.portalId]
    const are = (one: string, other: string) => directory.areCollaborating(one, other)
    await collaborations.addCollaboration(aCollaboration())
    await collaborations.addParticipant(aParticipant({ portalId: ours }), [])
    expect(await are(ours, theirs)).toBe(false)
    await collaborations.addParticipant(aParticipant({ portalId: theirs }), [])
    expect(await are(ours, theirs)).toBe(true)
    expect(await are(theirs, ours)).toBe(true)
    // Two guests of one host are none.
    await collaborations.addParticipant(aParticipant({ portalId: 'AGuestPortal0003' }), [])
    expect(await are(theirs, 'AGuestPortal0003')).toBe(false)
  })
}

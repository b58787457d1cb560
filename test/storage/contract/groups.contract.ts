import { expect } from 'vitest'
import { unwrapParsed } from '../../../src/call/parsed.ts'
import { type GroupFields, type GroupSortField, parseGroupQuery } from '../../../src/directory/group-search.ts'
import type { GroupViewer } from '../../../src/directory/store.ts'
import type { Condition } from '../../../src/search/condition.ts'
import { fold } from '../../../src/search/folding.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addGroups,
  addMorePeople,
  aGroup,
  anId,
  everything,
  noon,
  type OpenStorage,
  otherPortal,
  strangeTexts,
  testOn,
  totalAnd,
} from './records.ts'

const administrator: GroupViewer = {
  userId: anId(1),
  portalId: 'PortalOfMaps0001',
  canViewOrganizationGroups: true,
  canViewEveryGroup: true,
}
const colleague: GroupViewer = { ...administrator, userId: anId(2), canViewEveryGroup: false }
const newcomer: GroupViewer = { ...colleague, canViewOrganizationGroups: false }
const anonymous: GroupViewer = { ...newcomer, userId: undefined }

const everyGroup = { condition: { kind: 'all' }, sortField: 'title', sortOrder: 'asc' } as const
const none = { total: 0, entries: [] }
const unbounded = { entries: 1_000, bytes: 1_000_000 }

async function titlesFor(storage: WorkStorage, viewer: GroupViewer): Promise<string[]> {
  const { entries } = await storage.directory.searchGroups(viewer, everyGroup, everything)
  return entries.map(({ group }) => group.title)
}

/** Titles that a condition finds, or a query, for a viewer of every group. */
async function search(storage: WorkStorage, asked: string | Condition<GroupFields>): Promise<string[]> {
  const condition = typeof asked === 'string' ? unwrapParsed(parseGroupQuery({ q: asked, filter: undefined })) : asked
  const query = { ...everyGroup, condition }
  const found = await storage.directory.searchGroups(administrator, query, everything)
  expect(found.total).toBe(found.entries.length)
  return found.entries.map(({ group }) => group.title)
}

/** Groups, their members and their search. */
export function groupsContract(open: OpenStorage): void {
  const test = testOn(open, addMorePeople)

  test('a group is found with how a user belongs to it', async ({ directory }) => {
    const group = aGroup({ tags: ['water'], isProtected: true })
    await directory.addGroup(group)
    await directory.addGroup(aGroup({ groupId: anId(101) }))
    await directory.putMember(anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon })
    await directory.putMember(anId(100), { userId: anId(2), memberType: 'admin', joinedAt: noon })
    await directory.putMember(anId(101), { userId: anId(3), memberType: 'member', joinedAt: noon })
    const { groupId, portalId, ownerId, title, access, isInvitationOnly, isProtected } = group
    const { isLeavingDisallowed, hidesMembers, membershipAccess, isViewOnly, givesItemControl } = group
    const rules = {
      isInvitationOnly,
      isProtected,
      isLeavingDisallowed,
      hidesMembers,
      membershipAccess,
      isViewOnly,
      givesItemControl,
    }
    const outline = { groupId, portalId, ownerId, title, access, ...rules }
    for (const [userId, memberType] of [
      [anId(1), 'owner'],
      [anId(2), 'admin'],
      [anId(3), undefined],
      [undefined, undefined],
    ] as const) {
      const found = await directory.findGroupFor(anId(100), userId)
      expect(found).toStrictEqual({ group: outline, memberType })
    }
  })

  test('texts are found by themselves', async ({ storage }) => {
    await addGroups(
      storage,
      strangeTexts.map((text) => ({ title: text, snippet: text, tags: [text] })),
    )
    for (const text of strangeTexts) {
      const value = fold(text)
      for (const field of ['title', 'tags', 'snippet'] as const) {
        expect(await search(storage, { kind: 'key', field, value, isPrefix: false })).toEqual([text])
      }
    }
  })

  test('a removed group is gone with its memberships', async ({ directory, storage }) => {
    await addGroups(storage, [{ title: 'Gone' }, { title: 'Stays' }])
    for (const groupId of [anId(100), anId(101)]) {
      await directory.putMember(groupId, { userId: anId(1), memberType: 'owner', joinedAt: noon })
    }
    await directory.removeGroup(anId(100), noon)
    expect(await directory.findGroup(anId(100))).toBeUndefined()
    expect(await directory.listMembers(anId(100), 10)).toEqual(none)
    const { entries } = await directory.listGroupsOf(anId(1), unbounded)
    expect(entries.map(({ group }) => group.title)).toEqual(['Stays'])
  })

  test('the groups of a user are listed in the order of titles, and of ids where titles are the same', async ({
    directory,
    storage,
  }) => {
    await addGroups(storage, [{ title: 'B' }, { title: 'B' }, { title: 'A' }, { title: 'Not mine' }])
    await directory.putMember(anId(101), { userId: anId(2), memberType: 'admin', joinedAt: noon })
    await directory.putMember(anId(100), { userId: anId(2), memberType: 'owner', joinedAt: noon })
    await directory.putMember(anId(102), { userId: anId(2), memberType: 'member', joinedAt: noon })
    const { total, entries } = await directory.listGroupsOf(anId(2), unbounded)
    expect(total).toBe(3)
    expect(entries.map(({ group, memberType }) => [group.groupId, memberType])).toEqual([
      [anId(102), 'member'],
      [anId(100), 'owner'],
      [anId(101), 'admin'],
    ])
  })

  test('the groups of a user are listed as far as they fit in number and bytes, and counted', async ({
    directory,
    storage,
  }) => {
    await addGroups(
      storage,
      Array.from({ length: 6 }, (_, index) => ({ title: `${index}`, description: '\u20ac'.repeat(1_000) })),
    )
    for (let index = 0; index < 5; index += 1) {
      await directory.putMember(anId(100 + index), { userId: anId(2), memberType: 'member', joinedAt: noon })
    }
    const list = async (entries: number, bytes: number) => {
      const listed = await directory.listGroupsOf(anId(2), { entries, bytes })
      return [listed.total, ...listed.entries.map(({ group }) => group.title)]
    }
    expect(await list(100, 1_000_000)).toEqual([5, '0', '1', '2', '3', '4'])
    expect(await list(2, 1_000_000)).toEqual([5, '0', '1'])
    expect(await list(100, 12_000)).toEqual([5, '0', '1', '2'])
    expect(await directory.countMemberships(anId(2))).toBe(5)
    expect(await directory.countMemberships(anId(1))).toBe(0)
  })

  test('a search says how its viewer belongs to each group of the page', async ({ directory, storage }) => {
    await addGroups(storage, [{ title: 'a' }, { title: 'b' }, { title: 'c' }])
    await directory.putMember(anId(100), { userId: anId(1), memberType: 'owner', joinedAt: noon })
    await directory.putMember(anId(101), { userId: anId(2), memberType: 'member', joinedAt: noon })
    await directory.putMember(anId(102), { userId: anId(2), memberType: 'admin', joinedAt: noon })
    await directory.putMember(anId(102), { userId: anId(1), memberType: 'member', joinedAt: noon })
    const typesFor = async (viewer: GroupViewer) => {
      const { entries } = await directory.searchGroups(viewer, everyGroup, everything)
      return entries.map(({ memberType }) => memberType)
    }
    expect(await typesFor(administrator)).toEqual(['owner', undefined, 'member'])
    expect(await typesFor({ ...administrator, userId: undefined })).toEqual([undefined, undefined, undefined])
  })

  test('groups that a user owns are counted', async ({ directory, storage }) => {
    await addGroups(storage, [{ ownerId: anId(2) }, { ownerId: anId(2) }, {}])
    expect(await directory.countGroupsOwnedBy(anId(2))).toBe(2)
  })

  test('a viewer finds what it may see, and nothing else', async ({ directory, storage }) => {
    const elsewhere = { portalId: otherPortal.portalId, ownerId: anId(3) }
    await addGroups(storage, [
      { title: '1 private', access: 'private' },
      { title: '2 org', access: 'org' },
      { title: '3 public', access: 'public' },
      { title: '4 joined', access: 'private' },
      { title: '5 elsewhere public', access: 'public', ...elsewhere },
      { title: '6 elsewhere joined', access: 'private', ...elsewhere },
    ])
    for (const groupId of [anId(103), anId(105)]) {
      await directory.putMember(groupId, { userId: anId(2), memberType: 'member', joinedAt: noon })
    }
    expect(await titlesFor(storage, anonymous)).toEqual(['3 public'])
    expect(await titlesFor(storage, newcomer)).toEqual(['3 public', '4 joined', '6 elsewhere joined'])
    expect(await titlesFor(storage, colleague)).toEqual(['2 org', '3 public', '4 joined', '6 elsewhere joined'])
    expect(await titlesFor(storage, administrator)).toEqual(['1 private', '2 org', '3 public', '4 joined'])
  })

  test('words are found in title, tags, snippet and description, whatever their case in any script', async ({
    storage,
  }) => {
    await addGroups(storage, [
      { title: 'Ärzte in ÖSTERREICH' },
      { title: 'b', tags: ['Gewässer', 'Карта'] },
      { title: 'c', snippet: 'Ärztekammer' },
      { title: 'd', description: 'ΑΘΗΝΑ' },
    ])
    expect(await search(storage, 'ärzte')).toEqual(['Ärzte in ÖSTERREICH'])
    expect(await search(storage, 'arzte*')).toEqual(['c', 'Ärzte in ÖSTERREICH'])
    expect(await search(storage, 'ÖSTERR*')).toEqual(['Ärzte in ÖSTERREICH'])
    expect(await search(storage, 'αθηνα')).toEqual(['d'])
    expect(await search(storage, 'title:osterreich')).toEqual(['Ärzte in ÖSTERREICH'])
    expect(await search(storage, 'tags:КАРТА')).toEqual(['b'])
    expect(await search(storage, 'title:Gewässer')).toEqual([])
  })

  test('a changed group is found by its new words only', async ({ directory, storage }) => {
    await addGroups(storage, [{ title: 'Before', tags: ['old'] }])
    await directory.updateGroup(aGroup({ title: 'After', tags: ['new'] }))
    expect(await search(storage, 'title:before')).toEqual([])
    expect(await search(storage, 'tags:old')).toEqual([])
    expect(await search(storage, 'title:after tags:new after')).toEqual(['After'])
  })

  test('id, owner, access and portal are compared as a whole', async ({ storage }) => {
    await addGroups(storage, [
      { title: 'a', access: 'org' },
      { title: 'b', ownerId: anId(2) },
    ])
    expect(await search(storage, `id:${anId(101).toUpperCase()}`)).toEqual(['b'])
    expect(await search(storage, `id:${anId(101).slice(1)}`)).toEqual([])
    expect(await search(storage, 'owner:BERT')).toEqual(['b'])
    expect(await search(storage, 'owner:ber')).toEqual([])
    expect(await search(storage, 'access:ORG')).toEqual(['a'])
    expect(await search(storage, 'orgid:PortalOfMaps0001')).toEqual(['a', 'b'])
    expect(await search(storage, 'accountid:PortalOfMaps000')).toEqual([])
  })

  test('a group is found by each of its settings', async ({ storage }) => {
    const settings = { isViewOnly: true, isInvitationOnly: false, autoJoin: true, isLeavingDisallowed: true }
    const others = { givesItemControl: true, membershipAccess: 'none', phone: '+41 31' } as const
    await addGroups(storage, [{ title: 'plain' }, { title: 'set', ...settings, ...others }])
    const flags = ['isviewonly:true', 'isinvitationonly:false', 'autojoin:true', 'isleavingdisallowed:true']
    for (const query of [...flags, 'capabilities:updateitemcontrol', 'membershipaccess:none', 'phone:"+41 31"']) {
      expect([query, await search(storage, query)]).toEqual([query, ['set']])
    }
  })

  test('only the groups that a user belongs to are found, as far as the viewer sees them', async ({
    directory,
    storage,
  }) => {
    await addGroups(storage, [
      { title: 'a land', access: 'private' },
      { title: 'b land', access: 'org' },
      { title: 'c land', access: 'org' },
      { title: 'd', access: 'org' },
    ])
    for (const groupId of [anId(100), anId(101), anId(103)]) {
      await directory.putMember(groupId, { userId: anId(2), memberType: 'member', joinedAt: noon })
    }
    const condition = unwrapParsed(parseGroupQuery({ q: 'land', filter: undefined }))
    const titlesOf = async (viewer: GroupViewer, memberId: string) => {
      const query = { ...everyGroup, condition, memberId }
      const { total, entries } = await directory.searchGroups(viewer, query, everything)
      return [total, ...entries.map(({ group }) => group.title)]
    }
    expect(await titlesOf(administrator, anId(2))).toEqual([2, 'a land', 'b land'])
    expect(await titlesOf({ ...colleague, userId: anId(1) }, anId(2))).toEqual([1, 'b land'])
    expect(await titlesOf(administrator, anId(1))).toEqual([0])
  })

  test('groups are sorted by each field, both ways, and by id where it is the same', async ({ directory, storage }) => {
    await addGroups(storage, [
      { title: 'b', ownerId: anId(2), createdAt: 30, modifiedAt: 10 },
      { title: 'a', ownerId: anId(2), createdAt: 20, modifiedAt: 30 },
      { title: 'b', ownerId: anId(1), createdAt: 20, modifiedAt: 20 },
    ])
    const order = async (sortField: GroupSortField, sortOrder: 'asc' | 'desc') => {
      const query = { ...everyGroup, sortField, sortOrder }
      const found = await directory.searchGroups(administrator, query, everything)
      return found.entries.map(({ group }) => Number.parseInt(group.groupId, 16) - 100).join('')
    }
    expect([await order('title', 'asc'), await order('title', 'desc')]).toEqual(['102', '021'])
    expect([await order('owner', 'asc'), await order('owner', 'desc')]).toEqual(['201', '012'])
    expect([await order('created', 'asc'), await order('created', 'desc')]).toEqual(['120', '012'])
    expect([await order('modified', 'asc'), await order('modified', 'desc')]).toEqual(['021', '120'])
  })

  test('pages of a search follow each other, and the total is that of the whole search', async ({
    directory,
    storage,
  }) => {
    await addGroups(
      storage,
      Array.from({ length: 5 }, (_, index) => ({ title: `map ${index}` })).concat({ title: 'other' }),
    )
    const query = { ...everyGroup, condition: unwrapParsed(parseGroupQuery({ q: 'map', filter: undefined })) }
    const page = async (start: number) =>
      totalAnd(await directory.searchGroups(administrator, query, { start, num: 2 }), ({ group }) => group.title)
    expect(await page(1)).toEqual([5, 'map 0', 'map 1'])
    expect(await page(5)).toEqual([5, 'map 4'])
    expect(await page(7)).toEqual([5])
  })
}

import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { runHousekeeping } from '../../../../src/background/housekeeping.ts'
import { itemNotFound, permissionDenied, refused } from '../../../support/portal/envelopes.ts'
import { houseOf } from '../../../support/portal/house.ts'
import { type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'

let portal: TestPortal
let anna: Client
let bert: Client
/** Bert's, with anna and carl as members. */
let groupId: string
let carl: Client
let id: string

beforeEach(async () => {
  portal = await startPortal()
  onTestFinished(() => portal[Symbol.asyncDispose]())
  const admin = await portal.admin()
  anna = await admin.invite('anna')
  bert = await admin.invite('bert')
  carl = await admin.invite('carl')
  groupId = (await bert.createGroup('Maps', { access: 'private' })).id
  await bert.post(`/community/groups/${groupId}/addUsers`, { users: 'anna,carl' })
  id = (await anna.post('/content/users/anna/addItem', { title: 'Lakes', type: 'Web Map' })).id
})

const share = (parameters: object) => anna.post(`/content/users/anna/items/${id}/share`, { ...parameters })
const accessOf = async () => (await anna.get(`/content/items/${id}`)).access

test.each([
  [{ org: 'true', everyone: 'false' }, 'org'],
  [{ account: 'true' }, 'org'],
  [{ org: 'false', everyone: 'true', account: 'true' }, 'public'],
  [{ groups: '' }, 'private'],
])('%o makes a private item %s', async (parameters, access) => {
  expect(await share(parameters)).toEqual({ notSharedWith: [], itemId: id })
  expect(await accessOf()).toBe(access)
})

test('blank groups with no level leave every group; groups alone keep the level', async () => {
  await share({ groups: groupId })
  expect(await accessOf()).toBe('shared')
  await share({ org: 'true' })
  await share({ groups: groupId })
  expect(await accessOf()).toBe('org')
  await share({ org: 'false', everyone: 'false', groups: ' ' })
  expect(await accessOf()).toBe('private')
  expect(await carl.get(`/content/items/${id}`)).toEqual(itemNotFound)
})

test('only members of the group see what is shared with it', async () => {
  const dora = await (await portal.admin()).invite('dora')
  expect(await carl.get(`/content/items/${id}`)).toEqual(itemNotFound)
  await share({ groups: groupId })
  expect(await carl.get(`/content/items/${id}`)).toMatchObject({ access: 'shared', itemControl: null })
  expect(await dora.get(`/content/items/${id}`)).toEqual(itemNotFound)
  const { admin, member, other } = await bert.get(`/content/items/${id}/groups`)
  expect([admin.length, member.length, other.length]).toEqual([1, 0, 0])
  const sharing = { access: 'shared', groups: [groupId] }
  expect(await anna.get(`/content/users/anna/items/${id}`)).toMatchObject({ sharing })
})

test('a group that is unknown, or of which the owner is no member, is listed with the reason', async () => {
  const foreign = (await bert.createGroup('Seas', { access: 'org' })).id
  const answer = await anna.post('/content/users/anna/shareItems', { items: id, groups: `,${foreign},x,${groupId}` })
  const reasons = {
    [foreign]: 'The owner of the item is not a member of the group.',
    x: 'Group does not exist or is inaccessible.',
  }
  expect(answer).toEqual({ results: [{ itemId: id, success: true, notSharedWith: [foreign, 'x'], reasons }] })
  expect(await accessOf()).toBe('shared')
})

test('items of others are shared and unshared by their administrators as in the path of their owners, and by no one else', async () => {
  const admin = await portal.admin()
  const own = (await admin.post('/content/users/admin/addItem', { title: 'Seas', type: 'Web Map' })).id
  const shared = (itemId: string) => ({ itemId, success: true, notSharedWith: [] })
  const both = { items: `${own},${id}`, org: 'true' }
  expect(await admin.post('/content/users/admin/shareItems', both)).toEqual({ results: [shared(own), shared(id)] })
  expect(await accessOf()).toBe('org')
  // Its owner is a member of the group, and the caller sees it.
  await bert.post(`/community/groups/${groupId}/update`, { access: 'org' })
  const ofGroup = { items: id, groups: groupId }
  expect(await admin.post('/content/users/admin/shareItems', ofGroup)).toEqual({ results: [shared(id)] })
  expect(await admin.post('/content/users/admin/unshareItems', ofGroup)).toEqual({
    results: [{ itemId: id, success: true, notUnsharedFrom: [] }],
  })
  const { items: log } = await admin.get('/portals/self/history', { all: true, actors: 'admin', num: 4 })
  const entries = log.map(({ action, owner, data }: Body) => [action, owner, data.targets])
  expect(entries).toEqual([
    ['unshare', 'anna', [id]],
    ['share', 'anna', [id]],
    ['share', 'anna', [id]],
    ['share', 'admin', [own]],
  ])
  const results = { results: [own, id].map((itemId) => ({ itemId, success: false })) }
  for (const [verb, given] of [
    ['shareItems', both],
    ['unshareItems', { ...both, groups: groupId }],
  ] as const) {
    expect(await carl.post(`/content/users/carl/${verb}`, given)).toMatchObject(results)
  }
  // A manager of the group shares the item only through its owner's path.
  expect(await bert.post('/content/users/bert/shareItems', ofGroup)).toMatchObject({
    results: [{ itemId: id, error: { message: itemNotFound.error.message } }],
  })
  expect(await admin.post('/content/users/admin/deleteItems', { items: id })).toMatchObject({
    results: [{ itemId: id, success: false }],
  })
})

test('a manager shares only what all of the organization sees, and raises no level', async () => {
  const other = (await bert.createGroup('Seas')).id
  await share({ groups: groupId })
  const passOn = () => bert.post(`/content/items/${id}/share`, { groups: other, everyone: 'true' })
  expect(await passOn()).toMatchObject({ notSharedWith: [other] })
  await share({ org: 'true' })
  expect(await passOn()).toEqual({ notSharedWith: [], itemId: id })
  expect(await accessOf()).toBe('org')
  expect(await carl.post(`/content/items/${id}/share`, { groups: groupId })).toEqual(permissionDenied)
  expect(await carl.post(`/content/items/${id}/unshare`, { groups: groupId })).toEqual(permissionDenied)
  expect(await bert.post(`/content/items/${id}/unshare`, { groups: `${other},${groupId}` })).toEqual({
    notUnsharedFrom: [],
    itemId: id,
  })
})

test('members of a group that gives control change what is confirmed for that', async () => {
  const admin = await portal.admin()
  const team = (await admin.createGroup('Team', { capabilities: 'updateitemcontrol' })).id
  await admin.post(`/community/groups/${team}/addUsers`, { users: 'anna,carl' })
  expect(await share({ groups: team })).toMatchObject({ notSharedWith: [team] })
  expect(await share({ groups: team, confirmItemControl: 'true' })).toMatchObject({ notSharedWith: [] })
  expect(await carl.get(`/content/items/${id}`)).toMatchObject({ itemControl: 'update' })
  const path = `/content/users/anna/items/${id}`
  expect(await carl.post(`${path}/update`, { title: 'Rivers' })).toEqual({ success: true, id })
  expect(await carl.post(`${path}/delete`)).toEqual(permissionDenied)
  await admin.post(`/community/groups/${team}/update`, { capabilities: '', clearEmptyFields: 'true' })
  expect(await carl.get(`/content/items/${id}`)).toMatchObject({ itemControl: null })
})

test.each([
  ['leaves', () => anna.post(`/community/groups/${groupId}/leave`)],
  ['is removed', () => bert.post(`/community/groups/${groupId}/removeUsers`, { users: 'anna' })],
])('the items of a member who %s are not shared any more', async (_, end) => {
  await share({ groups: groupId })
  await end()
  expect(await accessOf()).toBe('private')
  expect(await carl.get(`/content/items/${id}`)).toEqual(itemNotFound)
})

test('a manager shares an item of the organization only where no other user comes in, and a public one anywhere', async () => {
  const open = (await bert.createGroup('Open', { access: 'private', membershipAccess: 'none' })).id
  const shareByBert = (groups: string) => bert.post(`/content/items/${id}/share`, { groups })
  await share({ org: 'true' })
  expect(await shareByBert(open)).toEqual({
    notSharedWith: [open],
    itemId: id,
    reasons: { [open]: 'Only its owner shares an item of the organization with a group that others may join.' },
  })
  await share({ everyone: 'true' })
  expect(await shareByBert(open)).toEqual({ notSharedWith: [], itemId: id })
})

test('a group is opened only without items of the organization whose owners are no members', async () => {
  const seas = (await bert.createGroup('Seas', { access: 'private' })).id
  await share({ org: 'true' })
  expect(await bert.post(`/content/items/${id}/share`, { groups: seas })).toEqual({ notSharedWith: [], itemId: id })
  const open = (membershipAccess: string) => bert.post(`/community/groups/${seas}/update`, { membershipAccess })
  const refusal = refused(
    'update group',
    `membershipAccess: item ${id} belongs to the organization, and its owner is no member of the group; unshare such items first.`,
  )
  for (const access of ['none', 'collaboration']) expect(await open(access)).toEqual(refusal)
  expect(await bert.get(`/community/groups/${seas}`)).toMatchObject({ membershipAccess: 'org' })
  expect(await bert.post(`/community/groups/${seas}/update`, { snippet: 'Deep' })).toMatchObject({ success: true })
  await bert.post(`/community/groups/${seas}/addUsers`, { users: 'anna' })
  expect(await open('none')).toMatchObject({ success: true })
})

test('public items, and those that their owners have shared, keep no group closed', async () => {
  await share({ org: 'true', groups: groupId })
  const other = (await carl.post('/content/users/carl/addItem', { title: 'Seas', type: 'Web Map' })).id
  await carl.post(`/content/users/carl/items/${other}/share`, { everyone: 'true' })
  const seas = (await bert.createGroup('Seas', { access: 'private' })).id
  await bert.post(`/content/items/${other}/share`, { groups: seas })
  for (const opened of [groupId, seas])
    expect(await bert.post(`/community/groups/${opened}/update`, { membershipAccess: 'none' })).toMatchObject({
      success: true,
    })
})

test('a group that was open and has a member of another organization is none of the organization alone', async () => {
  const outsider = await portal.otherOrganization()
  const { username } = await outsider.get('/community/self')
  await outsider.post(`/community/users/${username}/update`, { access: 'public' })
  const open = (await bert.createGroup('Open', { access: 'public', membershipAccess: 'none' })).id
  const admin = await portal.admin()
  await admin.post(`/community/groups/${open}/invite`, { users: username, role: 'group_member' })
  const [{ id: invitation }] = (await outsider.get(`/community/users/${username}/invitations`)).userInvitations
  await outsider.post(`/community/users/${username}/invitations/${invitation}/accept`)
  expect((await outsider.get(`/community/groups/${open}`)).userMembership).toMatchObject({ memberType: 'member' })
  expect(await bert.post(`/community/groups/${open}/update`, { membershipAccess: 'org' })).toMatchObject({
    success: true,
  })
  await share({ org: 'true' })
  expect(await bert.post(`/content/items/${id}/share`, { groups: open })).toMatchObject({ notSharedWith: [open] })
  expect(await outsider.get(`/content/items/${id}`)).toEqual(itemNotFound)
})

test('what an owner takes back ends the links that others made to groups of which the owner is no member', async () => {
  const [seas, open] = [
    (await bert.createGroup('Seas', { access: 'private' })).id,
    (await bert.createGroup('Open', { access: 'private', membershipAccess: 'none' })).id,
  ]
  const groups = async () => (await anna.get(`/content/users/anna/items/${id}`)).sharing.groups.toSorted()
  await share({ everyone: 'true', groups: groupId })
  await bert.post(`/content/items/${id}/share`, { groups: `${seas},${open}` })
  expect(await groups()).toEqual([groupId, seas, open].toSorted())
  await share({ org: 'true' })
  expect(await groups()).toEqual([groupId, seas].toSorted())
  const lowered = { items: id, groups: '', everyone: 'false', account: 'false' }
  await anna.post('/content/users/anna/shareItems', lowered)
  expect(await groups()).toEqual([groupId])
})

test('who has left a group with many items shares with it again once their links are removed', async () => {
  const ids = [id]
  while (ids.length < 11) {
    ids.push((await anna.post('/content/users/anna/addItem', { title: 'Lakes', type: 'Web Map' })).id)
  }
  await anna.post('/content/users/anna/shareItems', { items: ids.join(), groups: groupId })
  const last = ids.at(-1)
  const seen = async () => (await carl.get(`/content/groups/${groupId}`)).total
  expect(await seen()).toBe(11)
  expect(await anna.post(`/community/groups/${groupId}/leave`)).toMatchObject({ success: true })
  expect(await seen()).toBe(0)
  expect(await carl.get(`/content/items/${last}`)).toEqual(itemNotFound)
  await bert.post(`/community/groups/${groupId}/addUsers`, { users: 'anna' })
  expect(await seen()).toBe(0)
  const reason = 'The former sharing of the items of this owner with the group is still being removed; try again soon.'
  expect(await share({ groups: groupId })).toEqual({
    notSharedWith: [groupId],
    reasons: { [groupId]: reason },
    itemId: id,
  })
  await runHousekeeping(houseOf(portal))
  expect(await share({ groups: groupId })).toEqual({ notSharedWith: [], itemId: id })
  expect(await seen()).toBe(1)
})

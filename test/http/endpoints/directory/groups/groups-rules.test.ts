import { permissionDenied, refused } from '../../../../support/portal/envelopes.ts'
import { type Client, type Parameters, startPortal } from '../../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../../support/portal/test.ts'

const given = {
  capabilities: 'updateitemcontrol',
  leavingDisallowed: 'true',
  hiddenMembers: 'true',
  displaySettings: { itemTypes: 'Web Map' },
  phone: '+49 30 1234, Anna',
}
const kept = {
  capabilities: ['updateitemcontrol'],
  leavingDisallowed: true,
  hiddenMembers: true,
  membershipAccess: 'org',
  displaySettings: { itemTypes: 'Web Map' },
  phone: '+49 30 1234, Anna',
}
const usual = {
  capabilities: [],
  leavingDisallowed: false,
  hiddenMembers: false,
  membershipAccess: 'org',
  displaySettings: { itemTypes: '' },
  phone: null,
}

const make = (client: Client, parameters: Parameters) =>
  client.post('/community/createGroup', { title: 'Maps', ...parameters })
const update = (client: Client, id: string, parameters: Parameters) =>
  client.post(`/community/groups/${id}/update`, parameters)

describe('what the public API documents of a group', () => {
  test('is kept by createGroup', async ({ admin }) => {
    expect((await make(admin, given)).group).toMatchObject(kept)
    expect((await make(admin, {})).group).toMatchObject(usual)
    expect((await make(admin, { membershipAccess: 'Collaboration' })).group.membershipAccess).toBe('collaboration')
  })

  test('is kept by update, which ends it only with clearEmptyFields or where it says so', async ({ admin }) => {
    const { id } = await admin.createGroup('Maps')
    const read = () => admin.get(`/community/groups/${id}`)
    await update(admin, id, given)
    expect(await read()).toMatchObject(kept)
    const empty = { capabilities: '', leavingDisallowed: '', hiddenMembers: '', displaySettings: '', phone: '' }
    await update(admin, id, { ...empty, membershipAccess: '' })
    expect(await read()).toMatchObject(kept)
    await update(admin, id, { ...empty, clearEmptyFields: 'true' })
    expect(await read()).toMatchObject({ ...usual, leavingDisallowed: true, hiddenMembers: true })
    await update(admin, id, { leavingDisallowed: 'false', hiddenMembers: 'false' })
    expect(await read()).toMatchObject(usual)
    await update(admin, id, { displaySettings: '{"itemTypes":"CSV"}' })
    await update(admin, id, { displaySettings: '{"itemTypes":""}' })
    expect(await read()).toMatchObject(usual)
  })

  test.for([
    'updateitemcontrol',
    ' UpdateItemControl ',
    '["updateitemcontrol"]',
    'updateitemcontrol,updateitemcontrol',
  ])('is understood as clients write it: capabilities=%s', async (capabilities, { portal }) => {
    expect((await make(await portal.admin(), { capabilities })).group.capabilities).toEqual(['updateitemcontrol'])
  })

  test('takes its privilege, to create and to update', async ({ admin }) => {
    const owns = ['portal:user:createGroup']
    for (const [name, value, privilege] of [
      ['capabilities', 'updateitemcontrol', 'portal:admin:createUpdateCapableGroup'],
      ['leavingDisallowed', 'true', 'portal:admin:createLeavingDisallowedGroup'],
      ['membershipAccess', 'none', 'portal:user:addExternalMembersToGroup'],
      ['membershipAccess', 'collaboration', 'portal:user:addExternalMembersToGroup'],
    ] as const) {
      const lacking = await admin.invite(
        `lacking-${name}-${value}`,
        await admin.createRole(`Lacking ${name} ${value}`, owns),
      )
      const role = await admin.createRole(`Holding ${name} ${value}`, [...owns, privilege])
      const holding = await admin.invite(`holding-${name}-${value}`, role)
      expect(await make(lacking, { [name]: value })).toEqual(permissionDenied)
      const { id } = await lacking.createGroup('Maps')
      expect(await update(lacking, id, { [name]: value })).toEqual(permissionDenied)
      // Setting a value that the group has already takes no privilege.
      await update(admin, id, { [name]: value })
      expect(await update(lacking, id, { [name]: value, snippet: 'b' })).toEqual({ success: true, groupId: id })
      expect(await make(holding, { [name]: value })).toMatchObject({ success: true })
    }
  })

  test('does not keep users of other organizations in a group: leavingDisallowed needs membershipAccess org', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const problem = 'leavingDisallowed: a group that cannot be left has membershipAccess org.'
    const both = { leavingDisallowed: 'true', membershipAccess: 'none' }
    expect(await make(admin, both)).toEqual(refused('create group', problem))
    const { id } = await admin.createGroup('Maps', { membershipAccess: 'collaboration' })
    expect(await update(admin, id, { leavingDisallowed: 'true' })).toEqual(refused('update group', problem))
    expect(await admin.get(`/community/groups/${id}`)).toMatchObject({ leavingDisallowed: false })
  })
})

describe('a group that cannot be left', () => {
  test('is left by no member on their own; its managers remove members', async ({ admin, anna }) => {
    const bruno = await admin.invite('bruno')
    const { id } = await admin.createGroup('Maps', { leavingDisallowed: 'true' })
    const call = (client: Client, verb: string, parameters: Parameters = {}) =>
      client.post(`/community/groups/${id}/${verb}`, parameters)
    await call(admin, 'addUsers', { users: 'anna', admins: 'bruno' })
    for (const client of [anna, bruno]) {
      expect(await call(client, 'leave')).toEqual(
        refused('leave group', 'Maps cannot be left; ask its owner or a manager.'),
      )
    }
    expect(await call(bruno, 'removeUsers', { users: 'anna' })).toEqual({ notRemoved: [] })
    await call(admin, 'update', { leavingDisallowed: 'false' })
    expect(await call(bruno, 'leave')).toEqual({ success: true, groupId: id })
  })
})

describe('a group that hides its members', () => {
  test('shows them to its owner, its managers and administrators', async ({ admin }) => {
    const [owner, anna, bruno] = [await admin.invite('owner'), await admin.invite('anna'), await admin.invite('bruno')]
    const { id } = await owner.createGroup('Maps', { hiddenMembers: 'true' })
    await owner.post(`/community/groups/${id}/addUsers`, { users: 'anna', admins: 'bruno' })
    const read = (client: Client) => client.get(`/community/groups/${id}/users`)
    for (const client of [admin, owner, bruno]) expect(await read(client)).toMatchObject({ users: ['anna'] })
    expect(await read(anna)).toEqual(permissionDenied)
    expect(await anna.get(`/community/groups/${id}`)).toMatchObject({ userMembership: { memberType: 'member' } })
  })
})

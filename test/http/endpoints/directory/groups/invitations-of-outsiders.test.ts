import { describe, expect, test } from 'vitest'
import { permissionDenied, refused } from '../../../../support/portal/envelopes.ts'
import { hostForGuest } from '../../../../support/portal/hosted.ts'
import type { Client } from '../../../../support/portal/portal.ts'
import { openInvitingGroup } from './inviting-group.ts'

describe('users of other organizations', () => {
  async function withOutsider(membershipAccess: string) {
    const fixture = await openInvitingGroup({}, { membershipAccess, access: 'public' })
    const outsider = await fixture.portal.otherOrganization()
    await outsider.post('/community/users/outsider/update', { access: 'public' })
    return { ...fixture, outsider }
  }

  test('are invited by a group of any organization, enter when they accept, and see it', async () => {
    const { portal, owner, outsider, groupId, call, invitations, answer, membership } = await withOutsider('none')
    await using _ = portal
    await call(owner, 'update', { access: 'private' })
    expect(await call(owner, 'addUsers', { users: 'outsider' })).toEqual({
      notAdded: ['outsider'],
      reasons: ['outsider belongs to another organization.'],
    })
    expect(await call(owner, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: [] })
    expect(await invitations(outsider)).toHaveLength(1)
    expect(await answer(outsider, 'accept')).toMatchObject({ success: true, groupId })
    expect(await membership(outsider)).toMatchObject({ memberType: 'member' })
    expect(await call(outsider, 'leave')).toEqual({ success: true, groupId })
  })

  test('join a public group of any organization, as its own users do', async () => {
    const { portal, owner, outsider, call } = await withOutsider('none')
    await using _ = portal
    expect(await call(outsider, 'join')).toMatchObject({ applied: true })
    expect(await call(owner, 'applications/outsider/accept')).toMatchObject({ success: true })
  })

  test('are not invited by a group of the organization, and do not enter one that has become so', async () => {
    const { portal, owner, outsider, call, answer } = await withOutsider('org')
    await using _ = portal
    expect(await call(owner, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: ['outsider'] })
    expect(await call(outsider, 'join')).toEqual(permissionDenied)
    await call(owner, 'update', { membershipAccess: 'none' })
    expect(await call(owner, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: [] })
    await call(owner, 'update', { membershipAccess: 'org' })
    const problem = 'Maps takes no users of your organization now.'
    expect(await answer(outsider, 'accept')).toEqual(refused('accept invitation', problem))
    expect(await call(outsider, 'join')).toEqual(permissionDenied)
  })

  test('take the privileges that are documented, on both sides', async () => {
    const { portal, admin, owner, outsider, call, answer } = await withOutsider('none')
    await using _ = portal
    const manager = await admin.invite('manager', await admin.createRole('Local', ['portal:user:joinGroup']))
    await call(owner, 'addUsers', { users: 'manager' })
    await call(owner, 'updateUsers', { admins: 'manager' })
    expect(await call(manager, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: ['outsider'] })
    await call(owner, 'invite', { users: 'outsider' })
    const role = await outsider.createRole('Homebody', ['portal:user:joinGroup'])
    const guest = await outsider.invite('guest', role)
    await guest.post('/community/users/guest/update', { access: 'public' })
    await call(owner, 'invite', { users: 'guest' })
    expect(await answer(guest, 'accept')).toEqual(permissionDenied)
    expect(await answer(outsider, 'accept')).toMatchObject({ success: true })
  })

  test('of a collaboration are those of a host and its guests', async () => {
    const { portal, admin, owner, outsider, groupId, call, answer } = await withOutsider('collaboration')
    await using _ = portal
    expect(await call(owner, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: ['outsider'] })
    const sideOf = async (client: Client, groupId: string) => ({
      client,
      portalId: (await client.get('/portals/self')).id,
      groupId,
    })
    const { id } = await outsider.createGroup('Seas', { access: 'public' })
    await admin.post(`/community/groups/${groupId}/update`, { access: 'public' })
    const [ours, theirs] = [await sideOf(admin, groupId), await sideOf(outsider, id)]
    // The other organization is the host: a collaboration joins both.
    const { collaborationId } = await hostForGuest(theirs, ours)
    expect(await call(owner, 'invite', { users: 'outsider' })).toMatchObject({ notInvited: [] })
    await outsider.post(`/portals/self/collaborations/${collaborationId}/delete`)
    const problem = 'Maps takes no users of your organization now.'
    expect(await answer(outsider, 'accept')).toEqual(refused('accept invitation', problem))
  })
})

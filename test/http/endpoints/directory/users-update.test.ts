import { describe, expect, test } from 'vitest'
import { userPrivileges } from '../../../../src/call/privilege.ts'
import {
  permissionDenied,
  refused,
  signInFailed,
  tokenInvalid,
  tokenRequired,
  userNotFound,
} from '../../../support/portal/envelopes.ts'
import { adminPassword, type Client, startOfTests, startPortal } from '../../../support/portal/portal.ts'

const success = (username: string) => ({ success: true, username })

/** A user with a custom role of these privileges. */
async function holder(admin: Client, username: string, ...privileges: readonly string[]): Promise<Client> {
  return admin.invite(username, await admin.createRole(username, privileges))
}

describe('update', () => {
  test('changes what is given and leaves the rest', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    const before = await anna.get('/community/self')
    portal.clock.now += 1000
    const change = { firstName: 'Anna', lastName: 'Atlas', email: 'anna@example.com', description: 'Line 1\nLine 2' }
    expect(await anna.post('/community/users/anna/update', change)).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toEqual({ ...before, ...change, modified: startOfTests + 1000 })
    await anna.post('/community/users/anna/update', { fullname: 'Anna A.', access: 'public' })
    expect(await anna.get('/community/self')).toMatchObject({ ...change, fullName: 'Anna A.', access: 'public' })
  })

  test('reaches nothing that decides what a user may do or is', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    const before = await anna.get('/community/self')
    await anna.post('/community/users/anna/update', {
      role: 'org_admin',
      roleId: 'org_admin',
      privileges: 'portal:admin:updateUsers',
      username: 'admin',
      username_key: 'admin',
      id: 'x',
      userId: 'x',
      orgId: 'x',
      portalId: 'x',
      disabled: 'true',
      password: 'another long password',
      password_hash: 'x',
      created: '1',
      lastLogin: '1',
      ['__proto__']: 'x',
    })
    expect(await anna.get('/community/self')).toEqual(before)
    expect(await portal.signIn('anna', adminPassword)).toBeDefined()
  })

  test('leaves empty fields alone, unless asked to clear them', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    await anna.post('/community/users/anna/update', { email: 'anna@example.com', description: 'Maps' })
    await anna.post('/community/users/anna/update', { email: '', description: ' ', fullName: '', access: '' })
    expect(await anna.get('/community/self')).toMatchObject({ email: 'anna@example.com', description: 'Maps' })
    await anna.post('/community/users/anna/update', { email: '', fullName: '', clearEmptyFields: 'true' })
    expect(await anna.get('/community/self')).toMatchObject({ email: '', description: 'Maps', fullName: 'anna' })
  })

  test.each([
    ['fullName', 128],
    ['firstName', 128],
    ['lastName', 128],
    ['email', 128],
    ['description', 10_000],
  ])('%s takes %i characters and not one more', async (name, max) => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    const host = name === 'email' ? '@example.com' : ''
    const longest = `${'🗺'.repeat((max - host.length) / 2)}${host}`
    expect(await anna.post('/community/users/anna/update', { [name]: longest })).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toMatchObject({ [name]: longest })
    expect(await anna.post('/community/users/anna/update', { [name]: `${longest}x` })).toEqual(
      refused('update user', `${name}: has ${max + 1} characters; at most ${max} are allowed.`),
    )
  })

  test.each([
    [{ access: 'everyone' }, 'access: has to be one of private, org, public.'],
    [{ fullName: 'a\u0000b' }, 'fullName: has a control character.'],
    [{ clearEmptyFields: 'maybe' }, 'clearEmptyFields: has to be true or false.'],
  ])('refuses %j', async (change, problem) => {
    await using portal = await startPortal()
    const anna = await portal.user('anna')
    expect(await anna.post('/community/users/anna/update', change)).toEqual(refused('update user', problem))
  })

  test('is for the user, administrators and holders of the privilege', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const outsider = await portal.otherOrganization()
    await admin.invite('anna')
    const bruno = await admin.invite('bruno', 'org_publisher')
    const clerk = await holder(admin, 'clerk', ...userPrivileges, 'portal:admin:updateUsers', 'portal:admin:viewUsers')
    const update = (client: Client) => client.post('/community/users/ANNA/update', { description: 'x' })
    expect(await update(admin)).toEqual(success('anna'))
    expect(await update(clerk)).toEqual(success('anna'))
    expect(await update(bruno)).toEqual(permissionDenied)
    expect(await update(outsider)).toEqual(userNotFound)
    expect(await update(portal.anonymous)).toEqual(tokenRequired)
    expect(await clerk.post('/community/users/admin/update', { email: 'mine@example.com' })).toEqual(permissionDenied)
  })
})

describe('disable', () => {
  test('ends tokens and sign-in immediately, and enable lets the user sign in again', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    const group = await anna.createGroup('Maps')
    expect(await admin.post('/community/users/anna/disable')).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
      signInFailed,
    )
    expect(await admin.get('/community/users/anna')).toMatchObject({ disabled: true })
    expect(await admin.post('/community/users/anna/enable')).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    const again = await portal.signIn('anna', adminPassword)
    expect(await again.get(`/community/groups/${group.id}`)).toMatchObject({ owner: 'anna' })
  })

  test('twice, or of who is enabled already, is success', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    for (const verb of ['enable', 'disable', 'disable', 'enable', 'enable']) {
      expect(await admin.post(`/community/users/anna/${verb}`)).toEqual(success('anna'))
    }
  })

  test.each(['disable', 'enable'])('%s needs the privilege', async (verb) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.invite('chief', 'org_admin')
    const warden = await holder(
      admin,
      'warden',
      ...userPrivileges,
      'portal:admin:disableUsers',
      'portal:admin:viewUsers',
    )
    const bruno = await admin.invite('bruno', 'org_publisher')
    expect(await warden.post(`/community/users/anna/${verb}`)).toEqual(success('anna'))
    expect(await warden.post(`/community/users/chief/${verb}`)).toEqual(permissionDenied)
    expect(await bruno.post(`/community/users/anna/${verb}`)).toEqual(permissionDenied)
    expect(await bruno.post(`/community/users/bruno/${verb}`)).toEqual(permissionDenied)
    expect(await portal.anonymous.post(`/community/users/anna/${verb}`)).toEqual(tokenRequired)
  })
})

describe('delete', () => {
  test('removes the user, its tokens and memberships', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    const { id } = await admin.createGroup('Maps')
    await admin.post(`/community/groups/${id}/addUsers`, { users: 'anna' })
    expect(await admin.post('/community/users/anna/delete')).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await admin.get('/community/users/anna')).toEqual(userNotFound)
    expect(await admin.post('/community/users/anna/delete')).toEqual(userNotFound)
    expect(await admin.get(`/community/groups/${id}/users`)).toMatchObject({ users: [] })
    expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
      signInFailed,
    )
  })

  test('is refused while the user owns groups, and done when they have another owner', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const anna = await admin.invite('anna')
    const { id } = await anna.createGroup('Maps')
    expect(await admin.post('/community/users/anna/delete')).toEqual(
      refused('delete user', 'anna owns 1 groups; reassign or delete them first.'),
    )
    await admin.post(`/community/groups/${id}/reassign`, { targetUsername: 'admin' })
    expect(await admin.post('/community/users/anna/delete')).toEqual(success('anna'))
    expect(await admin.get(`/community/groups/${id}/users`)).toEqual({ owner: 'admin', admins: ['admin'], users: [] })
  })

  test('needs the privilege, and reaches no administrator without being one', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.invite('chief', 'org_admin')
    const reaper = await holder(admin, 'reaper', ...userPrivileges, 'portal:admin:deleteUsers')
    const bruno = await admin.invite('bruno', 'org_publisher')
    expect(await reaper.post('/community/users/chief/delete')).toEqual(permissionDenied)
    expect(await bruno.post('/community/users/anna/delete')).toEqual(permissionDenied)
    expect(await bruno.post('/community/users/bruno/delete')).toEqual(permissionDenied)
    expect(await portal.anonymous.post('/community/users/anna/delete')).toEqual(tokenRequired)
    expect(await reaper.post('/community/users/anna/delete')).toEqual(success('anna'))
  })
})

describe('the last administrator', () => {
  const last = 'admin is the last administrator of the organization.'

  test('stays, whatever is tried', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const everything = (await admin.get('/community/self')).privileges
    const role = await admin.createRole('Everything', everything)
    await admin.invite('anna', role)
    expect(await admin.post('/community/users/admin/disable')).toEqual(refused('disable user', last))
    expect(await admin.post('/community/users/admin/delete')).toEqual(refused('delete user', last))
    for (const lesser of ['org_user', role]) {
      const answer = await admin.post('/portals/self/updateUserRole', { user: 'admin', role: lesser })
      expect(answer).toEqual(refused('update user role', last))
    }
    expect(await admin.post('/portals/self/updateUserRole', { user: 'admin', role: 'org_admin' })).toEqual({
      success: true,
    })
  })

  test('is one who is enabled: a disabled one does not count, and may go', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('chief', 'org_admin')
    expect(await admin.post('/community/users/chief/disable')).toEqual(success('chief'))
    expect(await admin.post('/community/users/admin/disable')).toEqual(refused('disable user', last))
    expect(await admin.post('/community/users/chief/delete')).toEqual(success('chief'))
  })

  test('is one of the organization: those of others do not count', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await portal.otherOrganization()
    expect(await admin.post('/community/users/admin/delete')).toEqual(refused('delete user', last))
  })

  test('may go when there is another', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const chief = await admin.invite('chief', 'org_admin')
    expect(await admin.post('/portals/self/updateUserRole', { user: 'admin', role: 'org_user' })).toEqual({
      success: true,
    })
    expect(await chief.post('/community/users/chief/disable')).toMatchObject({
      error: { details: ['chief is the last administrator of the organization.'] },
    })
  })
})

describe('what an update cannot do', () => {
  test('another role or organization is refused, and the present ones are nothing', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    const path = '/community/users/anna'
    const { role, orgId, fullName } = await admin.get(path)
    for (const [given, why] of [
      [{ role: 'org_admin' }, 'role: is changed by updateUserRole of the organization.'],
      [{ orgId: 'AnotherPortal001' }, 'orgId: a user stays in the organization.'],
    ] as const) {
      expect(await admin.post(`${path}/update`, { fullName: 'Other', ...given })).toEqual(refused('update user', why))
    }
    expect(await admin.get(path)).toMatchObject({ role, orgId, fullName })
    for (const given of [
      { role, orgId },
      { role: '', orgId: '' },
    ]) {
      expect(await admin.post(`${path}/update`, given)).toMatchObject({ success: true })
    }
  })

  test.each(['anna', 'anna@', '@example.com', 'anna@example@com', 'anna at example.com', 'an na@example.com', '@'])(
    'the e-mail address %s is refused wherever it is given',
    async (email) => {
      await using portal = await startPortal()
      const admin = await portal.admin()
      const sentence = 'email: is not an e-mail address.'
      expect(await admin.post('/community/users/admin/update', { email })).toEqual(refused('update user', sentence))
      const person = { username: 'bruno', password: 'a long one that is hard to guess', email }
      expect(await admin.post('/portaladmin/security/users/createUser', person)).toEqual(
        refused('create user', sentence),
      )
      const invitationList = JSON.stringify({ invitations: [person] })
      expect(await admin.post('/portals/self/invite', { invitationList })).toEqual(
        refused('invite users', 'invitationList: /invitations/0/email is not an e-mail address.'),
      )
    },
  )

  test.each([' anna@example.com ', 'änna@münchen.example', ''])('the e-mail address %j is taken', async (email) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const change = { email, clearEmptyFields: true }
    expect(await admin.post('/community/users/admin/update', change)).toMatchObject({ success: true })
    expect(await admin.get('/community/users/admin')).toMatchObject({ email: email.trim() })
  })
})

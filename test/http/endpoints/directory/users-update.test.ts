import { refused, signInFailed, tokenInvalid, userNotFound } from '../../../support/portal/envelopes.ts'
import { adminPassword, startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const success = (username: string) => ({ success: true, username })

describe('update', () => {
  test('changes what is given and leaves the rest', async ({ portal, anna }) => {
    const before = await anna.get('/community/self')
    portal.clock.now += 1000
    const change = { firstName: 'Anna', lastName: 'Atlas', email: 'anna@example.com', description: 'Line 1\nLine 2' }
    expect(await anna.post('/community/users/anna/update', change)).toEqual(success('anna'))
    expect(await anna.get('/community/self')).toEqual({ ...before, ...change, modified: startOfTests + 1000 })
    await anna.post('/community/users/anna/update', { fullname: 'Anna A.', access: 'public' })
    expect(await anna.get('/community/self')).toMatchObject({ ...change, fullName: 'Anna A.', access: 'public' })
  })

  test('leaves empty fields alone, unless asked to clear them', async ({ anna }) => {
    await anna.post('/community/users/anna/update', { email: 'anna@example.com', description: 'Maps' })
    await anna.post('/community/users/anna/update', { email: '', description: ' ', fullName: '', access: '' })
    expect(await anna.get('/community/self')).toMatchObject({ email: 'anna@example.com', description: 'Maps' })
    await anna.post('/community/users/anna/update', { email: '', fullName: '', clearEmptyFields: 'true' })
    expect(await anna.get('/community/self')).toMatchObject({ email: '', description: 'Maps', fullName: 'anna' })
  })
})

describe('disable', () => {
  test('ends tokens and sign-in immediately, and enable lets the user sign in again', async ({
    portal,
    admin,
    anna,
  }) => {
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

  test('twice, or of who is enabled already, is success', async ({ admin }) => {
    await admin.invite('anna')
    for (const verb of ['enable', 'disable', 'disable', 'enable', 'enable']) {
      expect(await admin.post(`/community/users/anna/${verb}`)).toEqual(success('anna'))
    }
  })
})

describe('delete', () => {
  test('removes the user, its tokens and memberships', async ({ portal, admin, anna }) => {
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

  test('is refused while the user owns groups, and done when they have another owner', async ({ admin, anna }) => {
    const { id } = await anna.createGroup('Maps')
    expect(await admin.post('/community/users/anna/delete')).toEqual(
      refused('delete user', 'anna owns 1 groups; reassign or delete them first.'),
    )
    await admin.post(`/community/groups/${id}/reassign`, { targetUsername: 'admin' })
    expect(await admin.post('/community/users/anna/delete')).toEqual(success('anna'))
    expect(await admin.get(`/community/groups/${id}/users`)).toEqual({ owner: 'admin', admins: ['admin'], users: [] })
  })
})

describe('the last administrator', () => {
  const last = 'admin is the last administrator of the organization.'

  test('stays, whatever is tried', async ({ admin }) => {
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

  test('is one who is enabled: a disabled one does not count, and may go', async ({ admin }) => {
    await admin.invite('chief', 'org_admin')
    expect(await admin.post('/community/users/chief/disable')).toEqual(success('chief'))
    expect(await admin.post('/community/users/admin/disable')).toEqual(refused('disable user', last))
    expect(await admin.post('/community/users/chief/delete')).toEqual(success('chief'))
  })

  test('is one of the organization: those of others do not count', async ({ portal, admin }) => {
    await portal.otherOrganization()
    expect(await admin.post('/community/users/admin/delete')).toEqual(refused('delete user', last))
  })

  test('may go when there is another', async ({ admin }) => {
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
  test('another role or organization is refused, and the present ones are nothing', async ({ admin }) => {
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

  test.each([' anna@example.com ', 'änna@münchen.example', ''])('the e-mail address %j is taken', async (email) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const change = { email, clearEmptyFields: true }
    expect(await admin.post('/community/users/admin/update', change)).toMatchObject({ success: true })
    expect(await admin.get('/community/users/admin')).toMatchObject({ email: email.trim() })
  })
})

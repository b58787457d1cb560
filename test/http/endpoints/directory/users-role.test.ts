import { describe, expect, test } from 'vitest'
import { permissionDenied, refused, resourceNotFound, tokenRequired } from '../../../support/portal/envelopes.ts'
import { type Client, startPortal } from '../../../support/portal/portal.ts'

function giveRole(client: Client, user: string, role: string) {
  return client.post('/portals/self/updateUserRole', { user, role })
}

const success = { success: true }

test('a role counts at once, for the tokens that there are', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const anna = await admin.invite('anna', 'org_viewer')
  expect(await anna.post('/community/createGroup', { title: 'Maps' })).toEqual(permissionDenied)
  expect(await giveRole(admin, 'ANNA', 'org_user')).toEqual(success)
  expect(await anna.post('/community/createGroup', { title: 'Maps' })).toMatchObject(success)
  await giveRole(admin, 'anna', 'org_viewer')
  expect(await anna.post('/community/createGroup', { title: 'Maps' })).toEqual(permissionDenied)
})

test('an administrator who is none any more may do nothing of the kind', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const chief = await admin.invite('chief', 'org_admin')
  await giveRole(admin, 'chief', 'org_user')
  expect(await giveRole(chief, 'chief', 'org_admin')).toEqual(permissionDenied)
})

test.each(['org_admin', 'org_publisher', 'org_user', 'org_viewer'])('%s is given', async (role) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  await admin.invite('anna')
  expect(await giveRole(admin, 'anna', role)).toEqual(success)
  expect(await admin.get('/community/users/anna')).toMatchObject({ role })
})

test('a custom role is given by its id', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const role = await admin.createRole('Cataloguer', ['portal:admin:updateItemCategorySchema'])
  const anna = await admin.invite('anna')
  expect(await giveRole(admin, 'anna', role)).toEqual(success)
  expect(await anna.get('/community/self')).toMatchObject({
    role,
    privileges: ['portal:admin:updateItemCategorySchema'],
  })
})

test.each(['nobody', 'ORG_ADMIN', 'org_admin ', '__proto__', 'constructor', 'Cataloguer'])(
  'the role %s does not exist',
  async (role) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.createRole('Cataloguer', [])
    await admin.invite('anna')
    expect(await giveRole(admin, 'anna', role)).toEqual(
      refused('update user role', `role: The role ${role} does not exist.`),
    )
  },
)

test('neither users nor roles of another organization are reached', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const outsider = await portal.otherOrganization()
  await admin.invite('anna')
  const foreign = await outsider.createRole('Diver', [])
  const missing = (user: string) => refused('update user role', `user: ${user} does not exist.`)
  expect(await giveRole(admin, 'outsider', 'org_user')).toEqual(missing('outsider'))
  expect(await giveRole(admin, 'nobody', 'org_user')).toEqual(missing('nobody'))
  expect(await giveRole(admin, 'anna', foreign)).toEqual(
    refused('update user role', `role: The role ${foreign} does not exist.`),
  )
  const { id } = await admin.get('/portals/self')
  const answer = await outsider.post(`/portals/${id}/updateUserRole`, { user: 'anna', role: 'org_admin' })
  expect(answer).toEqual(resourceNotFound)
})

test.each([
  [{}, ['user: give a value.', 'role: give a value.']],
  [{ user: 'anna' }, ['role: give a value.']],
  [{ user: ' ', role: 'org_user' }, ['user: give a value.']],
])('%j is refused', async (parameters, problems) => {
  await using portal = await startPortal()
  const answer = await (await portal.admin()).post('/portals/self/updateUserRole', parameters)
  expect(answer).toEqual(refused('update user role', ...problems))
})

describe('nobody climbs', () => {
  test('by giving himself a role without the privilege', async () => {
    await using portal = await startPortal()
    const anna = await portal.user('anna', 'org_publisher')
    expect(await giveRole(anna, 'anna', 'org_admin')).toEqual(permissionDenied)
    expect(await giveRole(anna, 'nobody', 'org_admin')).toEqual(permissionDenied)
    expect(await giveRole(portal.anonymous, 'anna', 'org_admin')).toEqual(tokenRequired)
  })

  test('by the privilege to change roles: neither up to administrator nor to what he does not hold', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna', 'org_viewer')
    const own = ['portal:admin:changeUserRoles', 'portal:user:joinGroup']
    const clerk = await admin.invite('clerk', await admin.createRole('Clerk', own))
    const lesser = await admin.createRole('Guest', ['portal:user:joinGroup'])
    const greater = await admin.createRole('Chief', [...own, 'portal:admin:deleteUsers'])
    for (const user of ['clerk', 'anna']) {
      for (const role of ['org_admin', 'org_publisher', 'org_user', 'org_viewer', greater]) {
        expect(await giveRole(clerk, user, role)).toEqual(
          refused('update user role', `role: You may not give the role ${role}.`),
        )
      }
    }
    expect(await giveRole(clerk, 'anna', lesser)).toEqual(success)
  })

  test('by every privilege there is: an administrator is neither made nor unmade', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.invite('chief', 'org_admin')
    const role = await admin.createRole('Everything', (await admin.get('/community/self')).privileges)
    const regent = await admin.invite('regent', role)
    expect(await giveRole(regent, 'regent', 'org_admin')).toMatchObject({ error: { code: 400 } })
    expect(await giveRole(regent, 'anna', 'org_admin')).toMatchObject({ error: { code: 400 } })
    expect(await giveRole(regent, 'chief', 'org_user')).toEqual(permissionDenied)
    expect(await giveRole(regent, 'anna', 'org_publisher')).toEqual(success)
    for (const verb of ['update', 'disable', 'enable', 'delete', 'changePassword']) {
      const answer = await regent.post(`/community/users/chief/${verb}`, { newPassword: 'another long password' })
      expect(answer).toEqual(permissionDenied)
    }
  })

  test('by a role whose privileges grow: they count at once, and so does their loss', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const role = await admin.createRole('Maker', [])
    const anna = await admin.invite('anna', role)
    const set = (...privileges: readonly string[]) =>
      admin.post(`/portals/self/roles/${role}/setPrivileges`, { privileges: { privileges } })
    expect(await anna.post('/community/createGroup', { title: 'Maps' })).toEqual(permissionDenied)
    await set('portal:user:createGroup')
    expect(await anna.post('/community/createGroup', { title: 'Maps' })).toMatchObject(success)
    await set()
    expect(await anna.post('/community/createGroup', { title: 'Maps' })).toEqual(permissionDenied)
  })
})

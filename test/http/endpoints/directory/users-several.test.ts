import { forbidden, tokenInvalid } from '../../../support/portal/envelopes.ts'
import { adminPassword, type Client } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const unknown = 'User does not exist or is inaccessible.'
const denied = forbidden.message

function settled(...results: readonly (readonly [string, string?])[]) {
  return {
    results: results.map(([username, reason]) =>
      reason === undefined ? { username, status: true } : { username, status: false, reason },
    ),
  }
}

async function clerk(admin: Client, ...privileges: readonly string[]): Promise<Client> {
  return admin.invite('clerk', await admin.createRole('Clerk', ['portal:user:viewOrgUsers', ...privileges]))
}

describe('disableUsers and enableUsers', () => {
  test('change each user that the caller may change, and say why not the others', async ({ portal, admin, anna }) => {
    const { id } = await (await admin.invite('bruno')).get('/community/self')
    await admin.invite('chief', 'org_admin')
    const holder = await clerk(admin, 'portal:admin:disableUsers')
    const users = `anna, ${id}, nobody, chief, anna`
    expect(await holder.post('/portals/self/disableUsers', { users })).toEqual(
      settled(['anna'], [id], ['nobody', unknown], ['chief', denied]),
    )
    expect(await anna.get('/community/self')).toEqual(tokenInvalid)
    expect(await admin.get('/community/users/bruno')).toMatchObject({ disabled: true })
    expect(await admin.get('/community/users/chief')).toMatchObject({ disabled: false })
    expect(await admin.post('/portals/self/enableusers', { users: 'anna,bruno' })).toEqual(settled(['anna'], ['bruno']))
    expect((await portal.signIn('anna', adminPassword)).token).toBeDefined()
  })

  test('leave one administrator enabled', async ({ admin }) => {
    await admin.invite('chief', 'org_admin')
    expect(await admin.post('/portals/self/disableUsers', { users: 'chief,admin' })).toEqual(
      settled(['chief'], ['admin', 'admin is the last administrator of the organization.']),
    )
  })
})

test('removeUsers deletes users, and keeps those who own groups', async ({ admin, anna }) => {
  await admin.invite('bruno')
  await anna.createGroup('Maps')
  expect(await admin.post('/portals/self/removeusers', { users: 'anna,bruno' })).toEqual(
    settled(['anna', 'anna owns 1 groups; reassign or delete them first.'], ['bruno']),
  )
  const { users } = await admin.get('/portals/self/users')
  expect(users.map(({ username }: Client) => username)).toEqual(['admin', 'anna'])
})

test('who holds disableUsers alone disables users and publishers', async ({ admin }) => {
  await admin.invite('anna', 'org_publisher')
  const holder = await clerk(admin, 'portal:admin:disableUsers')
  expect(await holder.post('/community/users/anna/disable')).toEqual({ success: true, username: 'anna' })
})

import { RawDatabase } from '../../../support/databases/raw-database.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import type { Client } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

function giveRole(client: Client, user: string, role: string) {
  return client.post('/portals/self/updateUserRole', { user, role })
}

const success = { success: true }
const builtIn = 'Roles are org_admin, org_publisher, org_user, org_viewer'

test.for(['org_admin', 'org_publisher', 'org_user', 'org_viewer'])('%s is given', async (role, { admin }) => {
  await admin.invite('anna')
  expect(await giveRole(admin, 'anna', role)).toEqual(success)
  expect(await admin.get('/community/users/anna')).toMatchObject({ role })
})

test.for(['nobody', 'ORG_ADMIN', 'org_admin ', '__proto__', 'constructor', 'cataloguer'])(
  'the role %s does not exist',
  async (role, { admin }) => {
    await admin.createRole('Cataloguer', [])
    await admin.invite('anna')
    expect(await giveRole(admin, 'anna', role)).toEqual(
      refused('update user role', `role: The role ${role} does not exist. ${builtIn}, Cataloguer.`),
    )
  },
)

test('a custom role is given, asked for and invited to by its name, unless several have it', async ({
  portal,
  admin,
  outsider,
}) => {
  await outsider.createRole('Cataloguer', [])
  const role = await admin.createRole('Cataloguer', ['portal:admin:updateItemCategorySchema'])
  await admin.invite('anna')
  expect(await giveRole(admin, 'anna', 'Cataloguer')).toEqual(success)
  const bruno = { username: 'bruno', password: 'a long enough password', role: 'Cataloguer' }
  expect(await admin.post('/portals/self/invite', { invitationList: { invitations: [bruno] } })).toEqual({
    success: true,
    notInvited: [],
  })
  const listed = (named: string) => admin.get('/portals/self/users', { role: named })
  expect((await listed('Cataloguer')).users).toMatchObject([
    { username: 'anna', role },
    { username: 'bruno', role },
  ])
  // From before names were compared.
  const another = await admin.createRole('Curator', [])
  await new RawDatabase(portal).run(`update roles set name = 'Cataloguer' where role_id = '${another}'`)
  expect(await giveRole(admin, 'anna', 'Cataloguer')).toEqual(
    refused('update user role', 'role: Several roles have the name Cataloguer: give the id of one of them.'),
  )
  expect(await giveRole(admin, 'anna', role)).toEqual(success)
  expect(await listed('Cataloguer')).toMatchObject({ total: 0 })
})

test('neither users nor roles of another organization are reached', async ({ admin, outsider }) => {
  await admin.invite('anna')
  const foreign = await outsider.createRole('Diver', [])
  const missing = (user: string) => refused('update user role', `user: ${user} does not exist.`)
  expect(await giveRole(admin, 'outsider', 'org_user')).toEqual(missing('outsider'))
  expect(await giveRole(admin, 'nobody', 'org_user')).toEqual(missing('nobody'))
  expect(await giveRole(admin, 'anna', foreign)).toEqual(
    refused('update user role', `role: The role ${foreign} does not exist. ${builtIn}.`),
  )
  const { id } = await admin.get('/portals/self')
  const answer = await outsider.post(`/portals/${id}/updateUserRole`, { user: 'anna', role: 'org_admin' })
  expect(answer).toEqual(resourceNotFound)
})

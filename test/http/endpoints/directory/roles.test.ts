import { RawDatabase } from '../../../support/databases/raw-database.ts'
import { refused, resourceNotFound } from '../../../support/portal/envelopes.ts'
import { type Client, startOfTests } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const success = { success: true }

test('a role is made without privileges', async ({ admin }) => {
  const { id } = await admin.post('/portals/self/createRole', { name: 'Cataloguer' })
  expect(await admin.get(`/portals/self/roles/${id}/privileges`)).toEqual({ id, privileges: [] })
})

const namesOfBuiltIn = [
  ...['Administrator', ' publisher ', 'USER', '\uff36iewer', 'View\u200ber', 'Administrator\u2800', 'Us\ufff9er'],
  ...['org_admin', 'ORG_USER'],
]

test.for(namesOfBuiltIn)('no custom role is called %j, as a built-in one is', async (name, { admin }) => {
  const problem = `name: ${name.trim()} is the name of a built-in role.`
  expect(await admin.post('/portals/self/createRole', { name })).toEqual(refused('create role', problem))
  const { id } = await admin.post('/portals/self/createRole', { name: 'Viewer of maps' })
  expect(await admin.post(`/portals/self/roles/${id}/update`, { name })).toEqual(refused('update role', problem))
  expect(await admin.get('/portals/self/roles')).toMatchObject({ total: 1, roles: [{ name: 'Viewer of maps' }] })
})

test('a role that has the name of a built-in one from before keeps it', async ({ portal, admin }) => {
  const { id } = await admin.post('/portals/self/createRole', { name: 'Keeper' })
  await new RawDatabase(portal).run(`update roles set name = 'Publisher' where role_id = '${id}'`)
  const change = { name: 'Publisher', description: 'Keeps the maps' }
  expect(await admin.post(`/portals/self/roles/${id}/update`, change)).toEqual(success)
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject(change)
})

test.for(['Cataloguer', ' cataloguer ', '\uff23ATALOGUER', 'Catalog\u200buer'])(
  'no second role is called %j, made or renamed so, where one is',
  async (name, { portal, admin }) => {
    const { id } = await admin.post('/portals/self/createRole', { name: 'Cataloguer' })
    const problem = 'name: Cataloguer is the name of another role.'
    expect(await admin.post('/portals/self/createRole', { name })).toEqual(refused('create role', problem))
    const other = await admin.createRole('Keeper', [])
    expect(await admin.post(`/portals/self/roles/${other}/update`, { name })).toEqual(refused('update role', problem))
    // It is its own name, and free in another organization.
    expect(await admin.post(`/portals/self/roles/${id}/update`, { name })).toEqual(success)
    expect(await (await portal.otherOrganization()).post('/portals/self/createRole', { name })).toMatchObject(success)
  },
)

test('roles that have one name from before keep it until they are renamed', async ({ portal, admin }) => {
  await admin.createRole('Keeper', [])
  const id = await admin.createRole('Cataloguer', [])
  await new RawDatabase(portal).run(`update roles set name = 'Keeper' where role_id = '${id}'`)
  const update = (change: object) => admin.post(`/portals/self/roles/${id}/update`, { ...change })
  expect(await update({ name: 'Keeper', description: 'Keeps the maps' })).toEqual(success)
  expect(await update({ name: 'Curator' })).toEqual(success)
  expect(await update({ name: 'Keeper' })).toEqual(refused('update role', 'name: Keeper is the name of another role.'))
})

describe('setPrivileges', () => {
  async function set(admin: Client, privileges: unknown) {
    const id = await admin.createRole('Cataloguer', ['portal:user:joinGroup'])
    const answer = await admin.post(`/portals/self/roles/${id}/setPrivileges`, { privileges })
    const { privileges: held } = await admin.get(`/portals/self/roles/${id}/privileges`)
    return { answer, held }
  }

  test('replaces what the role allows', async ({ portal }) => {
    const wish = ['portal:admin:updateItemCategorySchema', 'portal:user:createGroup']
    expect(await set(await portal.admin(), { privileges: wish })).toEqual({ answer: success, held: wish })
  })

  test('to nothing takes all away', async ({ portal }) => {
    expect(await set(await portal.admin(), { privileges: [] })).toEqual({ answer: success, held: [] })
  })

  test('keeps each but once', async ({ portal }) => {
    const wish = ['portal:user:createGroup', 'portal:user:createGroup']
    expect(await set(await portal.admin(), { privileges: wish })).toEqual({ answer: success, held: [wish[0]] })
  })
})

test('updating changes what is given, never takes the name away, and clears when asked', async ({ portal, admin }) => {
  const id = await admin.createRole('Cataloguer', ['portal:user:joinGroup'])
  const update = (change: object) => admin.post(`/portals/self/roles/${id}/update`, { ...change })
  portal.clock.now += 1000
  expect(await update({ description: 'Keeps categories' })).toEqual(success)
  await update({ name: '', description: '' })
  const kept = { name: 'Cataloguer', description: 'Keeps categories', modified: startOfTests + 1000 }
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject(kept)
  await update({ name: 'Librarian', description: '', clearEmptyFields: 'true' })
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject({ name: 'Librarian', description: '' })
  expect(await admin.get(`/portals/self/roles/${id}/privileges`)).toEqual({ id, privileges: ['portal:user:joinGroup'] })
})

test('deleting is refused while a user holds the role, and done when none does', async ({ admin }) => {
  const id = await admin.createRole('Cataloguer', [])
  await admin.invite('anna', id)
  expect(await admin.post(`/portals/self/roles/${id}/delete`)).toEqual(
    refused('delete role', 'The role Cataloguer is held by users (1); give them another one first.'),
  )
  await admin.post('/portals/self/updateUserRole', { user: 'anna', role: 'org_user' })
  expect(await admin.post(`/portals/self/roles/${id}/delete`)).toEqual(success)
  expect(await admin.get(`/portals/self/roles/${id}`)).toEqual(resourceNotFound)
  expect(await admin.post(`/portals/self/roles/${id}/delete`)).toEqual(resourceNotFound)
})

import { describe, expect, test } from 'vitest'
import { RawDatabase } from '../../../support/databases/raw-database.ts'
import { permissionDenied, refused, resourceNotFound, tokenRequired } from '../../../support/portal/envelopes.ts'
import { type Client, startOfTests, startPortal } from '../../../support/portal/portal.ts'

const success = { success: true }

test('a role is made without privileges, and read', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const made = await admin.post('/portals/self/createRole', { name: 'Cataloguer', description: 'Keeps categories' })
  expect(made).toEqual({ success: true, id: expect.stringMatching(/^[A-Za-z0-9]{16}$/) })
  expect(await admin.get(`/portals/self/roles/${made.id}`)).toEqual({
    id: made.id,
    name: 'Cataloguer',
    description: 'Keeps categories',
    created: startOfTests,
    modified: startOfTests,
  })
  expect(await admin.get(`/portals/self/roles/${made.id}/privileges`)).toEqual({ id: made.id, privileges: [] })
})

test('making a role cannot set what is not asked for', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const made = await admin.post('/portals/self/createRole', {
    name: 'Cataloguer',
    id: 'org_admin',
    roleId: 'org_admin',
    privileges: { privileges: ['portal:admin:updateUsers'] },
    portalId: 'x',
  })
  expect(made.id).not.toBe('org_admin')
  expect(await admin.get(`/portals/self/roles/${made.id}/privileges`)).toEqual({ id: made.id, privileges: [] })
})

test.each([
  ['name', 128],
  ['description', 250],
])('%s takes %i characters and not one more, on create and update', async (member, max) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const longest = { name: 'Cataloguer', [member]: '🗺'.repeat(max / 2) }
  const longer = { name: 'Cataloguer', [member]: `${'🗺'.repeat(max / 2)}x` }
  const problem = `${member}: has ${max + 1} characters; at most ${max} are allowed.`
  const { id } = await admin.post('/portals/self/createRole', longest)
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject(longest)
  expect(await admin.post('/portals/self/createRole', longer)).toEqual(refused('create role', problem))
  expect(await admin.post(`/portals/self/roles/${id}/update`, longest)).toEqual(success)
  expect(await admin.post(`/portals/self/roles/${id}/update`, longer)).toEqual(refused('update role', problem))
})

const namesOfBuiltIn = [
  ...['Administrator', ' publisher ', 'USER', '\uff36iewer', 'View\u200ber', 'Administrator\u2800', 'Us\ufff9er'],
  ...['org_admin', 'ORG_USER'],
]

test.each(namesOfBuiltIn)('no custom role is called %j, as a built-in one is', async (name) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const problem = `name: ${name.trim()} is the name of a built-in role.`
  expect(await admin.post('/portals/self/createRole', { name })).toEqual(refused('create role', problem))
  const { id } = await admin.post('/portals/self/createRole', { name: 'Viewer of maps' })
  expect(await admin.post(`/portals/self/roles/${id}/update`, { name })).toEqual(refused('update role', problem))
  expect(await admin.get('/portals/self/roles')).toMatchObject({ total: 1, roles: [{ name: 'Viewer of maps' }] })
})

test('a role that has the name of a built-in one from before keeps it', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const { id } = await admin.post('/portals/self/createRole', { name: 'Keeper' })
  await new RawDatabase(portal).run(`update roles set name = 'Publisher' where role_id = '${id}'`)
  const change = { name: 'Publisher', description: 'Keeps the maps' }
  expect(await admin.post(`/portals/self/roles/${id}/update`, change)).toEqual(success)
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject(change)
})

test.each(['Cataloguer', ' cataloguer ', '\uff23ATALOGUER', 'Catalog\u200buer'])(
  'no second role is called %j, made or renamed so, where one is',
  async (name) => {
    await using portal = await startPortal()
    const admin = await portal.admin()
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

test('roles that have one name from before keep it until they are renamed', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  await admin.createRole('Keeper', [])
  const id = await admin.createRole('Cataloguer', [])
  await new RawDatabase(portal).run(`update roles set name = 'Keeper' where role_id = '${id}'`)
  const update = (change: object) => admin.post(`/portals/self/roles/${id}/update`, { ...change })
  expect(await update({ name: 'Keeper', description: 'Keeps the maps' })).toEqual(success)
  expect(await update({ name: 'Curator' })).toEqual(success)
  expect(await update({ name: 'Keeper' })).toEqual(refused('update role', 'name: Keeper is the name of another role.'))
})

test.each([{}, { name: '' }, { name: ' \t' }])('%j makes no role', async (parameters) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  expect(await admin.post('/portals/self/createRole', parameters)).toEqual(
    refused('create role', 'name: give a value.'),
  )
  expect(await admin.get('/portals/self/roles')).toMatchObject({ total: 0 })
})

test('roles are listed in the order of names, in pages', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  for (const name of ['C', 'A', 'B']) await admin.createRole(name, [])
  const names = ({ roles }: { roles: { name: string }[] }) => roles.map(({ name }) => name)
  const all = await admin.get('/portals/self/roles')
  expect(all).toMatchObject({ total: 3, start: 1, num: 10, nextStart: -1 })
  expect(names(all)).toEqual(['A', 'B', 'C'])
  const first = await admin.get('/portals/self/roles', { num: '2' })
  expect(first).toMatchObject({ total: 3, nextStart: 3 })
  expect(names(await admin.get('/portals/self/roles', { start: '3', num: '2' }))).toEqual(['C'])
})

describe('setPrivileges', () => {
  async function set(admin: Client, privileges: unknown) {
    const id = await admin.createRole('Cataloguer', ['portal:user:joinGroup'])
    const answer = await admin.post(`/portals/self/roles/${id}/setPrivileges`, { privileges })
    const { privileges: held } = await admin.get(`/portals/self/roles/${id}/privileges`)
    return { answer, held }
  }

  test('replaces what the role allows', async () => {
    await using portal = await startPortal()
    const wish = ['portal:admin:updateItemCategorySchema', 'portal:user:createGroup']
    expect(await set(await portal.admin(), { privileges: wish })).toEqual({ answer: success, held: wish })
  })

  test('to nothing takes all away', async () => {
    await using portal = await startPortal()
    expect(await set(await portal.admin(), { privileges: [] })).toEqual({ answer: success, held: [] })
  })

  test('keeps each but once', async () => {
    await using portal = await startPortal()
    const wish = ['portal:user:createGroup', 'portal:user:createGroup']
    expect(await set(await portal.admin(), { privileges: wish })).toEqual({ answer: success, held: [wish[0]] })
  })

  test.each([
    [{ privileges: ['portal:user:createGroup', 'portal:user:fly'] }, '/privileges/1 is not a privilege.'],
    [{ privileges: ['PORTAL:USER:CREATEGROUP'] }, '/privileges/0 is not a privilege.'],
    [{ privileges: ['portal:user:createGroup '] }, '/privileges/0 is not a privilege.'],
    [{ privileges: ['constructor'] }, '/privileges/0 is not a privilege.'],
    [{ privileges: ['__proto__'] }, '/privileges/0 is not a privilege.'],
    [{ privileges: [['portal:user:createGroup']] }, '/privileges/0 is not a privilege.'],
    [{ privileges: [null] }, '/privileges/0 is not a privilege.'],
    [{ privileges: 'portal:user:createGroup' }, 'has no list "privileges".'],
    [['portal:user:createGroup'], 'has no list "privileges".'],
    ['null', 'has no list "privileges".'],
    ['{"privileges":', 'is not JSON.'],
    ['', 'give a value.'],
  ])('refuses %j and changes nothing', async (privileges, problem) => {
    await using portal = await startPortal()
    expect(await set(await portal.admin(), privileges)).toEqual({
      answer: refused('set privileges', `privileges: ${problem}`),
      held: ['portal:user:joinGroup'],
    })
  })

  test('is for default administrators only: a role with every privilege does not change itself', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    const everything = (await admin.get('/community/self')).privileges
    const id = await admin.createRole('Everything', everything)
    const regent = await admin.invite('regent', id)
    const anna = await admin.invite('anna')
    const parameters = { privileges: { privileges: [] } }
    for (const client of [regent, anna]) {
      expect(await client.post(`/portals/self/roles/${id}/setPrivileges`, parameters)).toEqual(permissionDenied)
    }
    expect(await portal.anonymous.post(`/portals/self/roles/${id}/setPrivileges`, parameters)).toEqual(tokenRequired)
    expect(await admin.get(`/portals/self/roles/${id}/privileges`)).toEqual({ id, privileges: everything })
  })
})

test('updating changes what is given, never takes the name away, and clears when asked', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const id = await admin.createRole('Cataloguer', ['portal:user:joinGroup'])
  const update = (change: object) => admin.post(`/portals/self/roles/${id}/update`, { ...change })
  portal.clock.now += 1000
  expect(await update({ description: 'Keeps categories' })).toEqual(success)
  await update({ name: '', description: '' })
  expect(await admin.get(`/portals/self/roles/${id}`)).toEqual({
    id,
    name: 'Cataloguer',
    description: 'Keeps categories',
    created: startOfTests,
    modified: startOfTests + 1000,
  })
  await update({ name: 'Librarian', description: '', clearEmptyFields: 'true' })
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject({ name: 'Librarian', description: '' })
  expect(await admin.get(`/portals/self/roles/${id}/privileges`)).toEqual({ id, privileges: ['portal:user:joinGroup'] })
})

test('deleting is refused while a user holds the role, and done when none does', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
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

test.each(['org_admin', '__proto__', 'constructor', 'AbCdEfGh01234567'])('%s is no custom role', async (id) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const path = `/portals/self/roles/${id}`
  expect(await admin.get(path)).toEqual(resourceNotFound)
  expect(await admin.get(`${path}/privileges`)).toEqual(resourceNotFound)
  for (const verb of ['setPrivileges', 'update', 'delete']) {
    const answer = await admin.post(`${path}/${verb}`, { privileges: { privileges: [] } })
    expect(answer).toEqual(resourceNotFound)
  }
})

test('a role of another organization is not there, by whatever path', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const outsider = await portal.otherOrganization()
  const id = await admin.createRole('Cataloguer', [])
  const { id: portalId } = await admin.get('/portals/self')
  for (const path of [`/portals/self/roles/${id}`, `/portals/${portalId}/roles/${id}`]) {
    expect(await outsider.get(path)).toEqual(resourceNotFound)
    expect(await outsider.get(`${path}/privileges`)).toEqual(resourceNotFound)
    for (const verb of ['setPrivileges', 'update', 'delete']) {
      const answer = await outsider.post(`${path}/${verb}`, { privileges: { privileges: [] }, name: 'Mine' })
      expect(answer).toEqual(resourceNotFound)
    }
  }
  expect(await outsider.get('/portals/self/roles')).toMatchObject({ total: 0, roles: [] })
  expect(await outsider.get(`/portals/${portalId}/roles`)).toEqual(resourceNotFound)
  expect(await admin.get(`/portals/self/roles/${id}`)).toMatchObject({ name: 'Cataloguer' })
})

test('members read roles; making and changing them takes the privilege and all that the role allows', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const anna = await admin.invite('anna')
  const clerkRole = await admin.createRole('Clerk', ['portal:admin:manageRoles'])
  const clerk = await admin.invite('clerk', clerkRole)
  const greater = await admin.createRole('Chief', ['portal:admin:manageRoles', 'portal:admin:deleteUsers'])
  expect(await anna.get('/portals/self/roles')).toMatchObject({ total: 2 })
  expect(await anna.get(`/portals/self/roles/${greater}`)).toMatchObject({ name: 'Chief' })
  expect(await anna.post('/portals/self/createRole', { name: 'Mine' })).toEqual(permissionDenied)
  expect(await anna.post(`/portals/self/roles/${clerkRole}/update`, { name: 'Mine' })).toEqual(permissionDenied)
  expect(await anna.post(`/portals/self/roles/${clerkRole}/delete`)).toEqual(permissionDenied)
  const { id: own } = await clerk.post('/portals/self/createRole', { name: 'Guest' })
  expect(await clerk.post(`/portals/self/roles/${own}/update`, { name: 'Visitor' })).toEqual(success)
  expect(await clerk.post(`/portals/self/roles/${own}/delete`)).toEqual(success)
  expect(await clerk.post(`/portals/self/roles/${greater}/update`, { name: 'Mine' })).toEqual(permissionDenied)
  expect(await clerk.post(`/portals/self/roles/${greater}/delete`)).toEqual(permissionDenied)
  expect(await portal.anonymous.get('/portals/self/roles')).toEqual(tokenRequired)
  expect(await portal.anonymous.get(`/portals/self/roles/${greater}`)).toEqual(tokenRequired)
})

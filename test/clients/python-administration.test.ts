import { expect, test } from '../support/portal/client-test.ts'
import { adminPassword, type Body, formEncode, type Parameters } from '../support/portal/portal.ts'

/** An administrator's day, by the requests of the Python client: everything in the body of a POST, reads too. */
test('an administrator creates, finds, changes, disables, empties and deletes users', async ({ portal }) => {
  const root = portal.url.replace('/sharing/rest', '')
  let token = ''

  async function post(path: string, parameters: Parameters = {}): Promise<Body> {
    const url = path.startsWith('portaladmin') ? `${root}/${path}` : `${portal.url}/${path}`
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Referer: 'http', 'User-Agent': 'Geosaurus/2.0' },
      body: formEncode({ ...parameters, ...(token === '' ? {} : { token }), f: 'json' }),
    })
    expect(response.status).toBe(200)
    return response.json()
  }

  /** The client writes changes of a user as multipart. */
  async function update(username: string, fields: Readonly<Record<string, string>>): Promise<Body> {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...fields, token, f: 'json' })) body.append(name, value)
    const response = await fetch(`${portal.url}/community/users/${username}/update`, { method: 'POST', body })
    return response.json()
  }

  async function signIn(username: string, password: string): Promise<Body> {
    const asked = { username, password, client: 'referer', referer: 'http', expiration: '60' }
    return post('generateToken', asked)
  }

  const signedIn = await signIn('admin', adminPassword)
  token = signedIn.token
  expect(await post('portaladmin')).toMatchObject({ version: expect.any(String) })
  expect(await post('portals/self')).toMatchObject({ isPortal: true, user: { username: 'admin' } })

  // gis.users.create(…), which reads the user afterwards.
  const created = {
    username: 'bruno',
    password: 'a long enough password',
    firstname: 'Bruno',
    lastname: 'Berg',
    email: 'bruno@example.com',
    description: '',
    role: 'iBBBBBBBBBBBBBBB',
    level: '2',
    provider: 'arcgis',
    userLicenseTypeId: 'creatorUT',
  }
  expect(await post('portaladmin/security/users/createUser', created)).toEqual({ status: 'success' })
  const bruno = await post('community/users/bruno')
  expect(bruno).toMatchObject({ username: 'bruno', fullName: 'Bruno Berg', role: 'org_user', email: created.email })
  expect(await post('portaladmin/security/users/createUser', created)).toMatchObject({ error: { code: 400 } })

  // gis.users.get(…): None for this text, and the client looks users up by their id.
  expect(await post('community/users/nobody')).toMatchObject({
    error: { message: 'User does not exist or is inaccessible.' },
  })
  expect(await post(`community/users/${bruno.id}`)).toEqual(bruno)

  // gis.users.search and the list of the organization.
  expect(await post('portals/self/users', { start: '1', num: '100' })).toMatchObject({
    total: 2,
    nextStart: -1,
    users: [{ username: 'admin' }, { username: 'bruno', id: bruno.id }],
  })

  // user.update(…)
  const profile = { description: 'Draws maps', tags: 'maps,seas', culture: 'de-CH', region: 'CH', access: 'org' }
  expect(await update('bruno', profile)).toEqual({ success: true, username: 'bruno' })
  expect(await post('community/users/bruno')).toMatchObject({ ...profile, tags: ['maps', 'seas'] })

  // user.reset(…): by Bruno, who shows the present password.
  const admins = token
  token = (await signIn('bruno', created.password)).token
  expect(await post('community/createGroup', { title: 'Maps', tags: 'maps', access: 'org' })).toMatchObject({
    success: true,
  })
  const passwords = { password: created.password, newPassword: 'another long password' }
  expect(await post('community/users/bruno/reset', passwords)).toEqual({ success: true })
  token = ''
  expect(await signIn('bruno', created.password)).toMatchObject({ error: { code: 400 } })
  expect(await signIn('bruno', passwords.newPassword)).toHaveProperty('token')
  token = admins

  // user.disable(), user.enable(), and the same for several.
  expect(await post('community/users/bruno/disable', { username: 'bruno' })).toMatchObject({ success: true })
  expect(await post('community/users/bruno/enable', { username: 'bruno' })).toMatchObject({ success: true })
  const results = [{ username: 'bruno', status: true }]
  expect(await post('portals/self/disableUsers', { users: 'bruno' })).toEqual({ results })
  expect(await post('community/users/bruno')).toMatchObject({ disabled: true })
  expect(await post('portals/self/enableUsers', { users: 'bruno' })).toEqual({ results })

  // user.update_role(…), in the case in which the client writes it.
  expect(await post('portals/self/updateuserrole', { user: 'bruno', role: 'org_publisher' })).toEqual({ success: true })
  expect(await post('community/users/bruno')).toMatchObject({ role: 'org_publisher' })

  // user.reassign_to(…), user.delete()
  expect(await post('community/users/bruno/delete')).toMatchObject({ error: { code: 400 } })
  expect(await post('community/users/bruno/reassign', { targetUsername: 'admin' })).toEqual({ success: true })
  expect(await post('portals/self/removeusers', { users: 'bruno' })).toEqual({ results })
  expect(await post('community/users/bruno')).toMatchObject({ error: { code: 400 } })
})

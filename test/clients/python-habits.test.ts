import { expect, test } from 'vitest'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword, type Body, formEncode, type Parameters } from '../support/portal/portal.ts'

/** The Python client writes everything into the body of a POST: the format, the token, and reads too. */
async function post(portal: ListeningPortal, path: string, parameters: Parameters): Promise<Body> {
  const response = await fetch(`${portal.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Referer: 'http', 'User-Agent': 'Geosaurus/2.0' },
    body: formEncode({ ...parameters, f: 'json' }),
  })
  expect(response.status).toBe(200)
  return response.json()
}

function signIn(portal: ListeningPortal, password = adminPassword): Promise<Body> {
  return post(portal, '/generateToken', {
    username: 'admin',
    password,
    client: 'referer',
    referer: 'http',
    expiration: 60,
  })
}

test('generateToken with client=referer answers token, expires and ssl', async () => {
  await using portal = await startListeningPortal()
  expect(await signIn(portal)).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    expires: portal.clock.now + 3_600_000,
    ssl: false,
  })
})

test('generateToken with client=requestip and no referer answers a token too', async () => {
  await using portal = await startListeningPortal()
  const answer = await post(portal, '/generateToken', {
    username: 'admin',
    password: adminPassword,
    client: 'requestip',
  })
  expect(answer).toHaveProperty('token')
})

test('generateToken with a wrong password says so in the envelope', async () => {
  await using portal = await startListeningPortal()
  expect(await signIn(portal, 'wrong password')).toEqual({
    error: { code: 400, message: 'Unable to generate token.', details: ['Invalid username or password.'] },
  })
})

test('a wish for a longer token than allowed gets the cap', async () => {
  await using portal = await startListeningPortal({ MAX_TOKEN_EXPIRATION_MINUTES: '120' })
  const { expires } = await post(portal, '/generateToken', {
    username: 'admin',
    password: adminPassword,
    client: 'referer',
    referer: 'http',
    expiration: 9_999,
  })
  expect(expires).toBe(portal.clock.now + 120 * 60_000)
})

test('the organization has what the client looks up when it connects', async () => {
  await using portal = await startListeningPortal()
  const { token } = await signIn(portal)
  const self = await post(portal, '/portals/self', { token })
  expect(self).toMatchObject({
    portalName: 'Ministry of Maps',
    isPortal: true,
    portalMode: 'singletenant',
    currentVersion: expect.any(String),
    supportsOAuth: false,
    allSSL: false,
    helperServices: {},
    user: { username: 'admin', role: 'org_admin', privileges: expect.arrayContaining(['portal:admin:inviteUsers']) },
  })
})

test('the anonymous view has the portalName too', async () => {
  await using portal = await startListeningPortal()
  expect(await post(portal, '/portals/self', {})).toMatchObject({ portalName: 'Ministry of Maps' })
})

test('the root says its version', async () => {
  await using portal = await startListeningPortal()
  for (const slash of ['', '/']) {
    expect(await post(portal, slash, {})).toEqual({ currentVersion: expect.stringMatching(/^\d/) })
  }
})

test('repeated slashes in a path are one', async () => {
  await using portal = await startListeningPortal()
  const { token } = await signIn(portal)
  expect(await post(portal, '//community//self/', { token })).toMatchObject({ username: 'admin' })
})

test('names of parameters are taken in any case', async () => {
  await using portal = await startListeningPortal()
  const answer = await post(portal, '/generateToken', { Username: 'admin', PASSWORD: adminPassword })
  expect(answer).toHaveProperty('token')
})

test('a token in the body reads and writes', async () => {
  await using portal = await startListeningPortal()
  const { token } = await signIn(portal)
  const { group } = await post(portal, '/community/createGroup', { token, title: 'Maps', tags: 'a,b', access: 'org' })
  expect(await post(portal, `/community/groups/${group.id}`, { token })).toMatchObject({ tags: ['a', 'b'] })
})

test('a schema as text in the body is assigned to a group and read', async () => {
  await using portal = await startListeningPortal()
  const { token } = await signIn(portal)
  const { group } = await post(portal, '/community/createGroup', { token, title: 'Maps', tags: '' })
  const path = `/community/groups/${group.id}`
  const schema = { categorySchema: [{ title: 'Région', categories: [{ title: 'Monde' }] }] }
  const assigned = await post(portal, `${path}/assignCategorySchema`, { token, categorySchema: schema })
  expect(assigned).toEqual({ success: true })
  expect(await post(portal, `${path}/categorySchema`, { token })).toEqual(schema)
})

test('a token that was revoked is 498 in the body of an HTTP 200', async () => {
  await using portal = await startListeningPortal()
  const { token } = await signIn(portal)
  expect(await post(portal, '/oauth2/revokeToken', { auth_token: token })).toEqual({ success: true })
  expect(await post(portal, '/community/self', { token })).toMatchObject({ error: { code: 498 } })
})

import { expect, test } from '../support/portal/client-test.ts'
import type { ListeningPortal } from '../support/portal/listening-portal.ts'
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

function signIn(portal: ListeningPortal): Promise<Body> {
  return post(portal, '/generateToken', {
    username: 'admin',
    password: adminPassword,
    client: 'referer',
    referer: 'http',
    expiration: 60,
  })
}

test('generateToken with client=referer answers token, expires and ssl', async ({ portal }) => {
  expect(await signIn(portal)).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    expires: portal.clock.now + 3_600_000,
    ssl: false,
  })
})

test('the organization has what the client looks up when it connects', async ({ portal }) => {
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

import { ArcGISIdentityManager, ArcGISTokenRequestError, request } from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { rejectionOf } from '../support/rejection.ts'

test('the info says where to sign in, with the port that the server listens on', async ({ portal }) => {
  expect(await request(`${portal.url}/info`)).toEqual({
    owningSystemUrl: portal.url.replace('/sharing/rest', ''),
    authInfo: { tokenServicesUrl: `${portal.url}/generateToken`, isTokenBasedSecurity: true },
    cartulary: {
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      extensions: expect.arrayContaining(['moves']),
    },
  })
})

test('the info names the public address, not the one that the server listens on', async () => {
  await using portal = await startListeningPortal({ PUBLIC_URL: 'https://maps.example.com/gis' })
  const address = portal.server.app.listeningOrigin
  expect(await request(`${address}/gis/sharing/rest/info`)).toMatchObject({
    owningSystemUrl: 'https://maps.example.com/gis',
    authInfo: { tokenServicesUrl: 'https://maps.example.com/gis/sharing/rest/generateToken' },
  })
})

test('getToken for an address below the portal is the token of the identity', async ({ portal, identity }) => {
  expect(await identity.getToken(`${portal.url}/community/self`)).toBe(identity.token)
})

test('an identity of one server signs in where its info says', async ({ portal }) => {
  const server = portal.url.replace('/rest', '')
  const identity = new ArcGISIdentityManager({ username: 'admin', password: adminPassword, portal: portal.url, server })
  await identity.refreshCredentials()
  expect(portal.arrivals.map(({ url }) => url)).toEqual(['/sharing/rest/info', '/sharing/rest/generateToken'])
  expect((await ArcGISIdentityManager.fromToken({ token: identity.token, portal: portal.url })).username).toBe('admin')
})

test('an identity of one server whose token has expired finds by the info that it may have a new one', async () => {
  await using portal = await startListeningPortal()
  const server = portal.url.replace('/rest', '')
  const identity = new ArcGISIdentityManager({
    username: 'admin',
    password: adminPassword,
    portal: portal.url,
    server,
    token: 'd'.repeat(43),
    tokenExpires: new Date(0),
  })
  const token = await identity.getToken(server)
  expect((await ArcGISIdentityManager.fromToken({ token, portal: portal.url })).username).toBe('admin')
})

test('an identity keeps its token from a server whose info names another owner', async ({ portal }) => {
  await using other = await startListeningPortal()
  const identity = await portal.identity()
  const error = await rejectionOf(identity.getToken(other.url.replace('/rest', '')), ArcGISTokenRequestError)
  expect(error.code).toBe('NOT_FEDERATED')
  expect(other.arrivals.map(({ url }) => url)).toEqual(['/sharing/rest/info'])
})

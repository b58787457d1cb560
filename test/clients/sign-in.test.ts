import {
  ApiKeyManager,
  ArcGISAuthError,
  ArcGISIdentityManager,
  ArcGISTokenRequestError,
  fetchToken,
  request,
} from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const credentials = { username: 'admin', password: adminPassword }

test('signIn answers an identity with a token', async ({ portal }) => {
  const identity = await ArcGISIdentityManager.signIn({ ...credentials, portal: portal.url })
  expect(identity.token).toMatch(/^[\w-]{43}$/)
  // The client asks for 14 days, which the cap of 15 leaves as they are.
  expect(identity.tokenExpires.getTime()).toBe(portal.clock.now + 20_160 * 60_000)
})

test('signIn with a wrong password fails with the words of generateToken', async ({ portal }) => {
  const error = await rejectionOf(portal.identity('admin', 'wrong password'), ArcGISTokenRequestError)
  expect(error.code).toBe('TOKEN_REFRESH_FAILED')
  expect(error.originalMessage).toBe('400: Unable to generate token.')
  expect(error.response).toEqual({
    error: { code: 400, message: 'Unable to generate token.', details: ['Invalid username or password.'] },
  })
})

test('signIn after too many failures has to wait, the right password too', async () => {
  await using portal = await startListeningPortal({ RATE_LIMIT_SIGN_IN_FAILURES: '1' })
  await rejectionOf(portal.identity('admin', 'wrong password'), ArcGISTokenRequestError)
  const error = await rejectionOf(portal.identity(), ArcGISTokenRequestError)
  expect(error.originalMessage).toBe('HTTP 429 Too Many Requests: Too many requests..')
  portal.clock.now += 15 * 60_000
  expect((await portal.identity()).token).toBeTruthy()
})

test('fetchToken reads the answer of generateToken', async ({ portal }) => {
  const answer = await fetchToken(`${portal.url}/generateToken`, {
    params: { ...credentials, client: 'referer', referer: 'https://app.example.com', expiration: 5 },
  })
  expect(answer).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    username: 'admin',
    expires: new Date(portal.clock.now + 5 * 60_000),
  })
})

test('fromToken takes over a token that another client was given', async ({ portal }) => {
  const { token } = await portal.identity()
  const identity = await ArcGISIdentityManager.fromToken({ token, portal: portal.url })
  expect(identity.username).toBe('admin')
})

test('fromToken refuses a token that no client was given', async ({ portal }) => {
  const error = await rejectionOf(
    ArcGISIdentityManager.fromToken({ token: 'a'.repeat(43), portal: portal.url }),
    ArcGISAuthError,
  )
  expect(error.message).toBe('498: Invalid token.')
})

test('getUser of an identity is the caller, with privileges and groups', async ({ identity }) => {
  const user = await identity.getUser()
  expect(user).toMatchObject({ username: 'admin', role: 'org_admin', groups: [] })
  expect(user.privileges).toContain('portal:admin:updateItemCategorySchema')
})

test('getUsername of an identity that has only a token asks the server', async ({ portal }) => {
  await portal.user('anna')
  const { token } = await portal.identity('anna')
  expect(await new ArcGISIdentityManager({ token, portal: portal.url }).getUsername()).toBe('anna')
})

test('getPortal of an identity is its organization', async ({ identity }) => {
  expect(await identity.getPortal()).toMatchObject({
    name: 'Ministry of Maps',
    isPortal: true,
    user: { username: 'admin' },
  })
})

test('an identity that was serialized and read back still calls', async ({ identity }) => {
  const readBack = ArcGISIdentityManager.deserialize(identity.serialize())
  expect(readBack.token).toBe(identity.token)
  expect(readBack.tokenExpires).toEqual(identity.tokenExpires)
  expect((await readBack.getUser()).username).toBe('admin')
})

test('a credential goes to the JavaScript client and comes back', async ({ portal }) => {
  const credential = (await portal.identity()).toCredential()
  const serverInfo = { hasPortal: true, hasServer: false, server: credential.server }
  const identity = ArcGISIdentityManager.fromCredential(credential, serverInfo)
  expect(identity.portal).toBe(portal.url)
  expect((await identity.getUser()).username).toBe('admin')
})

test('a key manager sends a token as its key', async ({ portal }) => {
  const { token } = await portal.identity()
  const authentication = ApiKeyManager.fromKey(token)
  expect(await request(`${portal.url}/community/self`, { authentication })).toMatchObject({ username: 'admin' })
})

test('signOut ends the token on the server', async ({ portal, identity }) => {
  const { token } = identity
  expect(await identity.signOut()).toEqual({ success: true })
  const error = await rejectionOf(ArcGISIdentityManager.fromToken({ token, portal: portal.url }), ArcGISAuthError)
  expect(error.code).toBe(498)
})

test('destroy ends the token of one identity and leaves the others of the user', async ({ portal }) => {
  const [other, identity] = [await portal.identity(), await portal.identity()]
  expect(await ArcGISIdentityManager.destroy(identity)).toEqual({ success: true })
  await rejectionOf(ArcGISIdentityManager.fromToken({ token: identity.token, portal: portal.url }), ArcGISAuthError)
  expect((await ArcGISIdentityManager.fromToken({ token: other.token, portal: portal.url })).username).toBe('admin')
})

import { getGroup, getSelf } from '@esri/arcgis-rest-portal'
import {
  ArcGISAuthError,
  ArcGISIdentityManager,
  ArcGISTokenRequestError,
  request,
  revokeToken,
} from '@esri/arcgis-rest-request'
import { expect, test } from '../support/portal/client-test.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { rejectionOf } from '../support/rejection.ts'

const hour = 3_600_000

function signIns(portal: ListeningPortal): number {
  return portal.arrivals.filter(({ url }) => url.endsWith('/generateToken')).length
}

test('a request with a revoked token recovers: the client signs in again and succeeds', async () => {
  await using portal = await startListeningPortal()
  const identity = await portal.identity()
  const { token } = identity
  await revokeToken({ token, portal: portal.url, clientId: '' })
  expect(identity.token).toBe(token)
  expect(await getSelf({ authentication: identity })).toMatchObject({ user: { username: 'admin' } })
  expect(identity.token).not.toBe(token)
  expect(signIns(portal)).toBe(2)
})

test('a write with a revoked token recovers and happens once', async ({ portal, identity }) => {
  await revokeToken({ token: identity.token, portal: portal.url, clientId: '' })
  const answer = await request(`${portal.url}/community/createGroup`, {
    authentication: identity,
    params: { title: 'Water' },
  })
  expect(answer).toMatchObject({ success: true, group: { title: 'Water' } })
  expect(await request(`${portal.url}/community/groups`, { authentication: identity })).toMatchObject({ total: 1 })
})

test('a request with a token that the server let expire recovers', async () => {
  await using portal = await startListeningPortal({ MAX_TOKEN_EXPIRATION_MINUTES: '120' })
  const identity = await portal.identity()
  portal.clock.now += 3 * hour
  expect(await getSelf({ authentication: identity })).toMatchObject({ user: { username: 'admin' } })
  expect(signIns(portal)).toBe(2)
})

test('a token that the client knows to be expired is not sent', async ({ portal, identity }) => {
  identity.updateToken('b'.repeat(43), new Date(0))
  expect(await getSelf({ authentication: identity })).toMatchObject({ user: { username: 'admin' } })
  expect(portal.arrivals.filter(({ url }) => url.includes('b'.repeat(43)))).toEqual([])
})

test('an identity without a password does not recover: 498', async ({ portal }) => {
  const { token } = await portal.identity()
  const identity = await ArcGISIdentityManager.fromToken({ token, portal: portal.url })
  await revokeToken({ token, portal: portal.url, clientId: '' })
  const error = await rejectionOf(getSelf({ authentication: identity }), ArcGISAuthError)
  expect(error.name).toBe('ArcGISAuthError')
  expect(error.code).toBe(498)
  expect(error.originalMessage).toBe('Invalid token.')
  expect(error.response).toEqual({ error: { code: 498, message: 'Invalid token.', details: [] } })
})

test('retry of the error asks again with another identity', async ({ portal }) => {
  const self = request(`${portal.url}/community/self`, { authentication: 'c'.repeat(43), suppressWarnings: true })
  const error = await rejectionOf(self, ArcGISAuthError)
  expect(await error.retry(() => portal.identity())).toMatchObject({ username: 'admin' })
})

test('a disabled user is signed out and cannot recover', async ({ portal }) => {
  const anna = await portal.newIdentity('anna')
  const admin = await portal.identity()
  await request(`${portal.url}/community/users/anna/disable`, { authentication: admin })
  await rejectionOf(getSelf({ authentication: anna }), ArcGISTokenRequestError)
  await request(`${portal.url}/community/users/anna/enable`, { authentication: admin })
  expect(await getSelf({ authentication: anna })).toMatchObject({ user: { username: 'anna' } })
})

test('a request without a token where one is needed is an ArcGISAuthError of 499', async ({ portal }) => {
  const group = await (await portal.admin()).createGroup('Maps')
  const error = await rejectionOf(getGroup(group.id, { portal: portal.url }), ArcGISAuthError)
  expect(error.code).toBe('GWM_0003')
  expect(error.originalMessage).toBe('Token Required')
  expect(error.response).toEqual({
    error: { code: 499, messageCode: 'GWM_0003', message: 'Token Required', details: ['Token Required'] },
  })
})

import { expect, test } from 'vitest'
import { methodNotAllowed, tokenInvalid, tokenRequired } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'

const success = { success: true }

test.each(['/oauth2/revokeToken', '/oauth2/revokeToken/'])('POST %s ends the token', async (path) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  expect(await portal.anonymous.post(path, { auth_token: admin.token })).toEqual(success)
  expect(await admin.get('/community/self')).toEqual(tokenInvalid)
})

test('token is taken where auth_token is absent', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  expect(await portal.anonymous.post('/oauth2/revokeToken/', { token: admin.token })).toEqual(success)
  expect(await admin.get('/community/self')).toEqual(tokenInvalid)
})

test('auth_token goes before token', async () => {
  await using portal = await startPortal()
  const [ended, kept] = [await portal.admin(), await portal.admin()]
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: ended.token, token: kept.token })
  expect(await ended.get('/community/self')).toEqual(tokenInvalid)
  expect(await kept.get('/community/self')).toMatchObject({ username: 'admin' })
})

test('fields of real clients beside it are ignored', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const answer = await portal.anonymous.post('/oauth2/revokeToken/', {
    client_id: 'app',
    auth_token: admin.token,
    token_type_hint: 'access_token',
  })
  expect(answer).toEqual(success)
})

test('other tokens of the user go on', async () => {
  await using portal = await startPortal()
  const [ended, kept] = [await portal.admin(), await portal.admin()]
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: ended.token })
  expect(await kept.get('/community/self')).toMatchObject({ username: 'admin' })
})

test.each(['unknown', 'constructor', 'A'.repeat(43)])(
  'a token that is not there, %s, is signed out already',
  async (token) => {
    await using portal = await startPortal()
    expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: token })).toEqual(success)
  },
)

test('signing out twice is success twice', async () => {
  await using portal = await startPortal()
  const { token } = await portal.admin()
  expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: token })).toEqual(success)
  expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: token })).toEqual(success)
})

test('without any token there is nothing to sign out', async () => {
  await using portal = await startPortal()
  expect(await portal.anonymous.post('/oauth2/revokeToken')).toEqual(tokenRequired)
  expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: '' })).toEqual(tokenRequired)
})

test('GET is 405 and ends nothing', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  expect(await portal.anonymous.get('/oauth2/revokeToken', { auth_token: admin.token })).toEqual(methodNotAllowed)
  expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
})

import { tokenInvalid, tokenRequired } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const success = { success: true }

test.each(['/oauth2/revokeToken', '/oauth2/revokeToken/'])('POST %s ends the token', async (path) => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  // As clients send it; and once more.
  const given = { client_id: 'app', auth_token: admin.token, token_type_hint: 'access_token' }
  for (let time = 1; time <= 2; time += 1) expect(await portal.anonymous.post(path, given)).toEqual(success)
  expect(await admin.get('/community/self')).toEqual(tokenInvalid)
})

test('token is taken where auth_token is absent', async ({ portal, admin }) => {
  expect(await portal.anonymous.post('/oauth2/revokeToken/', { token: admin.token })).toEqual(success)
  expect(await admin.get('/community/self')).toEqual(tokenInvalid)
})

test('auth_token goes before token', async ({ portal }) => {
  const [ended, kept] = [await portal.admin(), await portal.admin()]
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: ended.token, token: kept.token })
  expect(await ended.get('/community/self')).toEqual(tokenInvalid)
  expect(await kept.get('/community/self')).toMatchObject({ username: 'admin' })
})

test.for(['unknown', 'constructor', 'A'.repeat(43)])(
  'a token that is not there, %s, is signed out already',
  async (token, { portal }) => {
    expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: token })).toEqual(success)
  },
)

test('without any token there is nothing to sign out', async ({ portal }) => {
  expect(await portal.anonymous.post('/oauth2/revokeToken')).toEqual(tokenRequired)
  expect(await portal.anonymous.post('/oauth2/revokeToken', { auth_token: '' })).toEqual(tokenRequired)
})

import { permissionDenied, refused, tokenInvalid, tooManyRequests } from '../../../support/portal/envelopes.ts'
import { changeTemporary } from '../../../support/portal/oauth.ts'
import { adminPassword, type Client } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const newPassword = 'another long password'
const wrong = refused('reset the password', 'password: is not the present password.')

function reset(client: Client, username: string, parameters: Readonly<Record<string, string>>) {
  return client.post(`/community/users/${username}/reset`, parameters)
}

test('a user resets the password with the present one, and every session ends', async ({ portal, anna }) => {
  expect(await reset(anna, 'anna', { password: 'wrong password', newPassword })).toEqual(wrong)
  expect(await reset(anna, 'anna', { newPassword })).toEqual(wrong)
  expect(await reset(anna, 'anna', { password: adminPassword, newPassword })).toEqual({ success: true })
  expect(await anna.get('/community/self')).toEqual(tokenInvalid)
  expect((await portal.signIn('anna', newPassword)).token).toBeDefined()
})

test('an administrator resets the password of another user without it, no one else does', async ({ portal, admin }) => {
  await admin.invite('anna')
  const bruno = await admin.invite('bruno')
  expect(await reset(bruno, 'anna', { password: adminPassword, newPassword })).toEqual(permissionDenied)
  expect(await reset(admin, 'anna', { newPassword })).toEqual({ success: true })
  expect((await changeTemporary(portal, 'anna', newPassword)).token).toBeDefined()
})

test('wrong passwords are counted together, whether the path has the name or the id', async ({ anna }) => {
  const { id } = await anna.get('/community/self')
  const wrongly = { password: 'wrong password', newPassword }
  for (let time = 0; time < 5; time += 1) {
    expect(await reset(anna, 'anna', wrongly)).toEqual(wrong)
    expect(await reset(anna, id, wrongly)).toEqual(wrong)
  }
  expect(await reset(anna, id, wrongly)).toEqual(tooManyRequests)
  expect(await reset(anna, 'anna', wrongly)).toEqual(tooManyRequests)
})

import { refused, signInFailed, tokenInvalid, tooManyRequests } from '../../../support/portal/envelopes.ts'
import { changeTemporary } from '../../../support/portal/oauth.ts'
import { adminPassword, type Client, startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const newPassword = 'another long password'
const wrongOld = refused('change password', 'oldPassword: is not the present password.')

function change(client: Client, username: string, parameters: Readonly<Record<string, string>>) {
  return client.post(`/community/users/${username}/changePassword`, parameters)
}

test('the user changes the password; every token ends and only the new password counts', async ({ portal, anna }) => {
  const elsewhere = await portal.signIn('anna', adminPassword)
  expect(await change(anna, 'anna', { oldPassword: adminPassword, newPassword })).toEqual({ success: true })
  expect(await anna.get('/community/self')).toEqual(tokenInvalid)
  expect(await elsewhere.get('/community/self')).toEqual(tokenInvalid)
  expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
    signInFailed,
  )
  expect((await portal.signIn('anna', newPassword)).token).toBeDefined()
})

test.for([
  ['wrong', { oldPassword: 'wrong password', newPassword }],
  ['empty', { oldPassword: '', newPassword }],
  ['absent', { newPassword }],
] as const)('an old password that is %s is refused, and nothing ends', async ([_name, parameters], { anna }) => {
  expect(await change(anna, 'anna', parameters)).toEqual(wrongOld)
  expect(await anna.get('/community/self')).toMatchObject({ username: 'anna' })
})

test('an administrator needs the old password for their own and not for others', async ({ portal, admin, anna }) => {
  expect(await change(admin, 'admin', { newPassword })).toEqual(wrongOld)
  expect(await change(admin, 'Anna', { newPassword })).toEqual({ success: true })
  expect(await anna.get('/community/self')).toEqual(tokenInvalid)
  expect((await changeTemporary(portal, 'anna', newPassword)).token).toBeDefined()
  expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
})

test('a new password that breaks a rule is refused', async ({ anna }) => {
  expect(await change(anna, 'anna', { oldPassword: adminPassword, newPassword: '1234567' })).toEqual(
    refused('change password', 'newPassword: The password has 7 characters; 8 to 128 are allowed.'),
  )
})

test.for([`${'🗺'.repeat(63)}🧭`, ' spaces  count ', 'tab\tand\u0007bell'])(
  'a new password %j is taken to the letter',
  async (password, { portal, anna }) => {
    expect(await change(anna, 'anna', { oldPassword: adminPassword, newPassword: password })).toEqual({ success: true })
    expect((await portal.signIn('anna', password)).token).toBeDefined()
    expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: `${password} ` })).toEqual(
      signInFailed,
    )
  },
)

test('ten wrong old passwords shut the door for sign-in as well, until the time has passed', async () => {
  await using portal = await startPortal()
  const anna = await portal.user('anna')
  for (let time = 0; time < 10; time += 1) {
    expect(await change(anna, 'anna', { oldPassword: `guess ${time}`, newPassword })).toEqual(wrongOld)
  }
  const right = { oldPassword: adminPassword, newPassword }
  expect(await change(anna, 'anna', right)).toEqual(tooManyRequests)
  expect(await portal.anonymous.post('/generateToken', { username: 'anna', password: adminPassword })).toEqual(
    tooManyRequests,
  )
  portal.clock.now += 15 * 60_000
  expect(await change(anna, 'anna', right)).toEqual({ success: true })
})

test('a password that an administrator sets does not count against the user', async ({ portal, admin }) => {
  await admin.invite('anna')
  for (let time = 0; time < 12; time += 1) await change(admin, 'anna', { oldPassword: 'ignored', newPassword })
  expect((await changeTemporary(portal, 'anna', newPassword)).token).toBeDefined()
})

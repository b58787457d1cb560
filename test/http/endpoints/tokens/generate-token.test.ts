import { describe, expect, vi } from 'vitest'
import { refused, signInFailed } from '../../../support/portal/envelopes.ts'
import { adminPassword, startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { test } from '../../../support/portal/test.ts'

const credentials = { username: 'admin', password: adminPassword }
const minute = 60_000

describe('expiration', () => {
  test.for([
    ['absent', undefined, 60],
    ['the shortest', '1', 1],
    ['the cap', '21600', 21_600],
    ['one above the cap', '21601', 21_600],
  ] as const)('%s gives a token that long', async ([_name, expiration, minutes], { portal }) => {
    const parameters = expiration === undefined ? credentials : { ...credentials, expiration }
    const { expires } = await portal.anonymous.post('/generateToken', parameters)
    expect(expires).toBe(startOfTests + minutes * minute)
  })

  test('a setting lowers the cap; and ssl is false where the public root is http', async () => {
    const environment = { MAX_TOKEN_EXPIRATION_MINUTES: '30', PUBLIC_URL: 'http://maps.example.com/portal' }
    await using portal = await startPortal({ environment })
    const { expires: usual, ssl } = await portal.anonymous.post('/generateToken', credentials)
    const { expires: wished } = await portal.anonymous.post('/generateToken', { ...credentials, expiration: '31' })
    expect([usual, wished]).toEqual([startOfTests + 30 * minute, startOfTests + 30 * minute])
    expect(ssl).toBe(false)
  })
})

test.for([
  ['username', 'Credentials belong in the body of the request, not in its URL.'],
  ['USERNAME', 'Credentials belong in the body of the request, not in its URL.'],
  ['password', 'password: not in the address of a request.'],
  ['PassWord', 'password: not in the address of a request.'],
] as const)('%s in the query is refused', async ([name, detail], { portal }) => {
  const answer = await portal.anonymous.post(`/generateToken?${name}=admin`, credentials)
  expect(answer).toEqual(refused('generate token', detail))
})

test('parameters that are no credentials may stand in the query', async ({ portal }) => {
  const answer = await portal.anonymous.post('/generateToken?f=json&expiration=5', credentials)
  expect(answer.expires).toBe(startOfTests + 5 * minute)
})

test.for<Readonly<Record<string, string>>>([
  { request: 'getToken' },
  { client: 'referer', referer: 'https://maps.example.com' },
  { client: 'ip', ip: '10.0.0.1' },
  { client: 'RequestIP' },
  { client: '' },
])('%j beside the credentials changes nothing', async (extra, { portal }) => {
  const { token } = await portal.anonymous.post('/generateToken', { ...credentials, ...extra })
  expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ username: 'admin' })
})

test('a token is not bound to the referer that it was made for', async ({ portal }) => {
  const wish = { ...credentials, client: 'referer', referer: 'https://one.example.com' }
  const { token } = await portal.anonymous.post('/generateToken', wish)
  const response = await portal.inject({
    url: `/community/self?token=${token}`,
    headers: { referer: 'https://two.example.com' },
  })
  expect(response.json()).toMatchObject({ username: 'admin' })
})

describe('a sign-in that fails', () => {
  test.for([
    ['a wrong password', 'admin', 'wrong password'],
    ['no password', 'admin', ''],
    ['the password in another case', 'admin', adminPassword.toUpperCase()],
    ['a password of a megabyte but for some', 'admin', 'x'.repeat(900_000)],
    ['an unknown user', 'nobody', adminPassword],
    ['no user', '', adminPassword],
    ['a user with a space behind it', 'admin ', adminPassword],
    ['a look-alike of Cyrillic letters', 'аdmin', adminPassword],
    ['a name of the prototype', '__proto__', adminPassword],
    ['a pattern', '%', adminPassword],
    ['a piece of SQL', "admin' --", adminPassword],
  ] as const)('with %s says only that', async ([_name, username, password], { portal }) => {
    expect(await portal.anonymous.post('/generateToken', { username, password })).toEqual(signInFailed)
  })

  test.for(['username', 'password'])('for want of any %s says the same', async (missing, { portal }) => {
    const { [missing as 'username']: _left, ...rest } = credentials
    expect(await portal.anonymous.post('/generateToken', rest)).toEqual(signInFailed)
  })

  test('compares the password with a hash for every username', async ({ portal, admin }) => {
    await admin.invite('anna')
    await admin.post('/community/users/anna/disable')
    const verify = vi.spyOn(portal.server.dependencies.passwords, 'verify')
    for (const username of ['admin', 'nobody', 'anna']) {
      await portal.anonymous.post('/generateToken', { username, password: 'wrong password' })
    }
    const turn = expect.anything()
    expect(verify.mock.calls).toEqual([
      ['wrong password', expect.stringMatching(/^\$argon2id\$/), turn],
      ['wrong password', undefined, turn],
      ['wrong password', expect.stringMatching(/^\$argon2id\$/), turn],
    ])
  })
})

test('usernames are one whatever their case; the answer and the profile keep the given one', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  for (const username of ['Anna.Atlas@maps', 'kate']) await admin.invite(username)
  // The Kelvin sign is no k.
  const kelvin = { username: '\u212aate', password: adminPassword }
  expect(await portal.anonymous.post('/generateToken', kelvin)).toEqual(signInFailed)
  const { token } = await portal.anonymous.post('/generateToken', {
    username: 'aNNA.aTLAS@MAPS',
    password: adminPassword,
  })
  expect(await portal.anonymous.get('/community/self', { token })).toMatchObject({ username: 'Anna.Atlas@maps' })
})

test('the last sign-in is shown', async ({ portal, admin }) => {
  portal.clock.now += 5000
  await portal.admin()
  expect(await admin.get('/community/self')).toMatchObject({ lastLogin: startOfTests + 5000 })
})

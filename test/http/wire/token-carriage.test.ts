import { createHash } from 'node:crypto'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { tokenInvalid, tokenRequired, withReasons } from '../../support/portal/envelopes.ts'
import { adminPassword, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function self(portal: TestPortal, headers: Readonly<Record<string, string>>, query = '') {
  return (await portal.inject({ url: `/community/self${query}`, headers })).json()
}

async function tokenOf(portal: TestPortal): Promise<string> {
  return (await portal.admin()).token!
}

describe('a token counts', () => {
  test.for([
    ['a scheme in lower case', 'authorization', 'bearer'],
    ['more spaces than one', 'x-esri-authorization', 'Bearer  '],
  ] as const)('in %s', async ([_name, header, scheme], { portal }) => {
    const token = await tokenOf(portal)
    expect(await self(portal, { [header]: `${scheme} ${token}` })).toMatchObject({ username: 'admin' })
  })

  test('in the query, whatever the case of its name', async ({ portal }) => {
    expect(await self(portal, {}, `?TOKEN=${await tokenOf(portal)}`)).toMatchObject({ username: 'admin' })
  })

  test('beside an empty one', async ({ portal }) => {
    const headers = { 'x-esri-authorization': `Bearer ${await tokenOf(portal)}` }
    expect(await self(portal, headers, '?token=')).toMatchObject({ username: 'admin' })
  })
})

describe('a token does not count', () => {
  test('with another scheme', async ({ portal }) => {
    expect(await self(portal, { authorization: `Basic ${await tokenOf(portal)}` })).toEqual(
      withReasons(tokenRequired.error),
    )
  })

  test.each(['', 'x', 'A'.repeat(43), '__proto__', 'constructor', '%', 'null'])('if it is %j', async (token) => {
    await using portal = await startPortal()
    const answer = await self(portal, {}, `?token=${encodeURIComponent(token)}`)
    expect(answer).toEqual(token === '' ? tokenRequired : tokenInvalid)
  })

  test('if it is not UTF-8, alone, in the body, or beside one that counts', async ({ portal }) => {
    const headers = { authorization: `Bearer ${await tokenOf(portal)}` }
    expect(await self(portal, {}, '?token=%FF')).toEqual(tokenInvalid)
    expect(await self(portal, headers, '?token=%FF')).toEqual(tokenInvalid)
    const posted = { method: 'POST', url: '/community/self', payload: 'token=%FF' } as const
    expect((await portal.inject({ ...posted, headers: { ...form, ...headers } })).json()).toEqual(tokenInvalid)
    expect((await portal.inject({ ...posted, headers: form })).json()).toEqual(tokenInvalid)
  })

  test('in a header that is too long to be read', async ({ portal }) => {
    const token = `Bearer ${await tokenOf(portal)}`
    const padded = (length: number) => ({ 'x-esri-authorization': token.padEnd(length, ',') })
    expect(await self(portal, padded(1024))).toMatchObject({ username: 'admin' })
    expect(await self(portal, padded(1025))).toEqual(tokenInvalid)
  })

  test('in another case', async ({ portal }) => {
    const token = await tokenOf(portal)
    expect(await self(portal, {}, `?token=${token.toLowerCase()}`)).toEqual(tokenInvalid)
  })

  test('as the hash that the database has', async ({ portal }) => {
    const hash = createHash('sha256')
      .update(await tokenOf(portal))
      .digest('hex')
    expect(await self(portal, {}, `?token=${hash}`)).toEqual(tokenInvalid)
  })
})

test('two different tokens in one header are 498', async ({ portal }) => {
  const [one, two] = [await tokenOf(portal), await tokenOf(portal)]
  const reasons = ['Different tokens are given; give one.']
  expect(await self(portal, { 'x-esri-authorization': `Bearer ${one}, Bearer ${two}` })).toEqual({
    error: { ...tokenInvalid.error, reasons },
  })
})

test('a wrong token is 498 even where anonymous callers are answered', async ({ portal }) => {
  expect(await portal.anonymous.get('/portals/self')).toHaveProperty('name')
  expect(await portal.anonymous.get('/portals/self', { token: 'x' })).toEqual(tokenInvalid)
  expect(await portal.anonymous.get('/community/groups', { token: 'x' })).toEqual(tokenInvalid)
})

test('a wrong token does not keep a user from signing in, or from where no token counts', async ({ portal }) => {
  const answer = await portal.anonymous.post('/generateToken', {
    username: 'admin',
    password: adminPassword,
    token: 'expired long ago',
  })
  expect(answer).toHaveProperty('token')
  expect(await portal.anonymous.get('/info', { token: 'x' })).toHaveProperty('authInfo')
})

test('a token ends to the millisecond', async ({ portal, admin }) => {
  portal.clock.now += 60 * 60_000 - 1
  expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
  portal.clock.now += 1
  expect(await admin.get('/community/self')).toEqual(tokenInvalid)
})

test('tokens are 256 bits in 43 characters, and no two are alike', async ({ portal }) => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(portal)))
  expect(new Set(tokens).size).toBe(20)
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  }
})

test('the database has hashes of tokens and passwords, and neither of them itself', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  const token = await tokenOf(portal)
  await portal.anonymous.post('/generateToken', { username: 'admin', password: 'a wrong guess to be forgotten' })
  const hash = createHash('sha256').update(token).digest('hex')
  expect(await database.rows('SELECT token_hash FROM tokens')).toEqual([{ token_hash: hash }])
  expect(await database.rows('SELECT password_hash FROM users')).toEqual([
    { password_hash: expect.stringMatching(/^\$argon2id\$v=19\$/) },
  ])
  const bytes = await database.bytes()
  expect(bytes.includes(hash)).toBe(true)
  for (const secret of [token, adminPassword, 'a wrong guess to be forgotten'])
    expect(bytes.includes(secret)).toBe(false)
})

test('tokens that have ended are swept out at the next sign-in', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  await portal.admin()
  await portal.admin()
  portal.clock.now += 60 * 60_000
  await portal.admin()
  expect(await database.rows('SELECT count(*) AS tokens FROM tokens')).toEqual([{ tokens: 1 }])
})

test('failed sign-ins are swept out when they no longer count', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  await portal.anonymous.post('/generateToken', { username: 'nobody', password: 'x' })
  portal.clock.now += 15 * 60_000
  await portal.admin()
  expect(await database.rows('SELECT * FROM sign_in_failures')).toEqual([])
})

import { tooManyRequests } from '../../support/portal/envelopes.ts'
import { changeTemporary } from '../../support/portal/oauth.ts'
import { adminPassword, cheapPasswords, startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { type Attempt, failTimes, outcomeOf, signIn } from '../../support/portal/sign-in.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const elsewhere = { address: '198.51.100.1' }

/** Wrong passwords, each from another address. */
async function failFromAnywhere(portal: TestPortal, times: number, attempt: Attempt = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) await signIn(portal, { ...attempt, address: `203.0.113.${time}` })
}

/** Wrong passwords for names that do not exist. */
async function failForAnyone(portal: TestPortal, times: number, attempt: Attempt = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) await signIn(portal, { ...attempt, username: `name${time}` })
}

describe('for one account from all addresses', () => {
  test('after fifty failures, an address that is not known has one attempt in ten seconds', async ({ portal }) => {
    await failFromAnywhere(portal, 50)
    expect(await signIn(portal, elsewhere)).toEqual({ status: 429, retryAfter: '10', body: tooManyRequests })
    portal.clock.now += 10_000
    expect((await signIn(portal, elsewhere)).body.error.code).toBe(400)
    expect(await outcomeOf(portal, elsewhere)).toBe(429)
    portal.clock.now += 10_000
    expect(await outcomeOf(portal, elsewhere)).toBe('signed in')
  })

  test('an address from which the owner signed in within 30 days is not delayed', async ({ portal }) => {
    expect(await outcomeOf(portal, elsewhere)).toBe('signed in')
    portal.clock.now += 30 * 24 * 3_600_000 - 1
    await failFromAnywhere(portal, 50)
    expect(await outcomeOf(portal, { address: '198.51.100.2' })).toBe(429)
    expect(await outcomeOf(portal, elsewhere)).toBe('signed in')
    expect(await outcomeOf(portal, { address: '198.51.100.2' })).toBe(429)
    portal.clock.now += 30 * 24 * 3_600_000
    await failFromAnywhere(portal, 50)
    expect(await outcomeOf(portal, elsewhere)).toBe(429)
  })

  test('of concurrent attempts, one gets through', async ({ portal }) => {
    await failFromAnywhere(portal, 50)
    portal.clock.now += 10_000
    const guesses = Array.from({ length: 20 }, (_, number) => signIn(portal, { address: `198.51.100.${number}` }))
    const codes = (await Promise.all(guesses)).map(({ body }) => body.error.code)
    expect(codes.filter((code) => code === 400)).toHaveLength(1)
    expect(codes.filter((code) => code === 429)).toHaveLength(19)
  })

  test('an account that does not exist is delayed alike', async ({ portal }) => {
    await failFromAnywhere(portal, 50, { username: 'nobody' })
    expect(await signIn(portal, { ...elsewhere, username: 'nobody' })).toMatchObject({ status: 429, retryAfter: '10' })
  })
})

describe('for one address', () => {
  test('a hundred failures for all accounts shut it, but not to accounts to which it has signed in', async () => {
    await using portal = await startPortal()
    await portal.user('anna')
    expect(await outcomeOf(portal, { address: '192.0.2.1' })).toBe('signed in')
    await failForAnyone(portal, 100)
    expect(await signIn(portal, { username: 'another' })).toEqual({
      status: 429,
      retryAfter: '900',
      body: tooManyRequests,
    })
    expect(await outcomeOf(portal, { username: 'anna' })).toBe(429)
    expect(await outcomeOf(portal)).toBe('signed in')
    expect(await outcomeOf(portal, { username: 'anna', address: '192.0.2.2' })).toBe('signed in')
  })

  test('the addresses of one IPv6 network are one, IPv4 within IPv6 is IPv4', async ({ portal }) => {
    for (let time = 0; time < 10; time += 1) await signIn(portal, { address: `2001:db8:1:2::${time}` })
    expect(await outcomeOf(portal, { address: '2001:db8:1:2:ffff::1' })).toBe(429)
    expect(await outcomeOf(portal, { address: '2001:db8:1:3::1' })).toBe('signed in')
    await failTimes(portal, 10, { address: '::ffff:192.0.2.1' })
    expect(await outcomeOf(portal, { address: '192.0.2.1' })).toBe(429)
    expect(await outcomeOf(portal, { address: '::ffff:192.0.2.2' })).toBe('signed in')
  })
})

describe('pages of other origins', () => {
  const ofPage = { headers: { origin: 'https://hostile.example', 'sec-fetch-site': 'cross-site' } }

  test('lock out neither the user at the same address, nor other origins', async ({ portal }) => {
    await failTimes(portal, 5, ofPage)
    // Each of three servers counts what it refuses.
    for (let server = 0; server < 3; server += 1) {
      expect(await signIn(portal, { ...ofPage, password: adminPassword })).toEqual({
        status: 429,
        retryAfter: '900',
        body: tooManyRequests,
      })
    }
    expect(await outcomeOf(portal)).toBe('signed in')
    expect(await outcomeOf(portal, { headers: { origin: 'https://maps.example.com' } })).toBe('signed in')
    expect(await outcomeOf(portal, { headers: { origin: 'https://apps.example' } })).toBe('signed in')
    expect(await outcomeOf(portal, { ...ofPage, ...elsewhere })).toBe('signed in')
    expect(portal.server.dependencies.limitCounts.of('crossSiteSignInFailures')).toBeGreaterThan(0)
  })

  test('are like others if ALLOWED_ORIGINS lists them', async () => {
    await using portal = await startPortal({ environment: { ALLOWED_ORIGINS: 'https://apps.example' } })
    const ofApp = { headers: { origin: 'https://apps.example', 'sec-fetch-site': 'cross-site' } }
    await failTimes(portal, 9, ofApp)
    expect(await outcomeOf(portal, ofApp)).toBe('signed in')
  })
})

test('a new password by an administrator ends the limits on the account, a new one by the user does not', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  await portal.user('anna')
  const newPassword = 'another long password'
  await failTimes(portal, 10, { username: 'anna' })
  await failTimes(portal, 10, { username: 'admin' })
  const ofAnna = { username: 'anna', password: newPassword }
  expect(await admin.post('/community/users/Anna/changePassword', { newPassword })).toEqual({ success: true })
  // Not 429: the password that was given has to be changed.
  expect(await outcomeOf(portal, ofAnna)).toBe(400)
  expect((await changeTemporary(portal, 'anna', newPassword)).token).toBeDefined()
  expect(await outcomeOf(portal)).toBe(429)
  await failTimes(portal, 10, ofAnna)
  const own = { oldPassword: adminPassword, newPassword }
  expect(await admin.post('/community/users/admin/changePassword', own)).toEqual({ success: true })
  expect(await outcomeOf(portal, { password: newPassword })).toBe(429)
})

test('passwords are verified round-robin by address', async () => {
  const turns: string[] = []
  const passwords: typeof cheapPasswords = {
    ...cheapPasswords,
    verify(password, hash, turn) {
      turns.push(`${turn.address}${turn.isKnownAddress ? ' is known' : ''}`)
      return cheapPasswords.verify(password, hash, turn)
    },
  }
  await using portal = await startPortal({ passwords })
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', '2001:db8::2'])
    await signIn(portal, { address })
  await outcomeOf(portal)
  await signIn(portal)
  expect(turns).toEqual([
    '192.0.2.1',
    '192.0.2.1',
    '2001:db8:0:0::/64',
    '2001:db8:0:0::/64',
    '192.0.2.1',
    '192.0.2.1 is known',
  ])
})

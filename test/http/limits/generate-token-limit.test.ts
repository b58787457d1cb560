import { expect, vi } from 'vitest'
import { PasswordsBusy } from '../../../src/tokens/password.ts'
import { signInFailed, tooManyRequests } from '../../support/portal/envelopes.ts'
import { adminPassword, cheapPasswords, startPortal } from '../../support/portal/portal.ts'
import { failTimes, signIn } from '../../support/portal/sign-in.ts'
import { test } from '../../support/portal/test.ts'

const quarterOfAnHour = 15 * 60_000

test('nine failures leave the door open, ten shut it for the right password too', async ({ portal }) => {
  await failTimes(portal, 9)
  expect((await signIn(portal, { password: adminPassword })).body).toHaveProperty('token')
  expect((await signIn(portal)).body).toEqual(signInFailed)
  const shut = await signIn(portal, { password: adminPassword })
  expect(shut).toEqual({ status: 429, retryAfter: '900', body: tooManyRequests })
})

test('the door opens when fifteen minutes have passed, to the millisecond', async ({ portal }) => {
  await failTimes(portal, 10)
  portal.clock.now += quarterOfAnHour - 1
  expect(await signIn(portal, { password: adminPassword })).toMatchObject({ status: 429, retryAfter: '1' })
  portal.clock.now += 1
  expect((await signIn(portal, { password: adminPassword })).body).toHaveProperty('token')
})

test('tries while the door is shut do not keep it shut longer', async ({ portal }) => {
  await failTimes(portal, 10)
  portal.clock.now += quarterOfAnHour / 2
  await failTimes(portal, 20)
  portal.clock.now += quarterOfAnHour / 2
  expect((await signIn(portal, { password: adminPassword })).body).toHaveProperty('token')
})

test('an account is one whatever the case of its name', async ({ portal }) => {
  for (const username of ['admin', 'ADMIN', 'Admin', 'aDMIN', 'admiN']) await failTimes(portal, 2, { username })
  expect((await signIn(portal, { password: adminPassword })).status).toBe(429)
})

test('accounts that do not exist are limited alike', async ({ portal }) => {
  await failTimes(portal, 10, { username: 'nobody' })
  expect(await signIn(portal, { username: 'nobody' })).toEqual({
    status: 429,
    retryAfter: '900',
    body: tooManyRequests,
  })
})

test('sign-ins that succeed in between neither count nor wipe failures out', async ({ portal }) => {
  await failTimes(portal, 9)
  for (let time = 0; time < 11; time += 1) {
    expect((await signIn(portal, { password: adminPassword })).body).toHaveProperty('token')
  }
  await signIn(portal)
  expect((await signIn(portal)).status).toBe(429)
})

test('more guesses than the processor can do are 503, and the server stays ready', async () => {
  const busy = { ...cheapPasswords, verify: () => Promise.reject(new PasswordsBusy()) }
  await using portal = await startPortal({ passwords: busy })
  const { status, retryAfter } = await signIn(portal)
  expect(status).toBe(503)
  expect(retryAfter).toMatch(/^\d+$/)
  expect((await portal.server.app.inject('/health/ready')).statusCode).toBe(200)
})

test('they are counted, and logged as one line a minute rather than as errors', async () => {
  const busy = { ...cheapPasswords, verify: () => Promise.reject(new PasswordsBusy()) }
  await using portal = await startPortal({ passwords: busy })
  const { app, dependencies } = portal.server
  const warnings = vi.spyOn(app.log, 'warn')
  const errors = vi.spyOn(app.log, 'error')
  await failTimes(portal, 5)
  expect(warnings.mock.calls).toEqual([[{ times: 1 }, expect.any(String)]])
  portal.clock.now += 60_000
  await failTimes(portal, 5)
  expect(warnings.mock.calls).toEqual([
    [{ times: 1 }, expect.any(String)],
    [{ times: 5 }, expect.any(String)],
  ])
  expect(errors).not.toHaveBeenCalled()
  expect(dependencies.limitCounts.of('passwordsWaiting')).toBe(10)
})

test('the right password at the end of a burst does not get through', async ({ portal }) => {
  const guesses = Array.from({ length: 40 }, (_, guess) => signIn(portal, { password: `guess ${guess}` }))
  const [right] = await Promise.all([
    Promise.all(guesses).then(() => signIn(portal, { password: adminPassword })),
    ...guesses,
  ])
  expect(right.body).toEqual(tooManyRequests)
})

test('settings say how many failures and how many minutes', async () => {
  await using portal = await startPortal({
    environment: { RATE_LIMIT_SIGN_IN_FAILURES: '2', RATE_LIMIT_SIGN_IN_MINUTES: '1' },
  })
  await failTimes(portal, 2)
  expect(await signIn(portal)).toMatchObject({ status: 429, retryAfter: '60' })
  portal.clock.now += 60_000
  expect((await signIn(portal)).body).toEqual(signInFailed)
})

test('a forwarded address counts for nothing unless a proxy is trusted', async ({ portal }) => {
  for (let time = 0; time < 10; time += 1) {
    await signIn(portal, { headers: { 'x-forwarded-for': `198.51.100.${time}` } })
  }
  expect((await signIn(portal, { headers: { 'x-forwarded-for': '198.51.100.99' } })).status).toBe(429)
})

test('behind a trusted proxy each forwarded address has its own count', async () => {
  await using portal = await startPortal({ environment: { TRUST_PROXY: 'true' } })
  await failTimes(portal, 10, { headers: { 'x-forwarded-for': '198.51.100.1' } })
  expect((await signIn(portal, { headers: { 'x-forwarded-for': '198.51.100.1' } })).status).toBe(429)
  expect((await signIn(portal, { headers: { 'x-forwarded-for': '198.51.100.2' } })).status).toBe(200)
})

test('addresses that a client claims in front of the proxy change nothing', async () => {
  await using portal = await startPortal({ environment: { TRUST_PROXY: 'true' } })
  for (let time = 0; time < 10; time += 1) {
    await signIn(portal, { headers: { 'x-forwarded-for': `203.0.113.${time}, 198.51.100.1` } })
  }
  const answer = await signIn(portal, { headers: { 'x-forwarded-for': '203.0.113.99, 198.51.100.1' } })
  expect(answer.status).toBe(429)
})
